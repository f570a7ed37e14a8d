import FresnelKernels
package import FresnelModel

/// Which worker gets which shard.
///
/// Every copy of a shard goes to the worker that has the fewest of this index, of those to the one
/// that has the fewest of all indexes, of those to the one with the highest hash of (index, shard,
/// worker), as in rendezvous hashing (Thaler & Ravishankar 1998). First copies come first, then
/// second ones; where that leaves one worker with two more than another, a copy goes over. The same
/// workers and loads always give the same placement, whatever order they came in.
package enum Placement {
    /// - Parameter load: replicas that each worker holds already, of other indexes.
    /// - Returns: the workers of every shard by shard number, as many different ones as there shall
    ///   be copies, or as there are workers; empty when there is no worker.
    package static func place(
        index: String, shardCount: UInt32, copies: UInt32 = 1, on workers: [WorkerID],
        load former: [WorkerID: Int] = [:]
    ) -> [[WorkerID]] {
        guard !workers.isEmpty else { return [] }
        var own: [WorkerID: Int] = [:]
        let load = { (worker: WorkerID, own: [WorkerID: Int]) in
            (own[worker, default: 0], former[worker, default: 0])
        }
        var placed = Array(repeating: [WorkerID](), count: Int(shardCount))
        for _ in 1...max(1, min(Int(copies), workers.count)) {
            for shard in 0..<shardCount {
                let free = ranked(workers, of: shard, in: index).filter {
                    !placed[Int(shard)].contains($0)
                }
                guard let least = free.map({ load($0, own) }).min(by: <),
                    let chosen = free.first(where: { load($0, own) == least })
                else { return placed }
                own[chosen, default: 0] += 1
                placed[Int(shard)].append(chosen)
            }
            even(&placed, &own, among: workers.sorted(), load)
        }
        return placed
    }

    /// Hands the newest copies on until nobody has two more than another.
    ///
    /// Who has more shards than another has one that the other has not, so this ends. A first copy
    /// moves only where no further one can: the first ones are even already.
    private static func even(
        _ placed: inout [[WorkerID]], _ own: inout [WorkerID: Int], among workers: [WorkerID],
        _ load: (WorkerID, [WorkerID: Int]) -> (Int, Int)
    ) {
        while let most = workers.max(by: { load($0, own) < load($1, own) }),
            let least = workers.min(by: { load($0, own) < load($1, own) }),
            own[most, default: 0] > own[least, default: 0] + 1
        {
            let movable = placed.indices.filter {
                placed[$0].contains(most) && !placed[$0].contains(least)
            }
            let chosen =
                movable.first { placed[$0].last == most }
                ?? movable.first { placed[$0][0] != most } ?? movable.first
            guard let shard = chosen, let copy = placed[shard].firstIndex(of: most) else { return }
            placed[shard][copy] = least
            own[most, default: 0] -= 1
            own[least, default: 0] += 1
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
