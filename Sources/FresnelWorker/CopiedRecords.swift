import FresnelCluster

/// Records of other replicas that wait for the writing thread, which takes a few at a time, copy
/// after copy.
///
/// What came in one message may take the thread seconds on a busy machine. A replica in sync that
/// shares it, and answers no part meanwhile, would count as silent.
struct CopiedRecords {
    /// Records that are journaled and applied in one go.
    struct Bite {
        let id: CopyID
        let shard: ShardKey
        let entries: [TransferEntry]
        /// Whether nothing is left of what came with them.
        let isLast: Bool
    }

    /// Records in a bite, at most: what 32 parts of some documents take is milliseconds, and the
    /// sync they share is little beside it.
    static let biteRecords = 32
    /// Bytes of records from which on no further one is in the same bite.
    static let biteBytes = 1 << 20

    private var runs: [(id: CopyID, shard: ShardKey, rest: ArraySlice<TransferEntry>)] = []

    var isEmpty: Bool { runs.isEmpty }

    mutating func add(_ entries: [TransferEntry], to shard: ShardKey, _ id: CopyID) {
        runs.append((id, shard, entries[...]))
    }

    /// The next bite, of the copy that has waited for longest.
    mutating func next() -> Bite? {
        guard !runs.isEmpty else { return nil }
        var run = runs.removeFirst()
        var (count, bytes) = (0, 0)
        while count < min(Self.biteRecords, run.rest.count), bytes < Self.biteBytes {
            bytes += run.rest[run.rest.startIndex + count].record.count
            count += 1
        }
        let entries = Array(run.rest.prefix(count))
        run.rest = run.rest.dropFirst(count)
        let isLast = run.rest.isEmpty
        if !isLast { runs.append(run) }
        return Bite(id: run.id, shard: run.shard, entries: entries, isLast: isLast)
    }

    /// Forgets what waits of a copy.
    mutating func forget(_ id: CopyID) { runs.removeAll { $0.id == id } }

    /// Forgets what waits for a shard.
    mutating func forget(_ shard: ShardKey) { runs.removeAll { $0.shard == shard } }
}
