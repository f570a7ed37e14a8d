import FresnelModel

// The first frame of every message (Documentation/protocol.md, clauses H-1…H-6):
//
//   offset 0 signature 2 · 2 major 1 · 3 verb 1 · 4 flags 2 · 6 length 2 · 8 id 16 · 24 part 4
//   28 sequence 8 · 36 attempt 4 · 40 epoch 4 · 44 budget 4 · 48 extensions (type 2, length 2, …)
//
// Network byte order. A reader skips extensions it does not know, unless bit 15 of their type
// says that the message means something else without them.

/// The header frame of a message.
package struct Header: Hashable, Sendable {
    /// The first two bytes of every message.
    package static let signature: UInt16 = 0xAAB7
    /// The only version this code speaks.
    package static let major: UInt8 = 1
    /// The bytes before the extensions.
    package static let fixedLength = 48

    /// Which frames follow.
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        package init(rawValue: UInt16) { self.rawValue = rawValue }
        /// A control frame follows.
        package static let control = Flags(rawValue: 1)
        /// A payload frame is last.
        package static let payload = Flags(rawValue: 2)
        /// All bits that version 1 defines; any other is refused.
        package static let known: Flags = [.control, .payload]
    }

    /// What the message asks or says.
    package var verb: Verb
    /// Which frames follow.
    package var flags: Flags
    /// Everything else.
    package var envelope: Envelope

    /// Makes a header.
    package init(verb: Verb, flags: Flags, envelope: Envelope) {
        self.verb = verb
        self.flags = flags
        self.envelope = envelope
    }

    /// The 48 bytes of the header; this version sends no extensions.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.fixedLength)
        bytes.appendNetwork(Self.signature)
        bytes.append(Self.major)
        bytes.append(verb.rawValue)
        bytes.appendNetwork(flags.rawValue)
        bytes.appendNetwork(UInt16(Self.fixedLength))
        bytes.appendNetwork(envelope.id.high)
        bytes.appendNetwork(envelope.id.low)
        bytes.appendNetwork(envelope.part)
        bytes.appendNetwork(envelope.sequence)
        bytes.appendNetwork(envelope.attempt)
        bytes.appendNetwork(envelope.epoch.value)
        bytes.appendNetwork(envelope.budgetMilliseconds)
        return bytes
    }

    /// Reads a header frame; every input gives a header or an error.
    ///
    /// - Throws: `WireError` for a frame of another protocol, version or shape.
    package init(_ frame: [UInt8], limits: WireLimits = .standard) throws(WireError) {
        try Self.checkFrame(frame, limits: limits)
        guard let verb = Verb(rawValue: frame[3]) else { throw .unknownVerb(frame[3]) }
        let flags = Flags(rawValue: frame.network(at: 4))
        guard Flags.known.isSuperset(of: flags) else { throw .unknownFlags(flags.rawValue) }
        let length = Int(frame.network(at: 6) as UInt16)
        guard length >= Self.fixedLength, length == frame.count else {
            throw .headerLength(declared: length, frame: frame.count)
        }
        try Self.checkExtensions(frame)
        let budget: UInt32 = frame.network(at: 44)
        let envelope = Envelope(
            id: RequestID(high: frame.network(at: 8), low: frame.network(at: 16)),
            part: frame.network(at: 24), sequence: frame.network(at: 28),
            attempt: frame.network(at: 36), epoch: Epoch(frame.network(at: 40)),
            budget: budget == .max ? nil : .milliseconds(Int64(budget)))
        self.init(verb: verb, flags: flags, envelope: envelope)
    }

    /// Sizes, signature and version: what must hold before any other field means something.
    private static func checkFrame(_ frame: [UInt8], limits: WireLimits) throws(WireError) {
        guard frame.count <= limits.headerBytes else {
            throw .tooLarge(.header, bytes: frame.count, limit: limits.headerBytes)
        }
        guard frame.count >= 2 else { throw .headerLength(declared: nil, frame: frame.count) }
        let signature: UInt16 = frame.network(at: 0)
        guard signature == Self.signature else { throw .signature(signature) }
        guard frame.count >= Self.fixedLength else {
            throw .headerLength(declared: nil, frame: frame.count)
        }
        guard frame[2] == Self.major else { throw .version(frame[2]) }
    }

    private static func checkExtensions(_ frame: [UInt8]) throws(WireError) {
        var offset = Self.fixedLength
        while offset < frame.count {
            guard frame.count - offset >= 4 else { throw .truncatedExtension(offset: offset) }
            let type: UInt16 = frame.network(at: offset)
            let length = Int(frame.network(at: offset + 2) as UInt16)
            guard frame.count - offset - 4 >= length else {
                throw .truncatedExtension(offset: offset)
            }
            guard type & 0x8000 == 0 else { throw .mustUnderstand(type) }
            offset += 4 + length
        }
    }
}
