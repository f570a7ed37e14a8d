import FresnelModel
import FresnelWire

// Replicas that go from one worker to another. A move is a new replica, which is copied and joins
// like any other (BrokerCore+CatchUp), and an old one that names it as its successor. Once the new
// one is in sync, durably, can be searched, and both proved that they contain the same
// (BrokerCore+Proofs), the old one leaves with a new epoch; once that is
// durable, and no query is to be answered from it any more, its worker is told to remove it, again
// and again until it says that it has. All of that stands in the cluster state.

extension BrokerCore {
    /// Goes on with every move, as far as it can.
    mutating func advanceMoves(at moment: Moment) -> [BrokerEffect] {
        guard isReady, persistedVersion >= structureVersion else { return [] }
        moves.read(state)
        var effects: [BrokerEffect] = []
        for key in moves.busy {
            effects += finishMove(of: key, at: moment)
            effects += tellToDrop(key, at: moment)
        }
        return effects + emptyDrained(at: moment) + noteImbalance(at: moment)
    }

    /// Begins the moves of a plan.
    mutating func begin(_ plan: [ShardMove]) {
        for name in Set(plan.map(\.shard.index)) {
            guard var index = state.index(named: name) else { continue }
            for move in plan where move.shard.index == name {
                index.shards[Int(move.shard.shard.number)].move(from: move.from, to: move.to)
            }
            state.change(index)
        }
        guard !plan.isEmpty else { return }
        counters.begunMoves += UInt64(plan.count)
        structureVersion = state.version
    }

    /// Takes out a replica whose successor is in sync, or a successor that is drained itself.
    mutating func finishMove(of key: ShardKey, at moment: Moment) -> [BrokerEffect] {
        guard let shard = state.index(named: key.index)?[key.shard], let old = shard.moving,
            let successor = old.successor
        else { return [] }
        guard let new = shard.replica(on: successor), new.isInSync else {
            let isWanted = !state.drained.contains(successor)
            return isWanted ? [] : remove(successor, from: key, because: "its worker is drained")
        }
        // Who copies from it goes on first.
        guard searchableReplicas(of: key).contains(where: { $0.worker == successor }),
            !catchUps.isDonor(old.worker, of: key)
        else { return [] }
        // That it has everything was its worker's word, in a former process or an older broker's.
        let name = ReplicaName(shard: key, worker: successor)
        guard proofs.isProven(name, new.identity) else { return prove(name, at: moment) }
        // Which of those that differ is right is not known yet: it may be the one that would go.
        guard doubt(of: key) == nil else { return [] }
        counters.finishedMoves += 1
        return remove(old.worker, from: key, because: "worker \(successor) has it now")
    }

    /// Takes a replica out of its shard for good, and of everything that is known of it.
    private mutating func remove(
        _ worker: WorkerID, from key: ShardKey, because reason: String
    ) -> [BrokerEffect] {
        let number = Int(key.shard.number)
        guard var index = state.index(named: key.index), index[key.shard] != nil,
            index.shards[number].remove(worker)
        else { return [] }
        state.change(index)
        structureVersion = state.version
        let name = ReplicaName(shard: key, worker: worker)
        let withdrawal = end(name)
        catchUps[name] = nil
        outOfStep[name] = nil
        proofs.forget(name)
        comparisons.forget(name)
        unsavedIdentities[name] = nil
        workers[worker]?.whole[key] = nil
        workers[worker]?.waiting[key] = nil
        workers[worker]?.behind[key] = nil
        workers[worker]?.refused[key] = nil
        writes.exclude(worker, from: key, version: state.version)
        writes.keepBacklog(of: key, catchUps.concerns(key))
        return withdrawal + [
            .log(
                .information,
                "shard \(key.shard.number) of index \(key.index) leaves worker \(worker): \(reason)"
                    + "; epoch \(index.shards[number].epoch.value)")
        ]
    }

    /// Cancels the moves away from a worker whose new replicas are not in sync yet.
    mutating func cancelMoves(from worker: WorkerID) -> [BrokerEffect] {
        moves.read(state)
        return moves.busy.flatMap { key -> [BrokerEffect] in
            guard let shard = state.index(named: key.index)?[key.shard],
                let successor = shard.replica(on: worker)?.successor,
                shard.replica(on: successor)?.isInSync == false
            else { return [] }
            return remove(successor, from: key, because: "its move was taken back")
        }
    }

    // MARK: removal

    /// Tells workers that are here to remove what left a shard.
    private mutating func tellToDrop(_ key: ShardKey, at moment: Moment) -> [BrokerEffect] {
        guard persistedVersion >= structureVersion, let index = state.index(named: key.index),
            let shard = index[key.shard]
        else { return [] }
        var effects: [BrokerEffect] = []
        for drop in shard.dropped {
            guard isHere(drop.worker), let session = workers[drop.worker]?.session,
                sessions[session]?.isWhole == true
            else { continue }
            let name = ReplicaName(shard: key, worker: drop.worker)
            let since = moves.waits[name] ?? moment.instant
            moves.waits[name] = since
            let isAsked = queries.asks(drop.worker, for: key) || tails.asks(drop.worker, for: key)
            guard !isAsked || moment.instant - since >= Limits.dropPatience else { continue }
            if let told = moves.told[name], moment.instant - told < Limits.dropRetry { continue }
            moves.told[name] = moment.instant
            let order = ReplicaOrder.drop(
                shard: key, epoch: drop.epoch, target: DropTarget(index: index.identity))
            effects += send(Message(Envelope(), order.command), to: session)
        }
        return effects
    }

    /// Takes in that a replica was removed, or could not be; nil for what is said of copies.
    mutating func noteDrop(
        _ told: WireReplicaState, from worker: WorkerID
    ) -> [BrokerEffect]? {
        guard told.ticketHigh == 0, told.ticketLow == 0 else { return nil }
        if let removal = noteRemoval(told, from: worker) { return removal }
        let key = ShardKey(index: told.index, shard: ShardID(told.shard))
        guard var index = state.index(named: key.index), let shard = index[key.shard],
            let drop = shard.dropped.first(where: { $0.worker == worker }),
            drop.epoch.value == told.epoch
        else { return [] }
        guard told.phase == .dropped else {
            let text =
                "worker \(worker) cannot remove its replica of shard \(told.shard) of index "
                + "\(told.index), which it is to do again: \(told.failure.message)"
            return told.phase == .failed ? [.log(.warning, text)] : []
        }
        index.shards[Int(told.shard)].forget(dropped: worker, at: drop.epoch)
        state.change(index)
        let name = ReplicaName(shard: key, worker: worker)
        moves.told[name] = nil
        moves.waits[name] = nil
        unknown.forget(key, on: worker)
        counters.droppedReplicas += 1
        // Its worker can be given the shard again.
        mayLackReplicas = true
        return []
    }

    // MARK: drained workers

    /// Moves what drained workers hold, about once a second, and says when nothing is left.
    private mutating func emptyDrained(at moment: Moment) -> [BrokerEffect] {
        guard !state.drained.isEmpty, moment.instant >= moves.drainDueAt,
            persistedVersion >= structureVersion
        else { return [] }
        moves.drainDueAt = moment.instant + .seconds(1)
        begin(PlacementPlan(of: placementView(), isBalancing: false).moves)
        var effects: [BrokerEffect] = []
        let shards = state.indexes.flatMap(\.shards)
        let holding = Set(shards.flatMap { $0.replicas.map(\.worker) })
        let removing = Set(shards.flatMap { $0.dropped.map(\.worker) })
            .union(state.names.removed.flatMap { $0.replicas.map(\.worker) })
        for worker in state.drained {
            // One that is gone removes nothing, and nobody needs what it has.
            let isHere = isHere(worker)
            guard !holding.contains(worker), !isHere || !removing.contains(worker) else {
                moves.empty.remove(worker)
                continue
            }
            guard moves.empty.insert(worker).inserted else { continue }
            effects.append(
                .log(
                    .information,
                    isHere
                        ? "worker \(worker) is drained: nothing is left on it; end it"
                        : "worker \(worker) is drained and away: nothing of it is needed any more"))
        }
        return effects
    }

    /// Says once, after a worker came, that others hold more than it.
    private mutating func noteImbalance(at moment: Moment) -> [BrokerEffect] {
        guard let due = moves.planDueAt, moment.instant >= due else { return [] }
        moves.planDueAt = nil
        let plan = PlacementPlan(of: placementView(), isBalancing: true)
        let count = plan.moves.count { $0.reason == .balance }
        guard count > 0 else { return [] }
        return [
            .log(
                .information,
                "the workers are not balanced: replicas that would move: \(count), "
                    + "\(plan.movedBytes >> 20) MiB; "
                    + "`fresnel plan` shows them, `fresnel rebalance` moves them")
        ]
    }
}
