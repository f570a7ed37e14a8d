/// A command of ZMTP: what peers tell each other beside messages.
///
/// Source: ZeroMQ RFC 37, sections "The NULL Security Mechanism" and "Connection Heartbeating".
enum PeerCommand: Hashable, Sendable {
    /// The peer introduces itself.
    case ready(socketType: String)
    /// It asks whether we live, and wants to be given up after a time without traffic.
    case ping(timeToLiveTenths: UInt16, context: [UInt8])
    case pong
    /// It ends the connection.
    case refusal(reason: String)
    /// One that means nothing between these sockets.
    case other

    /// The longest text that a PING may bring and a PONG gives back.
    static let maximumContextBytes = 16

    init(_ body: [UInt8]) throws(PeerViolation) {
        guard let length = body.first.map(Int.init), length > 0, body.count > length else {
            throw .command
        }
        let name = String(decoding: body[1...length], as: UTF8.self)
        let rest = body[(length + 1)...]
        switch name {
        case "READY": self = .ready(socketType: try Self.socketType(in: rest))
        case "PING":
            guard rest.count >= 2 else { throw .command }
            let high = UInt16(rest[rest.startIndex])
            let low = UInt16(rest[rest.startIndex + 1])
            self = .ping(
                timeToLiveTenths: high << 8 | low,
                context: Array(rest.dropFirst(2).prefix(Self.maximumContextBytes)))
        case "PONG": self = .pong
        case "ERROR":
            self = .refusal(reason: String(decoding: rest.dropFirst().prefix(255), as: UTF8.self))
        default: self = .other
        }
    }

    /// The body of a READY of ours.
    static func ready(of kind: SocketKind) -> [UInt8] {
        var body = named("READY")
        for (name, value) in [("Socket-Type", kind.description), ("Identity", "")] {
            body.append(UInt8(name.utf8.count))
            body += name.utf8
            body += [0, 0, 0, UInt8(value.utf8.count)]
            body += value.utf8
        }
        return body
    }

    /// The body of a PING.
    static func ping(timeToLiveTenths: UInt16) -> [UInt8] {
        named("PING") + [
            UInt8(timeToLiveTenths >> 8), UInt8(truncatingIfNeeded: timeToLiveTenths),
        ]
    }

    /// The body of the answer to a PING.
    static func pong(context: [UInt8]) -> [UInt8] { named("PONG") + context }

    private static func named(_ name: String) -> [UInt8] {
        [UInt8(name.utf8.count)] + name.utf8
    }

    /// Walks the properties: a byte and a name, four bytes and a value.
    private static func socketType(in properties: ArraySlice<UInt8>) throws(PeerViolation) -> String
    {
        var rest = properties
        var found: String?
        while let length = rest.popFirst().map(Int.init) {
            guard length > 0, rest.count >= length + 4 else { throw .handshake }
            let name = String(decoding: rest.prefix(length), as: UTF8.self)
            rest = rest.dropFirst(length)
            let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= size else { throw .handshake }
            if name.lowercased() == "socket-type" {
                found = String(decoding: rest.prefix(size), as: UTF8.self)
            }
            rest = rest.dropFirst(size)
        }
        guard let found else { throw .handshake }
        return found
    }
}
