import FresnelWire

/// The outcomes of the newest batches of the newest clients, so that a repetition changes nothing.
struct AppliedBatches: Hashable, Sendable {
    /// Batches remembered per client: more than a client can have unacknowledged.
    static let batchesPerClient = 256
    /// Clients remembered; the one that was silent longest is forgotten first.
    static let clients = 1024

    struct Client: Hashable, Sendable {
        var outcomes: [UInt64: PartOutcome] = [:]
        /// The highest number of all, also when its outcome is forgotten.
        var newest: UInt64 = 0
        /// Grows with every use of any client.
        var usedAt: UInt64 = 0
    }

    private(set) var byClient: [UInt128: Client] = [:]
    private var clock: UInt64 = 0

    subscript(batch: BatchIdentity) -> PartOutcome? {
        byClient[batch.client]?.outcomes[batch.number]
    }

    func newest(of client: UInt128) -> UInt64? { byClient[client]?.newest }

    mutating func record(_ outcome: PartOutcome, of batch: BatchIdentity) {
        clock += 1
        var client = byClient[batch.client] ?? Client()
        client.usedAt = clock
        client.outcomes[batch.number] = outcome
        client.newest = max(client.newest, batch.number)
        if client.outcomes.count > Self.batchesPerClient, let oldest = client.outcomes.keys.min() {
            client.outcomes[oldest] = nil
        }
        byClient[batch.client] = client
        if byClient.count > Self.clients,
            let stalest = byClient.min(by: { $0.value.usedAt < $1.value.usedAt })?.key
        {
            byClient[stalest] = nil
        }
    }
}
