package import FresnelModel

// Which replicas go where. First everything leaves drained workers, the largest replicas first,
// each to the worker that holds the least. Then, where that is asked for and some worker holds less
// than four fifths of the mean, the heaviest give to such idle ones; where none is idle, those
// above six fifths give to those below the mean. A move must bring the receiver nearer to the mean
// and make the two half of its own size more alike: so equal workers are left alone, although no
// two replicas are of one size.
//
// A worker that joins n others gets replicas until it has its share: a (n+1)th of the data moves,
// and at most 2 % more, or half a replica. What moves is what comes nearest to the surplus of its
// worker; of about equal ones that of the index that is spread the worst, then by rendezvous
// hashing.

/// The moves that a cluster needs, decided by its state alone: the same state gives the same plan.
package struct PlacementPlan: Sendable {
    /// What a worker holds before and after the plan; moves that are under way are counted as done.
    package struct Load: Hashable, Sendable {
        package let worker: PlacementView.Worker
        package internal(set) var replicasBefore = 0
        package internal(set) var replicasAfter = 0
        package internal(set) var bytesBefore: UInt64 = 0
        package internal(set) var bytesAfter: UInt64 = 0
    }

    /// A replica that should leave its worker and cannot now.
    package struct Obstacle: Hashable, Sendable {
        package let shard: ShardKey
        package let worker: WorkerID
        /// Why not.
        package let reason: String
    }

    /// What moves, in the order it was decided; at most `Limits.plannedMoves`.
    package private(set) var moves: [ShardMove] = []
    package private(set) var obstacles: [Obstacle] = []
    /// Bytes of all replicas.
    package private(set) var storedBytes: UInt64 = 0
    private var loads: [WorkerID: Load] = [:]
    /// What each worker weighs, with the moves so far.
    private var weights: [WorkerID: UInt64] = [:]
    /// Which shards each worker holds, with the moves so far.
    private var held: [WorkerID: Set<Int>] = [:]
    /// How many shards of each index each worker holds, with the moves so far.
    private var counts: [WorkerID: [String: Int]] = [:]
    private let ableCount: Int
    /// The shards that the moves so far concern: one move a shard at a time.
    private var moved: Set<Int> = []
    private let view: PlacementView

    /// - Parameter isBalancing: whether workers that are not drained give as well.
    package init(of view: PlacementView, isBalancing: Bool) {
        self.view = view
        ableCount = view.workers.count { $0.isAble }
        for worker in view.workers { loads[worker.worker] = Load(worker: worker) }
        for number in view.shards.indices {
            for worker in view.shards[number].holders { hold(number, on: worker) }
        }
        for (worker, load) in loads {
            loads[worker]?.replicasBefore = load.replicasAfter
            loads[worker]?.bytesBefore = load.bytesAfter
        }
        evacuate()
        if isBalancing { balance() }
    }

    /// Every worker, by name.
    package var workers: [Load] { loads.values.sorted { $0.worker.worker < $1.worker.worker } }

    /// Bytes that are copied for the plan.
    package var movedBytes: UInt64 { moves.map(\.bytes).saturatingSum }

    // MARK: drained workers

    private mutating func evacuate() {
        let drained = view.drained
        guard !drained.isEmpty else { return }
        let leaving = view.shards.indices.flatMap { number in
            view.shards[number].holders.filter(drained.contains).map { (number, $0) }
        }.sorted { left, right in
            let (one, other) = (view.shards[left.0], view.shards[right.0])
            return one.weight == other.weight
                ? (one.key, left.1) < (other.key, right.1) : one.weight > other.weight
        }
        for (number, worker) in leaving where moves.count < Limits.plannedMoves {
            let shard = view.shards[number]
            guard !shard.isMoving, !moved.contains(number) else {
                hinder(number, worker, "a replica of it moves already; this one comes behind")
                continue
            }
            guard shard.replicas.contains(where: { isSource($0) }) else {
                hinder(
                    number, worker,
                    "its only replica in sync is on a worker that is away; bring that one back, "
                        + "or, if its disk is lost for good, start a worker of its name on an "
                        + "empty directory once with --replace-lost")
                continue
            }
            guard let target = target(of: number) else {
                hinder(number, worker, "no other live worker is free of it; add one")
                continue
            }
            move(number, from: worker, to: target, because: .drain)
        }
    }

    /// Whether a replica can be copied.
    private func isSource(_ replica: ReplicaState) -> Bool {
        replica.isInSync && loads[replica.worker]?.worker.isLive == true
    }

    /// The worker that holds the least of those that can take a shard.
    private func target(of number: Int) -> WorkerID? {
        let shard = view.shards[number]
        return able.filter { mayTake(number, $0) }.min { left, right in
            let (one, other) = (weights[left] ?? 0, weights[right] ?? 0)
            return one == other ? preference(shard, left) > preference(shard, right) : one < other
        }
    }

    private var able: [WorkerID] { view.workers.filter(\.isAble).map(\.worker) }

    private func mayTake(_ number: Int, _ worker: WorkerID) -> Bool {
        let shard = view.shards[number]
        return held[worker]?.contains(number) != true && !shard.removing.contains(worker)
            && !shard.replicas.contains { $0.worker == worker }
    }

    private func preference(_ shard: PlacementView.Shard, _ worker: WorkerID) -> UInt64 {
        Placement.weight(shard.key.index, shard.key.shard.number, worker)
    }

    // MARK: balance

    /// Who gives and who gets, decided before the first move.
    private struct Exchange {
        /// What each worker would weigh if all were equal.
        let mean: UInt64
        let givers: Set<WorkerID>
        let takers: Set<WorkerID>
        /// Whether a giver may come below the mean by more than half of what it gives: somebody is
        /// idle.
        let isGenerous: Bool
        /// What may move in all.
        var budget: UInt64
    }

    private mutating func balance() {
        guard var exchange = exchange() else { return }
        while moves.count < Limits.plannedMoves, let (number, from, to) = next(exchange) {
            exchange.budget -= view.shards[number].weight
            move(number, from: from, to: to, because: .balance)
        }
    }

    /// Nil when the workers are equal enough.
    private func exchange() -> Exchange? {
        let able = able
        let total = able.map { weights[$0] ?? 0 }.saturatingSum
        guard able.count > 1, total > 0 else { return nil }
        let mean = total / UInt64(able.count)
        let fifth = mean / 5
        let idle = able.filter { weights[$0] ?? 0 < mean - fifth }
        let heavy = able.filter { weights[$0] ?? 0 > mean.saturatingAdding(fifth) }
        guard !idle.isEmpty || !heavy.isEmpty else { return nil }
        let light = able.filter { weights[$0] ?? 0 < mean }
        let joined = able.count { weights[$0] ?? 0 < mean / 2 }
        let largest = view.shards.map(\.weight).max() ?? 0
        let (share, isLarge) = mean.multipliedReportingOverflow(by: UInt64(max(1, joined)))
        return Exchange(
            mean: mean, givers: Set(idle.isEmpty ? heavy : able),
            takers: Set(idle.isEmpty ? light : idle), isGenerous: !idle.isEmpty,
            budget: (isLarge ? .max : share).saturatingAdding(max(total / 50, largest / 2)))
    }

    /// The next replica that goes from a heavy worker to a light one.
    private func next(_ exchange: Exchange) -> (Int, WorkerID, WorkerID)? {
        let weighed = able.map { (weight: weights[$0] ?? 0, worker: $0) }
            .sorted { ($0.weight, $0.worker) < ($1.weight, $1.worker) }
        let givers = weighed.filter {
            $0.weight > exchange.mean && exchange.givers.contains($0.worker)
                && !exchange.takers.contains($0.worker)
        }
        let takers = weighed.filter {
            $0.weight < exchange.mean && exchange.takers.contains($0.worker)
        }
        for (heavy, from) in givers.reversed() {
            for (light, to) in takers {
                let fitting = (held[from] ?? []).filter { number in
                    let weight = view.shards[number].weight
                    return weight <= exchange.budget
                        && fits(weight, heavy, light, exchange)
                        && mayTake(number, to) && mayLeave(number, from)
                }
                let surplus = heavy - exchange.mean
                if let best = best(of: fitting, near: surplus, exchange.mean, from, to) {
                    return (best, from, to)
                }
            }
        }
        return nil
    }

    /// Whether a replica of this weight brings its receiver nearer to the mean, and is worth it.
    private func fits(
        _ weight: UInt64, _ heavy: UInt64, _ light: UInt64, _ exchange: Exchange
    ) -> Bool {
        let half = weight / 2
        guard heavy - light > weight, exchange.isGenerous || heavy - half >= exchange.mean
        else { return false }
        return heavy - light - weight >= half
            && light.saturatingAdding(half) <= exchange.mean
    }

    /// Whether a replica may leave for balance: its shard has all it shall have, and nothing of it
    /// moves.
    private func mayLeave(_ number: Int, _ worker: WorkerID) -> Bool {
        let shard = view.shards[number]
        return !shard.isMoving && shard.replicas.allSatisfy(isSource)
            && !moved.contains(number)
            && shard.holders.count >= min(shard.copies, ableCount)
    }

    private func best(
        of fitting: Set<Int>, near surplus: UInt64, _ mean: UInt64, _ from: WorkerID,
        _ to: WorkerID
    ) -> Int? {
        let ranked = fitting.map { number -> (UInt64, Int, UInt64, Int) in
            let shard = view.shards[number]
            let index = shard.key.index
            let lead = (counts[from]?[index] ?? 0) - (counts[to]?[index] ?? 0)
            let miss = max(shard.weight, surplus) - min(shard.weight, surplus)
            return (miss / max(1, mean / 16), -lead, ~preference(shard, to), number)
        }
        return ranked.min(by: <)?.3
    }

    // MARK: bookkeeping

    private mutating func move(
        _ number: Int, from: WorkerID, to: WorkerID, because reason: ShardMove.Reason
    ) {
        let shard = view.shards[number]
        moved.insert(number)
        moves.append(
            ShardMove(
                shard: shard.key, from: from, to: to, reason: reason, bytes: shard.bytes,
                documents: shard.documents))
        storedBytes = storedBytes >= shard.bytes ? storedBytes - shard.bytes : 0
        hold(number, on: to)
        held[from]?.remove(number)
        counts[from]?[shard.key.index, default: 1] -= 1
        weights[from] = (weights[from] ?? 0) - min(weights[from] ?? 0, shard.weight)
        loads[from]?.replicasAfter -= 1
        let bytes = loads[from]?.bytesAfter ?? 0
        loads[from]?.bytesAfter = bytes - min(bytes, shard.bytes)
    }

    private mutating func hold(_ number: Int, on worker: WorkerID) {
        let shard = view.shards[number]
        if loads[worker] == nil {
            loads[worker] = Load(worker: PlacementView.Worker(worker, isLive: false))
        }
        held[worker, default: []].insert(number)
        counts[worker, default: [:]][shard.key.index, default: 0] += 1
        weights[worker] = (weights[worker] ?? 0).saturatingAdding(shard.weight)
        storedBytes = storedBytes.saturatingAdding(shard.bytes)
        let bytes = loads[worker]?.bytesAfter ?? 0
        loads[worker]?.bytesAfter = bytes.saturatingAdding(shard.bytes)
        loads[worker]?.replicasAfter += 1
    }

    private mutating func hinder(_ number: Int, _ worker: WorkerID, _ reason: String) {
        obstacles.append(
            Obstacle(shard: view.shards[number].key, worker: worker, reason: reason))
    }
}
