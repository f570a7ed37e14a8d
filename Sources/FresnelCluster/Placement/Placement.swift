import FresnelKernels
package import FresnelModel

/// Which worker gets which shard.
///
/// Rendezvous hashing (Thaler & Ravishankar 1998) with an even share: every shard goes to the
/// worker with the highest hash of (index, shard, worker) that has not yet got ⌈shards / workers⌉;
/// its second copy to the highest of the others that has not yet got twice as many, and so on.
/// Where that leaves one with two more than another, a copy goes over. The same workers always
/// give the same placement, whatever order they came in.
package enum Placement {
    /// - Returns: the workers of every shard by shard number, as many different ones as there shall
    ///   be copies, or as there are workers; empty when there is no worker.
    package static func place(
        index: String, shardCount: UInt32, copies: UInt32 = 1, on workers: [WorkerID]
    ) -> [[WorkerID]] {
        guard !workers.isEmpty else { return [] }
        var load: [WorkerID: Int] = [:]
        var placed = Array(repeating: [WorkerID](), count: Int(shardCount))
        for copy in 1...max(1, min(Int(copies), workers.count)) {
            let share = (Int(shardCount) * copy + workers.count - 1) / workers.count
            for shard in 0..<shardCount {
                let free = ranked(workers, of: shard, in: index).filter {
                    !placed[Int(shard)].contains($0)
                }
                let chosen = free.first { load[$0, default: 0] < share } ?? free[0]
                load[chosen, default: 0] += 1
                placed[Int(shard)].append(chosen)
            }
            even(&placed, &load, among: workers.sorted())
        }
        return placed
    }

    /// Hands the newest copies on until nobody has two more than another.
    ///
    /// Who has more shards than another has one that the other has not, so this ends. A first copy
    /// moves only where no further one can: the first ones are even already.
    private static func even(
        _ placed: inout [[WorkerID]], _ load: inout [WorkerID: Int], among workers: [WorkerID]
    ) {
        while let most = workers.max(by: { load[$0, default: 0] < load[$1, default: 0] }),
            let least = workers.min(by: { load[$0, default: 0] < load[$1, default: 0] }),
            load[most, default: 0] > load[least, default: 0] + 1
        {
            let movable = placed.indices.filter {
                placed[$0].contains(most) && !placed[$0].contains(least)
            }
            let chosen =
                movable.first { placed[$0].last == most }
                ?? movable.first { placed[$0][0] != most } ?? movable.first
            guard let shard = chosen, let copy = placed[shard].firstIndex(of: most) else { return }
            placed[shard][copy] = least
            load[most, default: 0] -= 1
            load[least, default: 0] += 1
        }
    }

    /// The worker that gets one more copy of a shard: of those that hold the fewest replicas, the
    /// one with the highest hash; nil when every worker holds one.
    package static func next(
        of shard: ShardKey, besides holders: [WorkerID], on workers: [WorkerID],
        load: [WorkerID: Int]
    ) -> WorkerID? {
        let free = ranked(workers, of: shard.shard.number, in: shard.index).filter {
            !holders.contains($0)
        }
        let least = free.map { load[$0] ?? 0 }.min()
        return free.first { load[$0] ?? 0 == least }
    }

    private static func ranked(
        _ workers: [WorkerID], of shard: UInt32, in index: String
    ) -> [WorkerID] {
        workers.map { (weight: weight(index, shard, $0), worker: $0) }
            .sorted { ($0.weight, $1.worker) > ($1.weight, $0.worker) }.map(\.worker)
    }

    /// How much a worker is preferred for a shard.
    static func weight(_ index: String, _ shard: UInt32, _ worker: WorkerID) -> UInt64 {
        Hash.routingHash(of: "\(index)\u{0}\(shard)\u{0}\(worker.name)")
    }
}
