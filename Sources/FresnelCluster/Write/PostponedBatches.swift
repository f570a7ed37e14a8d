import FresnelModel

/// Batches that were refused with BUSY and will come again: until then no later batch of the same
/// client may overtake them, or an old document could replace a newer one.
struct PostponedBatches: Sendable {
    private struct Stream: Hashable, Sendable {
        let session: SessionID
        let index: String
        let clientHigh: UInt64
        let clientLow: UInt64

        init(_ key: BatchKey, _ session: SessionID) {
            self.session = session
            index = key.index
            clientHigh = key.clientHigh
            clientLow = key.clientLow
        }
    }

    private struct Gate: Sendable {
        let number: UInt64
        /// The client gives the batch up then, and the gate opens.
        let until: Instant
    }

    private var gates: [Stream: Gate] = [:]

    var isEmpty: Bool { gates.isEmpty }

    /// Whether an earlier batch of this client must come first.
    func mustWait(_ key: BatchKey, of session: SessionID) -> Bool {
        gates[Stream(key, session)].map { $0.number < key.number } ?? false
    }

    /// Whether a batch may be refused for now: gates are bounded, and without one it could be
    /// overtaken.
    func hasRoom(for key: BatchKey, of session: SessionID) -> Bool {
        gates.count < Limits.postponedPerClient || gates[Stream(key, session)] != nil
            || gates.keys.count { $0.session == session } < Limits.postponedPerClient
    }

    /// Notes that a batch was refused for now.
    mutating func postpone(_ key: BatchKey, of session: SessionID, until: Instant) {
        let stream = Stream(key, session)
        if let gate = gates[stream], gate.number < key.number { return }
        gates[stream] = Gate(number: key.number, until: until)
    }

    /// Notes that a batch was taken on or refused for good.
    mutating func resolve(_ key: BatchKey, of session: SessionID) {
        let stream = Stream(key, session)
        guard let gate = gates[stream], gate.number <= key.number else { return }
        gates[stream] = nil
    }

    mutating func forget(_ session: SessionID) {
        guard !gates.isEmpty else { return }
        gates = gates.filter { $0.key.session != session }
    }

    mutating func tick(at now: Instant) {
        guard !gates.isEmpty else { return }
        gates = gates.filter { now < $0.value.until }
    }
}
