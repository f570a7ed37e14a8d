import FresnelKernels
import FresnelModel
import FresnelWire

// Replicas that are not in sync: each is made equal to one that is, worker to worker, follows the
// parts of the broker, and joins. The broker only says who reads from whom, and under which ticket.

extension BrokerCore {
    /// Takes in a replica that is open and not in sync.
    mutating func takeBehind(
        _ shard: WireShardInventory, as key: ShardKey, on worker: WorkerID
    ) {
        workers[worker]?.behind[key] = shard
        workers[worker]?.whole[key] = nil
        workers[worker]?.waiting[key] = nil
        workers[worker]?.clearFaults(of: key)
    }

    /// Orders copies, orders those anew that stand still, and forgets those of workers that went.
    mutating func advanceCatchUps(at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for (name, state) in catchUps.entries.sorted(by: { $0.key < $1.key }) {
            guard workers[name.worker]?.behind[name.shard] != nil else {
                effects += end(name)
                catchUps[name] = nil
                writes.keepBacklog(of: name.shard, catchUps.concerns(name.shard))
                continue
            }
            switch state.phase {
            case .ordered, .following:
                let isDonorHere = workers[state.donor]?.whole[name.shard] != nil
                let isLate = moment.instant - state.heardAt >= Limits.replicaStandstill
                guard isLate || (state.phase == .ordered && !isDonorHere) else { continue }
                effects += rest(
                    name, because: isLate ? "it stood still" : "its donor went", at: moment)
            case .resting(let until):
                guard moment.instant >= until else { continue }
                catchUps[name] = nil
            }
        }
        for entry in workers.all where sessions[entry.session]?.isWhole == true && !entry.isSuspect
        {
            for key in entry.behind.keys.sorted() {
                effects += order(ReplicaName(shard: key, worker: entry.worker), at: moment)
            }
        }
        return effects
    }

    /// Tells a donor and the receiver to copy, if both have room.
    private mutating func order(_ name: ReplicaName, at moment: Moment) -> [BrokerEffect] {
        let (worker, now) = (name.worker, moment.instant)
        guard catchUps[name] == nil, catchUps.copies(of: worker, at: now) < Limits.replicaCopies,
            let index = state.index(named: name.shard.index), !unknown.isRevived(index),
            let shard = index[name.shard.shard],
            let replica = shard.replica(on: worker), !replica.isInSync,
            persistedVersion >= structureVersion
        else { return [] }
        let all = openReplicas(of: name.shard)
        // One that could not give it is asked again only where there is no other one.
        let others = all.filter { $0.worker != failedDonors[name] }
        let donor = (others.isEmpty ? all : others).min {
            catchUps.copies(of: $0.worker, at: now) < catchUps.copies(of: $1.worker, at: now)
        }
        guard let donor, catchUps.copies(of: donor.worker, at: now) < Limits.replicaCopies,
            let donorEntry = workers[donor.worker]
        else { return [] }
        let ticket = drawTicket()
        let offer = ReplicaOrder.Offer(
            index: index.identity, shard: name.shard, epoch: shard.epoch, ticket: ticket,
            receiver: worker, bytesPerSecond: settings.replicaBytesPerSecond)
        var catchUp = ReplicaOrder.CatchUp(
            index: index.identity, shard: name.shard, epoch: shard.epoch, ticket: ticket,
            donorEndpoint: donorEntry.transferEndpoint, donor: donor.worker,
            donorIdentity: donor.identity)
        let found = ReplicaIdentity(workers[worker]?.behind[name.shard]?.identity ?? 0)
        // Once a copy took its place, it is another directory, and what was wrong is gone.
        let isOriginal = found == replica.identity
        catchUp.isAfresh =
            replica.departure.needsWholeCopy && isOriginal || proofs.isWrong(name, found)
        catchUp.keepsReplaced =
            isOriginal
            ? replica.departure.mayHoldMore
            : isStranger(found, to: replica, as: name)
        catchUp.leastSequence = writes.acknowledgedSequence(of: name.shard)
        catchUps[name] = CatchUpState(
            phase: .ordered, donor: donor.worker, ticket: ticket, offer: offer, order: catchUp,
            heardAt: now, movedAt: now)
        writes.keepBacklog(of: name.shard, true)
        return send(.offer(offer), to: donor.worker) + send(.catchUp(catchUp), to: worker)
    }

    /// Whether what lies in a replica's place is neither the known one nor a copy of this process:
    /// a directory that somebody put there, whose documents may be nowhere else.
    private func isStranger(
        _ found: ReplicaIdentity, to replica: ReplicaState, as name: ReplicaName
    ) -> Bool {
        guard let entry = workers[name.worker] else { return false }
        return found != .unknown && replica.identity != .unknown
            && found != entry.copied[name.shard]
            && entry.behind[name.shard]?.lastSequence ?? 0 > 0
    }

    /// Takes in how a copy goes on.
    mutating func note(
        _ progress: ReplicaProgress, from worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        let name = ReplicaName(shard: progress.shard, worker: worker)
        guard var entry = catchUps[name], entry.ticket == progress.ticket, entry.isUnderWay,
            progress.lastSequence.value < WireShardInventory.implausible
        else { return [] }
        entry.note(progress, at: moment.instant)
        catchUps[name] = entry
        switch progress.phase {
        case .copying: return []
        case .failed:
            return rest(
                name, because: progress.failure ?? "its worker does not say why", at: moment)
        case .tailing: return []
        case .caughtUp:
            workers[worker]?.behind[progress.shard]?.lastSequence = progress.lastSequence.value
            if progress.identity != .unknown {
                workers[worker]?.behind[progress.shard]?.identity = progress.identity.value
                workers[worker]?.copied[progress.shard] = progress.identity
            }
            guard entry.phase == .ordered,
                let replica = state.index(named: progress.shard.index)?[progress.shard.shard]?
                    .replica(on: worker)
            else { return [] }
            let actions = writes.follow(
                progress.shard, on: worker, after: progress.lastSequence, epoch: replica.since)
            guard writes.shards[progress.shard]?.lanes[worker] != nil else {
                // More was settled meanwhile than is kept: the donor has it.
                catchUps[name]?.phase = .resting(until: moment.instant)
                return perform(actions, at: moment)
            }
            catchUps[name]?.phase = .following
            return perform(actions, at: moment)
        }
    }

    /// A replica that followed cannot go on: it begins again with its donor.
    mutating func fallBehind(
        _ name: ReplicaName, because reason: String, at moment: Moment
    ) -> [BrokerEffect] {
        guard catchUps[name]?.phase == .following else { return [] }
        return rest(name, because: reason, at: moment)
    }

    /// Ends a try; another one begins after a while.
    private mutating func rest(
        _ name: ReplicaName, because reason: String, at moment: Moment
    ) -> [BrokerEffect] {
        let effects = end(name)
        let donor = catchUps[name]?.donor
        counters.failedCopies += 1
        catchUps[name]?.phase = .resting(until: moment.instant + Limits.replicaRetry)
        catchUps[name]?.failure = reason
        writes.keepBacklog(of: name.shard, catchUps.concerns(name.shard))
        failedDonors[name] = donor
        // It is tried every few seconds: said once, until the reason is another one.
        guard failedCopies.updateValue(reason, forKey: name) != reason else { return effects }
        return effects + [
            .log(
                .warning,
                "shard \(name.shard.shard.number) of index \(name.shard.index): the replica of "
                    + "worker \(name.worker) could not be copied from worker "
                    + "\(donor?.name ?? ""): \(reason); it is tried again")
        ]
    }

    /// Withdraws the ticket of a try that ends.
    mutating func end(_ name: ReplicaName) -> [BrokerEffect] {
        writes.unfollow(name.shard, on: name.worker)
        guard let entry = catchUps[name], entry.isUnderWay else { return [] }
        var (offer, catchUp) = (entry.offer, entry.order)
        offer.isWithdrawn = true
        catchUp.isWithdrawn = true
        return send(.offer(offer), to: entry.donor) + send(.catchUp(catchUp), to: name.worker)
    }

    private mutating func drawTicket() -> TransferTicket {
        tokenCount += 1
        var writer = ByteWriter(capacity: 40)
        for number in [
            settings.identitySeed.high, settings.identitySeed.low, settings.secret, tokenCount,
        ] { writer.write(number) }
        let digest = Hash.digest(of: writer.bytes)
        return TransferTicket(high: digest.high, low: digest.low)
    }

    private mutating func send(_ order: ReplicaOrder, to worker: WorkerID) -> [BrokerEffect] {
        guard let session = workers[worker]?.session else { return [] }
        return send(Message(Envelope(), order.command), to: session)
    }
}
