// The last hits of a stream and its end often leave together: as one message they cost one way
// through sockets and threads instead of two (Documentation/protocol.md, Q-70).

extension Message {
    /// A FOUND and the PART_DONE or DONE right behind it as one message; nil where they are not of
    /// one stream, or where the end has no room to spare.
    package func folded(into end: Message) -> Message? {
        guard case .found(var last) = command, envelope.id == end.envelope.id,
            envelope.part == end.envelope.part, envelope.attempt == end.envelope.attempt,
            end.payload == nil
        else { return nil }
        // The end tells of the shards again, with more.
        last.shards = []
        var folded = end
        folded.envelope.sequence = envelope.sequence
        folded.payload = payload ?? []
        switch end.command {
        case .partDone(var done):
            guard !done.hasError, !done.hasLast else { return nil }
            done.last = last
            folded.command = .partDone(done)
        case .done(var done):
            guard !done.hasLast else { return nil }
            // Names that the last FOUND has are not said twice.
            if !last.booleans.isEmpty { done.booleans = [] }
            done.last = last
            folded.command = .done(done)
        default: return nil
        }
        return folded
    }

    /// The FOUND and the end that a PART_DONE or DONE with hits stands for; nil for every other
    /// message.
    package var unfolded: (hits: Message, end: Message)? {
        var end = self
        let last: WireFound
        switch command {
        case .partDone(var done):
            guard done.hasLast || payload != nil else { return nil }
            last = done.last
            done.clearLast()
            end.command = .partDone(done)
        case .done(var done):
            guard done.hasLast || payload != nil else { return nil }
            last = done.last
            done.clearLast()
            if !last.booleans.isEmpty { done.booleans = last.booleans }
            end.command = .done(done)
        default: return nil
        }
        end.payload = nil
        end.envelope.sequence = 0
        return (Message(envelope, .found(last), payload: payload ?? []), end)
    }
}
