package import FresnelKernels

/// Why bytes are not a message, a document or a hit batch.
package enum WireError: Error, Equatable, Sendable {
    /// What a size limit was about.
    package enum Part: String, Hashable, Sendable {
        case header
        case controlFrame = "control frame"
        case payloadFrame = "payload frame"
        case document
        case batch
        case identifier
        case operations
        case sortKey = "sort key"
    }

    /// What was being read.
    package enum Structure: String, Hashable, Sendable {
        case document
        case patch
        case attribute
        case hitBatch = "hit batch"
        case hit
        case batch
        case facetValue = "facet value"
    }

    /// One empty frame: ZeroMQ's probe after a connection was made.
    case probe
    /// A message has 1, 2 or 3 frames.
    case frameCount(Int)
    /// The header frame is not as long as it says; `declared` is nil when it is too short to say.
    case headerLength(declared: Int?, frame: Int)
    /// The first two bytes are not AA B7.
    case signature(UInt16)
    /// A version that this code does not speak.
    case version(UInt8)
    /// A verb that version 1 does not have.
    case unknownVerb(UInt8)
    /// Flag bits that version 1 does not define.
    case unknownFlags(UInt16)
    /// An extension of the header that must be understood and is not.
    case mustUnderstand(UInt16)
    /// An extension of the header leaves the frame.
    case truncatedExtension(offset: Int)
    /// The verb needs a control or payload frame that is not there, or has none and got one.
    case frameShape(Verb, expected: String)
    /// The verb may not travel from this kind of peer to that one.
    case route(Verb, Route)
    /// The verb came on the other lane than its own.
    case lane(Verb, due: Lane)
    /// A number that must be finite is none, in a field of the verb's control frame.
    case notFinite(Verb, field: String)
    /// A name, or a list of shards, that breaks the rule for its kind, in a field of the verb's
    /// control frame.
    case invalidName(Verb, field: String)
    /// Something is longer than its limit.
    case tooLarge(Part, bytes: Int, limit: Int)
    /// The control frame is not the Protocol Buffers message that the verb demands.
    case control(Verb, reason: String)
    /// The structure breaks off or contains impossible bytes.
    case damaged(Structure, KernelError)
    /// The structure is readable but breaks a rule of its format.
    case invalid(Structure, reason: String)
    /// An operation of a batch cannot be carried out as it stands.
    case operation(position: UInt32, reason: String)
}

extension WireError {
    /// The number under which a peer is told.
    package var code: ErrorCode {
        switch self {
        case .version: .unsupportedVersion
        case .unknownVerb: .unknownVerb
        case .tooLarge: .tooLarge
        case .route, .lane: .wrongRoute
        case .notFinite, .invalidName: .invalidArgument
        case .invalid(.document, _), .invalid(.patch, _), .invalid(.attribute, _),
            .damaged(.document, _), .damaged(.patch, _), .damaged(.attribute, _), .operation:
            .invalidItem
        default: .malformedMessage
        }
    }
}

extension WireError: CustomStringConvertible {
    /// What is wrong and what to do, for the peer's operator.
    package var description: String {
        switch self {
        case .probe:
            "an empty message, as a connection's probe; answer it with CHALLENGE"
        case .frameCount(let count):
            "a message of \(count) frames; send header, control and payload, 1 to 3 frames"
        case .headerLength(let declared, let frame):
            """
            a header frame of \(frame) bytes that declares \(declared.map(String.init) ?? "none"); \
            send 48 bytes and the extensions, and their sum as length
            """
        case .signature(let value):
            "signature \(Self.hex(value)) where AAB7 is due; this port speaks Fresnel only"
        case .version(let major):
            "major version \(major), spoken here is \(Header.major); upgrade the older side"
        case .unknownVerb(let number):
            "verb \(number) does not exist in version \(Header.major)"
        case .unknownFlags(let bits):
            "flags \(Self.hex(bits)) contain bits undefined in version \(Header.major); send zeros"
        case .mustUnderstand(let type):
            "header extension \(Self.hex(type)) must be understood and is not; do not send it here"
        default: bodyDescription
        }
    }

    private var bodyDescription: String {
        switch self {
        case .truncatedExtension(let offset):
            "the header extension at offset \(offset) leaves the frame; check its length"
        case .frameShape(let verb, let expected):
            "\(verb) comes with \(expected); set the flags and send the frames accordingly"
        case .route(let verb, let route):
            "\(verb) does not travel \(route.rawValue); this peer may not send it"
        case .lane(let verb, let lane):
            "\(verb) goes to the \(lane.rawValue) lane"
        case .notFinite(let verb, let field):
            "\(field) of \(verb) is not a finite number"
        case .invalidName(let verb, let field):
            "\(field) of \(verb) breaks the rule for it, and nothing is made of it"
        case .tooLarge(let part, let size, let limit):
            "\(part.rawValue) of \(size), allowed are \(limit); send less at once"
        case .control(let verb, let reason):
            "the control frame of \(verb) is unreadable: \(reason)"
        case .damaged(let structure, let reason):
            "unreadable \(structure.rawValue): \(reason)"
        case .invalid(let structure, let reason):
            "invalid \(structure.rawValue): \(reason)"
        case .operation(let position, let reason):
            "operation \(position) of the batch: \(reason)"
        default: "a malformed message"
        }
    }

    private static func hex(_ value: UInt16) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
