import FresnelModel
import FresnelWire

// Moving: what a worker cannot answer any more is asked of other replicas, at the same sequence
// number (Documentation/decisions/0017-replicas.md). Every worker sends its hits in the order of
// their keys, so what arrived of a part stays, and the rest is asked for from behind the last key.
// The new part says what all of its shards found: counts, facets and the manifest are its own.

extension QueryStream {
    /// Who can search a shard now.
    typealias Replicas = (ShardKey) -> [ReplicaState]

    /// Asks for what is missing of an open part elsewhere; shards that nobody else has stay with
    /// the part.
    ///
    /// It is open while there are such, for the caller to close, who knows why.
    /// Returns nil, and nothing has changed, when no shard of it can be asked elsewhere.
    mutating func move(
        part number: Int, at now: Instant, _ replicas: Replicas
    ) -> [Action]? {
        guard plan.changes == nil, !plan.isRest, movedParts < Self.mostMoves, now < deadline,
            let page = pageOfRest(ofPart: number)
        else { return nil }
        let former = parts[number]
        let (byWorker, left) = Self.places(of: former, replicas)
        guard !byWorker.isEmpty else { return nil }
        movedParts += 1
        if awaitsOwnStatistics, byWorker.count > 1 || !left.isEmpty { countFirst(at: now) }
        var actions: [Action] = []
        for (worker, targets) in byWorker.sorted(by: { $0.key < $1.key }) {
            parts.append(rest(of: former, on: worker, targets, behind: page.position))
            best?.addPart()
            actions += askMoved(parts.count - 1, at: now)
        }
        parts[number].leave(left, at: now)
        if phase == .counting { parts[number].statistics = nil }
        return actions
    }

    /// Whether the query can begin again, without what was delivered: of a page that ends at its
    /// cursor, workers send the hits nearest to it, and how many precede those that arrived is not
    /// known elsewhere.
    func canRestart(withoutPart number: Int, at now: Instant, _ replicas: Replicas) -> Bool {
        plan.page?.isBackwards == true && plan.changes == nil && !plan.isRest
            && movedParts < Self.mostMoves && now < deadline
            && Self.places(of: parts[number], replicas).left.isEmpty
    }

    /// Who can be asked for the shards of a part instead of its worker, and what nobody else has.
    static func places(
        of part: QueryPart, _ replicas: Replicas
    ) -> (byWorker: [WorkerID: [SearchableShard]], left: [SearchableShard]) {
        var byWorker: [WorkerID: [SearchableShard]] = [:]
        var left: [SearchableShard] = []
        for target in part.targets {
            let key = ShardKey(index: target.index, shard: target.shard)
            let others = replicas(key).filter { $0.worker != part.worker }
            // Who has something to do anyway gets more of it, so that few are asked.
            let chosen = others.first { byWorker[$0.worker] != nil } ?? others.first
            guard let chosen else {
                left.append(target)
                continue
            }
            var moved = target
            moved.worker = chosen.worker
            moved.epoch = chosen.since
            byWorker[chosen.worker, default: []].append(moved)
        }
        return (byWorker, left)
    }

    /// The most parts of one query that are asked elsewhere.
    private static let mostMoves = 16

    /// Where the missing hits of a part lie; nil when that cannot be said.
    private func pageOfRest(ofPart number: Int) -> (position: PagePosition?, Void)? {
        let part = parts[number]
        guard part.receivedItems > 0 else { return (part.page, ()) }
        guard plan.page?.isBackwards != true, plan.ordersParts else { return nil }
        return (PagePosition(key: part.lastKey, isBackwards: false), ())
    }

    /// The part that goes on where another one stopped.
    private func rest(
        of former: QueryPart, on worker: WorkerID, _ targets: [SearchableShard],
        behind page: PagePosition?
    ) -> QueryPart {
        var part = QueryPart(
            worker: worker, targets: targets,
            phase: phase == .counting ? .counting : .streaming,
            window: Self.firstWindow(of: plan, bytes: windowBytes))
        part.page = page
        part.isResumed = former.isResumed || former.receivedItems > 0
        part.isConfirmed = former.isConfirmed || former.expectedSequence > 0
        part.threshold = nil
        return part
    }
}

extension QueryStream {
    /// Whether a worker was asked for a shard, and may be again.
    func asks(_ worker: WorkerID, for shard: ShardKey) -> Bool {
        parts.contains { part in
            part.worker == worker && !part.isWorkerLost
                && part.targets.contains { $0.index == shard.index && $0.shard == shard.shard }
        }
    }
}
