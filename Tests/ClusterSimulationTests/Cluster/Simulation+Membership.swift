@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// Workers that join and are drained while clients ask and write, and what must hold of replicas
// that move and that are removed.

/// How the workers of a simulation change.
enum Membership {
    /// Not at all.
    case fixed
    /// Workers join and are drained, and everything else goes wrong as well.
    case changing
    /// The same, and nothing goes wrong.
    case undisturbed
}

/// What an operator does.
enum MembershipChange: Hashable, CaseIterable {
    case join
    case rebalance
    case drain
    case undrain
}

extension Simulation.Shape {
    /// Whether nothing goes wrong while workers come and go.
    var isUndisturbed: Bool { membership == .undisturbed }

    mutating func change(_ membership: Membership, _ dice: inout SplitMix64) {
        self.membership = membership
        guard membership != .fixed else { return }
        replication = UInt32(dice.element(of: [1, 1, 2, 2, 3]))
        workers = dice.number(in: 1...4)
        unrest = dice.milliseconds(4_000...14_000)
        hasMisfortunes = membership == .changing
    }
}

extension Simulation {
    /// Decides when the operator does what.
    mutating func planMembership() {
        guard shape.membership != .fixed else { return }
        let end = Int(shape.unrest.wholeNanoseconds / 1_000_000)
        var changes: [MembershipChange] = [.join, .rebalance, .drain]
        for _ in 0..<fate.below(4) { changes.append(fate.element(of: MembershipChange.allCases)) }
        for change in changes {
            agenda.add(.membership(change), at: now + fate.milliseconds(300...end))
        }
    }

    mutating func carryOut(_ change: MembershipChange) {
        guard !isCalm else { return }
        trace.note(now, "the operator: \(change)")
        tally.membership[change, default: 0] += 1
        switch change {
        case .join:
            workers.append(SimulatedWorker(name: WorkerID("worker\(workers.count)")))
            start(.worker(workers.count - 1))
        case .rebalance: ask(.rebalance)
        case .drain: ask(.drain, of: fate.element(of: workers).name)
        case .undrain:
            guard let drained = broker.core?.state.drained, !drained.isEmpty else { return }
            ask(.undrain, of: fate.element(of: drained))
        }
    }

    private mutating func ask(_ action: WirePlanAction, of worker: WorkerID? = nil) {
        let number = fate.below(clients.count)
        let id = newRequest(number)
        var request = WirePlanRequest()
        request.action = action
        request.worker = worker?.name ?? ""
        clients[number].plans.insert(id)
        tell(number, client: .plan(id, request, budget: .seconds(20)))
    }

    /// Takes in the epochs of an ASSIGN, of which older drops mean nothing.
    mutating func noteEpochs(_ assignment: WireIndexAssignment, _ number: Int) {
        for (shard, epoch) in zip(assignment.shards, assignment.epochs) {
            let key = ShardKey(index: assignment.index, shard: ShardID(shard))
            workers[number].assigned[key] = Epoch(epoch)
        }
    }

    /// Removes a replica, as it was ordered, or says why not.
    mutating func finishDrop(_ order: WireDropReplica, _ number: Int) {
        guard workers[number].core != nil else { return }
        // What waits was sent for the replicas as they were: one thread does both.
        while !workers[number].parts.isEmpty { journal(number) }
        let key = ShardKey(index: order.index, shard: ShardID(order.shard))
        let isStale = workers[number].assigned[key].map { $0 >= Epoch(order.epoch) } ?? false
        let isBroken = shape.hasMishaps && !isCalm && fate.chance(10)
        var state = WireReplicaState()
        state.index = order.index
        state.shard = order.shard
        state.epoch = order.epoch
        state.phase = .dropped
        if isStale || isBroken {
            state.phase = .failed
            state.failure = WireFailure(
                isStale ? .staleEpoch : .storageFailed, "the simulated disk refuses")
        } else if isOther(order, key, number) {
            state.phase = .failed
            state.failure = WireFailure(.wrongShard, "another index of that name is here")
        } else {
            if order.indexRemoved { workers[number].remember(removal: order) }
            setAside(order, key, number)
            expectEqual(to: workers[number].disk[key], order, key, number)
            workers[number].disk[key] = nil
            workers[number].lost[key] = nil
            workers[number].opened.remove(key)
            workers[number].missing.remove(key)
            workers[number].dropped.insert(key)
            tally.drops += 1
        }
        trace.note(now, "worker\(number) drops \(key): \(state.phase)")
        let at = max(now, workers[number].lastReport) + .microseconds(100)
        workers[number].lastReport = at
        let message = Message(Envelope(), .replicaState(state))
        agenda.add(.told(worker: number, boot: workers[number].boot, message), at: at)
    }

    // MARK: invariants

    /// The last good copy of a shard is not removed, whatever a worker says of its own.
    private mutating func expectEqual(
        to former: StoredShard?, _ order: WireDropReplica, _ key: ShardKey, _ number: Int
    ) {
        // What is left of a removed index is no copy of the one that has its name.
        guard shape.replication == 1, let former, former.stain == 0, former.lastSequence > .zero,
            let index = broker.core?.state.index(named: key.index),
            index.identity.mayBe(DropTarget(order).index), let shard = index[key.shard]
        else { return }
        let isElsewhere = workers.contains { worker in
            worker.name != workers[number].name && shard.replica(on: worker.name)?.isInSync == true
                && (worker.disk[key] ?? worker.lost[key])?.stain == 0
        }
        guard !isElsewhere else { return }
        violate(.writesKept, "\(workers[number].name) removes the last good copy of \(key)")
    }

    /// Whether a query that is asked now must be answered whole, whatever happens.
    var isSafeToAsk: Bool {
        if shape.isUndisturbed { return wasWhole }
        return shape.losesOneWorker && isInSync && hasEveryIndex
    }

    /// While nothing goes wrong, a shard that could be searched can be.
    mutating func checkCoverage(_ core: BrokerCore) {
        guard shape.isUndisturbed, hasEveryIndex else { return }
        let isWhole = core.hasEveryShard
        if wasWhole, !isWhole { violate(.movesUnnoticed, "a shard cannot be searched") }
        wasWhole = isWhole
    }

    /// Nobody is asked for what it removed.
    mutating func checkDropped(_ subquery: WireSubquery, _ number: Int) {
        for target in subquery.targets {
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            guard workers[number].dropped.contains(key) else { continue }
            violate(.droppedSilent, "worker\(number) is asked for \(key), which it removed")
        }
    }

    /// Whether every move has come to its end, and nothing is left on drained workers.
    var hasMoved: Bool {
        guard let state = broker.core?.state else { return false }
        return state.indexes.flatMap(\.shards).allSatisfy { shard in
            shard.moving == nil && shard.dropped.isEmpty
                && !shard.replicas.contains { state.drained.contains($0.worker) }
        }
    }

    /// A disk holds what the broker knows of, and nothing else.
    mutating func expectNothingDropped() {
        guard shape.membership != .fixed, let core = broker.core else { return }
        tally.finishedMoves += Int(core.counters.finishedMoves)
        for worker in workers {
            for key in worker.disk.keys.sorted() {
                let shard = core.state.index(named: key.index)?[key.shard]
                guard shard?.replica(on: worker.name) == nil else { continue }
                violate(.restReached, "\(worker.name) still has \(key), which left it")
            }
        }
    }
}
