import FresnelModel
import FresnelQuery
import FresnelWire

// PLAN: what would move, and the operator's word that it shall. Answers wait until what they say is
// durable.

extension BrokerCore {
    /// Who can hold replicas, and who holds which.
    ///
    /// - Parameter drained: the workers that are to be taken as drained; nil for those that are.
    func placementView(drained: [WorkerID]? = nil) -> PlacementView {
        let drained = Set(drained ?? state.drained)
        var names = Set(members.map(\.worker)).union(drained)
        for index in state.indexes { names.formUnion(index.placedWorkers) }
        let view = names.map { worker in
            PlacementView.Worker(
                worker, isLive: isLive(worker), isDrained: drained.contains(worker))
        }
        let shards = state.indexes.flatMap { index -> [PlacementView.Shard] in
            let leftovers = state.names.holders(of: index.name)
            return index.shards.indices.map { number -> PlacementView.Shard in
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                let shard = index.shards[number]
                let known = shard.replicas.lazy.filter(\.isInSync).compactMap {
                    workers.lastInventory(of: key, on: $0.worker)
                }.first
                return PlacementView.Shard(
                    key, replicas: shard.replicas, copies: Int(index.replication),
                    removing: Set(shard.dropped.map(\.worker)).union(leftovers),
                    bytes: known?.storedBytes ?? 0, documents: known?.documents ?? 0)
            }
        }
        return PlacementView(workers: view, shards: shards)
    }

    private func isLive(_ worker: WorkerID) -> Bool {
        guard let entry = workers[worker], !unknown.isForeign(worker) else { return false }
        return sessions[entry.session]?.isWhole == true && !entry.isSuspect
    }

    /// Answers PLAN, and carries it out.
    mutating func plan(
        _ request: WirePlanRequest, _ envelope: Envelope, for session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        if let refusal = refusal(of: request) {
            return refuse(refusal.code, refusal.text, of: envelope, to: session.id)
        }
        let worker = WorkerID(request.worker)
        var drained = Set(state.drained)
        if request.action == .drain { drained.insert(worker) }
        if request.action == .undrain { drained.remove(worker) }
        let isBalancing = request.action == .show || request.action == .rebalance
        let plan = PlacementPlan(
            of: placementView(drained: drained.sorted()), isBalancing: isBalancing)
        let reply = Message(envelope.reply, .planReply(self.reply(plan)))
        guard !request.dryRun, request.action != .show else { return send(reply, to: session.id) }
        if let refusal = unwrittenStart(at: moment) {
            return refuse(refusal, of: envelope, to: session.id)
        }
        guard moves.answers.count < Limits.plannedAnswers else {
            return refuse(
                .busy, "\(moves.answers.count) plans wait for the broker's disk", of: envelope,
                to: session.id, retryAfter: .milliseconds(200))
        }
        var effects = mark(drained, because: request)
        if request.action == .drain { effects += dismissUnknown(of: worker) }
        if request.action == .undrain { effects += cancelMoves(from: worker) }
        begin(plan.moves)
        moves.answers.append(
            MoveTable.Answer(version: state.version, session: session.id, message: reply))
        return effects + answerPlans(at: moment)
    }

    /// Notes who is drained, where that has changed.
    private mutating func mark(
        _ drained: Set<WorkerID>, because request: WirePlanRequest
    ) -> [BrokerEffect] {
        guard drained.sorted() != state.drained else { return [] }
        state.drain(drained)
        structureVersion = state.version
        mayLackReplicas = true
        moves.empty = moves.empty.intersection(drained)
        let change = request.action == .drain ? "is to be drained" : "is not drained any more"
        return [.log(.information, "worker \(request.worker) \(change)")]
    }

    /// Why PLAN is not carried out; nil when it is.
    private func refusal(of request: WirePlanRequest) -> (code: ErrorCode, text: String)? {
        let worker = WorkerID(request.worker)
        switch request.action {
        case .show, .rebalance: return nil
        case .drain: return refusalToDrain(worker)
        case .undrain:
            guard !state.drained.contains(worker) else { return nil }
            return (
                .unknownWorker,
                "worker \(request.worker.debugDescription) is not drained; "
                    + "\(Self.list(state.drained)) drained" + near(worker, state.drained)
            )
        case .unspecified, .UNRECOGNIZED:
            return (.invalidArgument, "a plan is to show, rebalance, drain or undrain")
        }
    }

    /// Gives the answers whose changes are durable.
    mutating func answerPlans(at moment: Moment) -> [BrokerEffect] {
        let durable = moves.answers.filter { $0.version <= persistedVersion }
        moves.answers.removeAll { $0.version <= persistedVersion }
        return durable.flatMap { send($0.message, to: $0.session) }
    }

    /// Why a worker cannot be drained; nil when it can, or is already.
    private func refusalToDrain(_ worker: WorkerID) -> (code: ErrorCode, text: String)? {
        guard !state.drained.contains(worker) else { return nil }
        let view = placementView()
        let known = view.workers.map(\.worker)
        let isOwed = workers[worker] == nil && unknown.isOwed(by: worker)
        guard known.contains(worker) || isOwed else {
            return (
                .unknownWorker,
                "there is no worker \(worker.name.debugDescription); \(Self.list(known)) known"
                    + near(worker, known)
            )
        }
        guard state.drained.count < Limits.drainedWorkers else {
            return (.tooMany, "\(Limits.drainedWorkers) workers are drained, the most there may be")
        }
        // Nothing moves away from one that has nothing that is known.
        if isOwed, !known.contains(worker) { return nil }
        let others = view.workers.filter { $0.isAble && $0.worker != worker }.map(\.worker)
        let copies = Int(state.indexes.map(\.replication).max() ?? 1)
        guard others.count >= copies else {
            return (
                .tooFewWorkers,
                "without worker \(worker) \(Self.list(others)) left for \(copies) "
                    + "\(copies == 1 ? "copy" : "copies") of each shard; start another worker first"
            )
        }
        return lostShard(of: worker, in: view).map { (.shardUnavailable, $0) }
    }

    /// A shard that only a worker which is away holds whole.
    private func lostShard(of worker: WorkerID, in view: PlacementView) -> String? {
        let live = Set(view.workers.filter(\.isLive).map(\.worker))
        let lost = view.shards.first { shard in
            shard.replicas.contains { $0.worker == worker }
                && !shard.replicas.contains { $0.isInSync && live.contains($0.worker) }
        }
        return lost.map {
            "worker \(worker) cannot be drained: nobody who is here has shard "
                + "\($0.key.shard.number) of index \($0.key.index) whole; bring back the worker "
                + "that has it"
        }
    }

    /// The worker that was probably meant, where more than one is listed.
    ///
    /// Another number is another worker, and no slip.
    private func near(_ worker: WorkerID, _ workers: some Collection<WorkerID>) -> String {
        let letters = { (name: String) in name.utf8.filter { !(0x30...0x39).contains($0) } }
        let typed = letters(worker.name)
        let others = workers.map(\.name).filter { letters($0) != typed }
        guard workers.count > 1, let name = NearestName.find(worker.name, among: others) else {
            return ""
        }
        return "; did you mean \(name)"
    }

    /// `worker a, b are`, for the middle of a sentence.
    private static func list(_ workers: [WorkerID]) -> String {
        guard let first = workers.first else { return "none is" }
        guard workers.count > 1 else { return "\(first) is" }
        let names = workers.prefix(8).map(\.name).joined(separator: ", ")
        return workers.count > 8 ? "\(names) and \(workers.count - 8) more are" : "\(names) are"
    }

    private func reply(_ plan: PlacementPlan) -> WirePlanReply {
        var reply = WirePlanReply()
        reply.moves = plan.moves.map(planned)
        reply.underWay = movesUnderWay
        reply.workers = plan.workers.map { load in
            var worker = WirePlannedWorker(load)
            worker.state = sessionState(of: load.worker.worker)
            return worker
        }
        reply.obstacles = plan.obstacles.map { obstacle in
            var wire = WireMoveObstacle()
            wire.index = obstacle.shard.index
            wire.shard = obstacle.shard.shard.number
            wire.worker = obstacle.worker.name
            wire.message = obstacle.reason
            return wire
        }
        reply.moveCount = UInt32(plan.moves.count)
        reply.moveBytes = plan.movedBytes
        reply.storedBytes = plan.storedBytes
        return reply
    }

    private var movesUnderWay: [WirePlannedMove] {
        placementView().shards.compactMap { shard in
            guard let old = shard.replicas.first(where: { $0.successor != nil }),
                let successor = old.successor
            else { return nil }
            let reason: ShardMove.Reason =
                state.drained.contains(old.worker) ? .drain : .balance
            return planned(
                ShardMove(
                    shard: shard.key, from: old.worker, to: successor, reason: reason,
                    bytes: shard.bytes, documents: shard.documents))
        }
    }

    private func planned(_ move: ShardMove) -> WirePlannedMove {
        var planned = WirePlannedMove(move)
        planned.waiting = obstacle(to: move)
        planned.sourceless = lacksSource(move)
        return planned
    }

    /// What keeps a move from going on now; empty when nothing does.
    private func obstacle(to move: ShardMove) -> String {
        let name = ReplicaName(shard: move.shard, worker: move.to)
        switch sessionState(of: move.to) {
        case "lost":
            return "worker \(move.to), which gets it, is away: start it, or `fresnel drain "
                + "\(move.to)` to send it elsewhere"
        case "suspect": return "worker \(move.to), which gets it, does not answer"
        default: break
        }
        guard !lacksSource(move) else {
            let placed = state.index(named: move.shard.index)?[move.shard.shard]?.first?.worker
            return "nobody who is here can give it: "
                + workers.absence(of: move.shard, placed: placed ?? move.from)
        }
        return catchUps[name]?.failure ?? proofObstacle(to: move)
    }

    /// Whether the target has to be made equal to somebody, and nobody who is here has the shard.
    private func lacksSource(_ move: ShardMove) -> Bool {
        let shard = state.index(named: move.shard.index)?[move.shard.shard]
        return shard?.replica(on: move.to)?.isInSync != true
            && openReplicas(of: move.shard).isEmpty
    }

    /// `live`, `suspect` or `lost`.
    func sessionState(of worker: WorkerID) -> String {
        guard let entry = workers[worker] else { return "lost" }
        return entry.isSuspect ? "suspect" : "live"
    }
}

extension WirePlannedMove {
    fileprivate init(_ move: ShardMove) {
        self.init()
        index = move.shard.index
        shard = move.shard.shard.number
        from = move.from.name
        to = move.to.name
        bytes = move.bytes
        documents = move.documents
        reason =
            switch move.reason {
            case .drain: .drain
            case .balance: .balance
            }
    }
}

extension WirePlannedWorker {
    fileprivate init(_ load: PlacementPlan.Load) {
        self.init()
        name = load.worker.worker.name
        drained = load.worker.isDrained
        able = load.worker.isAble
        replicasBefore = UInt32(load.replicasBefore)
        replicasAfter = UInt32(load.replicasAfter)
        bytesBefore = load.bytesBefore
        bytesAfter = load.bytesAfter
    }
}
