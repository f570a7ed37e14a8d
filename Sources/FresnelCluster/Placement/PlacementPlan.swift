package import FresnelModel

// Which replicas go where. First everything leaves drained workers, the largest replicas first, each
// to the worker that holds the least. Then, where that is asked for, workers above the mean give to
// workers below it, as long as a move brings both nearer to the mean and makes the two a quarter of
// its own size more alike: so equal workers are left alone, although no two replicas are of one size.
//
// A worker that joins n equal ones gets replicas until it has its share, and nobody else does: a
// (n+1)th of the data moves, and at most half a replica more. What moves is chosen by rendezvous
// hashing among replicas of about one size, indexes that are the most unequal first.

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
    /// The shards that the moves so far concern: one move a shard at a time.
    private var moved: Set<Int> = []
    private let view: PlacementView

    /// - Parameter isBalancing: whether workers that are not drained give as well.
    package init(of view: PlacementView, isBalancing: Bool) {
        self.view = view
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
                    "its only replica in sync is on a worker that is away; bring that one back")
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

    private mutating func balance() {
        let able = able
        guard able.count > 1 else { return }
        let mean = able.map { weights[$0] ?? 0 }.saturatingSum / UInt64(able.count)
        while moves.count < Limits.plannedMoves, let (number, from, to) = next(able, mean) {
            move(number, from: from, to: to, because: .balance)
        }
    }

    /// The next replica that goes from a heavy worker to a light one.
    private func next(_ able: [WorkerID], _ mean: UInt64) -> (Int, WorkerID, WorkerID)? {
        let weighed = able.map { (weight: weights[$0] ?? 0, worker: $0) }.sorted(by: <)
        for (heavy, from) in weighed.reversed() where heavy > mean {
            for (light, to) in weighed where light < mean && heavy - light > mean / 10 {
                let fitting = (held[from] ?? []).filter { number in
                    fits(view.shards[number].weight, heavy, light, mean)
                        && mayTake(number, to) && mayLeave(number, from)
                }
                if let best = best(of: fitting, from, to) { return (best, from, to) }
            }
        }
        return nil
    }

    /// Whether a replica of this weight brings both workers nearer to the mean, and is worth it.
    private func fits(
        _ weight: UInt64, _ heavy: UInt64, _ light: UInt64, _ mean: UInt64
    ) -> Bool {
        let half = weight / 2
        guard heavy - light > weight, heavy - half >= mean else { return false }
        return heavy - light - weight >= weight / 4 && light.saturatingAdding(half) <= mean
    }

    /// Whether a replica may leave for balance: its shard has all it shall have, and nothing of it
    /// moves.
    private func mayLeave(_ number: Int, _ worker: WorkerID) -> Bool {
        let shard = view.shards[number]
        return !shard.isMoving && shard.replicas.allSatisfy(isSource)
            && !moved.contains(number)
    }

    private func best(of fitting: Set<Int>, _ from: WorkerID, _ to: WorkerID) -> Int? {
        let ranked = fitting.map { number -> (Int, Int, UInt64, Int) in
            let shard = view.shards[number]
            let index = shard.key.index
            let lead = (counts[from]?[index] ?? 0) - (counts[to]?[index] ?? 0)
            let size = UInt64.bitWidth - shard.weight.leadingZeroBitCount
            return (size, lead, preference(shard, to), -number)
        }
        return ranked.max(by: <).map { -$0.3 }
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
