import FresnelModel

// Which shards may be read. A replica that opens before the others of its set may have parts that
// were acknowledged to nobody: a broker that started again knows which were only up to what was
// written down, and one that runs on does not look, although it could. Such parts must not be read
// while they are on one disk alone: with it they would be gone, after an answer has shown them.
// Older ones must, and nobody can tell which are which. So the shard is unproven: it is asked once
// every other replica in sync has shown that it has the same, or has left the set, on disk.

extension WriteTable {
    /// Whether a shard may be read, if a replica is open.
    func isProven(_ shard: ShardKey) -> Bool { unproven[shard] == nil }

    /// Lets a shard be read when nothing it shows can be gone with one disk.
    mutating func prove(_ shard: ShardKey) {
        guard unproven[shard] != nil, let state = shards[shard], state.gate <= durable,
            !state.openInSync.isEmpty, state.openInSync.count == state.inSync.count
        else { return }
        unproven[shard] = nil
        // What each disk of the set holds is acknowledged, whoever was told so: else the next time
        // that one of them opens alone, the shard would be unproven again.
        let shown = state.inSync.compactMap { state.lanes[$0]?.acknowledged }.min() ?? .zero
        shards[shard]?.acknowledged = max(state.acknowledged, shown)
    }

    /// The in-sync replicas that a shard waited for long enough, while one that would go on without
    /// them is there.
    ///
    /// - Parameter isAway: whether a worker is not there, or silent.
    func unshown(
        at now: Instant, isAway: (WorkerID, ShardKey) -> Bool
    ) -> [(worker: WorkerID, shard: ShardKey)] {
        unproven.filter { now - $0.value >= Limits.replicaPatience }.keys.sorted().flatMap {
            shard -> [(worker: WorkerID, shard: ShardKey)] in
            guard let state = shards[shard],
                state.openInSync.contains(where: { !isAway($0, shard) })
            else { return [] }
            return state.inSync.filter { state.lanes[$0] == nil }.map { ($0, shard) }
        }
    }
}
