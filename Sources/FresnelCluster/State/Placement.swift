import FresnelKernels
package import FresnelModel

/// Which worker gets which shard.
///
/// Rendezvous hashing (Thaler & Ravishankar 1998) with an even share: every shard goes to the
/// worker with the highest hash of (index, shard, worker) that has not yet got ⌈shards / workers⌉.
/// The same workers always give the same placement, whatever order they came in.
package enum Placement {
    /// - Returns: the worker of every shard by shard number; empty when there is no worker.
    package static func place(
        index: String, shardCount: UInt32, on workers: [WorkerID]
    ) -> [WorkerID] {
        guard !workers.isEmpty else { return [] }
        let share = (Int(shardCount) + workers.count - 1) / workers.count
        var load: [WorkerID: Int] = [:]
        return (0..<shardCount).map { shard in
            let ranked = workers.map { worker in
                (weight: weight(index, shard, worker), worker: worker)
            }.sorted { ($0.weight, $1.worker) > ($1.weight, $0.worker) }
            let chosen = ranked.first { load[$0.worker, default: 0] < share } ?? ranked[0]
            load[chosen.worker, default: 0] += 1
            return chosen.worker
        }
    }

    private static func weight(_ index: String, _ shard: UInt32, _ worker: WorkerID) -> UInt64 {
        Hash.routingHash(of: "\(index)\u{0}\(shard)\u{0}\(worker.name)")
    }
}
