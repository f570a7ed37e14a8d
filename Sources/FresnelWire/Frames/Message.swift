// Header, at most one control frame, at most one payload frame (protocol.md, clauses F-1…F-8).
// Reading is total: any list of frames gives a message or a typed error, and every size is
// compared with its limit before the frame is parsed.

/// One message of the wire, in either direction.
package struct Message: Equatable, Sendable {
    /// Request, part, sequence, attempt, epoch and budget.
    package var envelope: Envelope
    /// The verb and its control frame.
    package var command: Command
    /// Documents or a hit batch; nil where there is none.
    package var payload: [UInt8]?

    /// Makes a message.
    package init(_ envelope: Envelope = Envelope(), _ command: Command, payload: [UInt8]? = nil) {
        precondition(
            payload == nil || command.verb.rules.payload != .never,
            "\(command.verb) has no payload frame")
        self.envelope = envelope
        self.command = command
        self.payload = payload
    }

    /// Reads the frames of one message, without any routing id.
    ///
    /// - Throws: `WireError.probe` for one empty frame, else what is wrong with the message.
    package init(frames: [[UInt8]], limits: WireLimits = .standard) throws(WireError) {
        guard frames != [[]] else { throw .probe }
        guard (1...3).contains(frames.count) else { throw .frameCount(frames.count) }
        let header = try Header(frames[0], limits: limits)
        try Self.checkShape(header, frames)
        let control = header.flags.contains(.control) ? frames[1] : []
        try Self.checkControl(header.verb, control)
        let payload = header.flags.contains(.payload) ? frames[frames.count - 1] : nil
        if let payload { try Self.checkPayload(header.verb, payload, limits) }
        envelope = header.envelope
        command = try Command(header.verb, control: control)
        try command.checkFinite()
        try command.checkNames()
        self.payload = payload
    }

    /// The frames to send: header, then control and payload where the verb has them.
    ///
    /// A control frame that is too long is shortened (`Command.fitted`).
    package func frames() -> [[UInt8]] {
        let verb = command.verb
        var flags: Header.Flags = []
        var frames: [[UInt8]] = [[]]
        if let control = command.fittedControlBytes {
            flags.insert(.control)
            frames.append(control)
        }
        if let payload = payload ?? (verb.rules.payload == .always ? [] : nil) {
            flags.insert(.payload)
            frames.append(payload)
        }
        frames[0] = Header(verb: verb, flags: flags, envelope: envelope).bytes
        return frames
    }

    private static func checkShape(_ header: Header, _ frames: [[UInt8]]) throws(WireError) {
        let rules = header.verb.rules
        guard header.flags.contains(.control) == (rules.control != nil) else {
            let expected = rules.control.map { "a control frame (\($0.message))" }
            throw .frameShape(header.verb, expected: expected ?? "no control frame")
        }
        let hasPayload = header.flags.contains(.payload)
        guard rules.payload != .never || !hasPayload else {
            throw .frameShape(header.verb, expected: "no payload frame")
        }
        guard rules.payload != .always || hasPayload else {
            throw .frameShape(header.verb, expected: "a payload frame")
        }
        let announced = 1 + (rules.control == nil ? 0 : 1) + (hasPayload ? 1 : 0)
        guard frames.count == announced else {
            throw .frameShape(header.verb, expected: "the \(announced) frames its flags announce")
        }
    }

    private static func checkControl(_ verb: Verb, _ control: [UInt8]) throws(WireError) {
        guard let limit = verb.rules.control?.limitBytes, control.count > limit else { return }
        throw .tooLarge(.controlFrame, bytes: control.count, limit: limit)
    }

    private static func checkPayload(
        _ verb: Verb, _ payload: [UInt8], _ limits: WireLimits
    ) throws(WireError) {
        let limit = limits.payloadBytes(of: verb)
        guard payload.count <= limit else {
            throw .tooLarge(.payloadFrame, bytes: payload.count, limit: limit)
        }
    }
}
