import FresnelModel

// Which shards may be read. A replica that opens before the others of its set may have parts that
// were acknowledged to nobody, and which of its parts were is known only up to what was written
// down. Such parts must not be read while they are on one disk alone: with it they would be gone,
// after an answer has shown them. Older ones must, and nobody can tell which are which. So the
// shard is unproven: it is asked once every other replica in sync has shown that it has the same,
// or has left the set, on disk.

extension WriteTable {
    /// Whether a shard may be read, if a replica is open.
    func isProven(_ shard: ShardKey) -> Bool { unproven[shard] == nil }

    /// Lets a shard be read when nothing it shows can be gone with one disk.
    mutating func prove(_ shard: ShardKey) {
        guard unproven[shard] != nil, let state = shards[shard], state.gate <= durable,
            !state.openInSync.isEmpty, state.openInSync.count == state.inSync.count
        else { return }
        unproven[shard] = nil
    }

    /// The in-sync replicas that a shard waited for long enough.
    func unshown(at now: Instant) -> [(worker: WorkerID, shard: ShardKey)] {
        unproven.filter { now - $0.value >= Limits.replicaPatience }.keys.sorted().flatMap {
            shard -> [(worker: WorkerID, shard: ShardKey)] in
            guard let state = shards[shard], !state.openInSync.isEmpty else { return [] }
            return state.inSync.filter { state.lanes[$0] == nil }.map { ($0, shard) }
        }
    }
}
