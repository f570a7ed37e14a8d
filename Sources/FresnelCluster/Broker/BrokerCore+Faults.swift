import FresnelModel
import FresnelWire

// Replicas that their workers have and nobody may ask: stale ones, which lack what was
// acknowledged, those that are missing or others than are known, and those that cannot be opened.
// Where another replica in sync is open, such a one leaves the set and is made equal to that; where
// it is the last, it keeps its place, and the operator is told.

extension BrokerCore {
    /// Writes down what is acknowledged, so that a broker that starts again knows it; at once when
    /// a worker goes, since its directory may be another one when it comes back.
    mutating func noteAcknowledged() {
        for index in state.indexes {
            var index = index
            guard updateAcknowledged(of: &index) else { continue }
            state.change(index)
        }
    }

    /// The same where the state is about to be written for another reason.
    mutating func noteAcknowledgedInPassing() {
        for number in state.indexes.indices { _ = updateAcknowledged(of: &state.indexes[number]) }
    }

    /// The same every now and then.
    mutating func noteAcknowledged(at moment: Moment) {
        guard moment.instant >= notesAcknowledgedAt else { return }
        notesAcknowledgedAt = moment.instant + Limits.acknowledgedNote
        noteAcknowledged()
    }

    private func updateAcknowledged(of index: inout IndexState) -> Bool {
        var isNew = false
        for number in index.shards.indices {
            let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
            let known = writes.acknowledgedSequence(of: key)
            guard known > index.shards[number].acknowledged else { continue }
            index.shards[number].acknowledged = known
            isNew = true
        }
        return isNew
    }

    /// What lies behind a part of a shard is given up by the operator's word.
    ///
    /// The client state goes with it: it would say that documents are there which are not any more.
    mutating func forsake(
        _ key: ShardKey, behind last: SequenceNumber, in index: inout IndexState
    ) {
        writes.forsake(key, behind: last)
        index.shards[Int(key.shard.number)].acknowledged = last
        index.clientState = nil
    }

    /// A replica of the in-sync set lacks what was acknowledged, and no other one is open.
    mutating func takeStale(
        _ shard: WireShardInventory, as key: ShardKey, on worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        guard let entry = workers[worker] else { return [] }
        let acknowledged = writes.acknowledgedSequence(of: key)
        workers[worker]?.stale[key] = .init(
            inventory: shard, acknowledged: acknowledged,
            since: entry.stale[key]?.since ?? moment.instant)
        if shard.acceptsLoss, !wasAlive(key, at: moment) {
            let effects = acceptLoss(of: key, at: moment)
            guard effects.isEmpty else { return effects }
        }
        guard entry.stale[key] == nil else { return [] }
        counters.staleReplicas += 1
        let text =
            "worker \(worker) came back with shard \(shard.shard) of index \(shard.index) up to "
            + "part \(shard.lastSequence), \(acknowledged.value) was acknowledged: its directory "
            + "is older than it was, as from a backup; it is not opened, and `fresnel status` "
            + "names all such shards; give the worker its newer directory back, or start it once "
            + "with --accept-loss if what is missing is lost for good"
            + survivorAdvice(of: key, besides: worker)
        // The worker is told once a session.
        guard entry.stale.isEmpty else { return [.log(.error, text)] }
        return [.log(.error, text)]
            + send(
                Message(Envelope(), .error(WireFailure(.shardUnavailable, text))),
                to: entry.session)
    }

    /// Takes in which replicas a worker cannot open.
    mutating func take(
        failures: [WireShardFailure], of worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for failure in failures {
            let key = ShardKey(index: failure.index, shard: ShardID(failure.shard))
            guard let copies = state.index(named: key.index)?[key.shard],
                let replica = copies.replica(on: worker), let entry = workers[worker]
            else { continue }
            guard failure.epoch == 0 || failure.epoch >= replica.since.value else {
                counters.staleEpochs += 1
                continue
            }
            let reason = WorkerTable.OpeningFailure(
                isDamaged: failure.damaged, reason: failure.failure.message)
            workers[worker]?.whole[key] = nil
            workers[worker]?.waiting[key] = nil
            workers[worker]?.failures[key] = reason
            effects += perform(writes.close(key, on: worker), at: moment)
            effects += fallBehind(
                ReplicaName(shard: key, worker: worker), because: "it could not be opened",
                at: moment)
            if entry.failures[key] != reason {
                if reason.isDamaged { counters.damagedReplicas += 1 }
                effects.append(Self.complaint(of: worker, reason, key))
            }
            guard reason.isDamaged else { continue }
            guard replica.isInSync else {
                copyAnew(key, on: worker)
                continue
            }
            guard !openReplicas(of: key).isEmpty else { continue }
            effects += leave(worker, key)
        }
        return effects
    }

    /// An in-sync replica opens: those of the set that are stale, refused or damaged are made equal
    /// to it.
    mutating func excludeFaulty(
        from key: ShardKey, besides worker: WorkerID
    ) -> [BrokerEffect] {
        let inSync = state.index(named: key.index)?[key.shard]?.inSync ?? []
        return inSync.filter { $0 != worker }.flatMap { leave($0, key) }
    }

    /// Takes a stale, refused or damaged replica out of the in-sync set and lets it be copied.
    private mutating func leave(_ worker: WorkerID, _ key: ShardKey) -> [BrokerEffect] {
        guard let entry = workers[worker] else { return [] }
        if let stale = entry.stale[key] {
            let effects = exclude(
                worker, from: key, as: .stale,
                because: "it has part \(stale.inventory.lastSequence), "
                    + "\(stale.acknowledged.value) was acknowledged")
            takeBehind(stale.inventory, as: key, on: worker)
            return effects
        }
        if let refused = entry.refused[key] {
            let effects = exclude(
                worker, from: key, as: .foreign, because: Departure.foreign.text)
            takeBehind(refused, as: key, on: worker)
            return effects
        }
        guard let failure = entry.failures[key], failure.isDamaged else { return [] }
        let effects = exclude(worker, from: key, as: .damaged, because: failure.reason)
        copyAnew(key, on: worker)
        return effects
    }

    /// Lets a replica be copied of which nothing is open.
    private mutating func copyAnew(_ key: ShardKey, on worker: WorkerID) {
        var nothing = WireShardInventory()
        nothing.index = key.index
        nothing.shard = key.shard.number
        workers[worker]?.behind[key] = nothing
    }

    private static func complaint(
        of worker: WorkerID, _ failure: WorkerTable.OpeningFailure, _ key: ShardKey
    ) -> BrokerEffect {
        .log(
            .error,
            "worker \(worker) cannot open shard \(key.shard.number) of index \(key.index)"
                + (failure.isDamaged ? ", which is damaged: " : ": ") + failure.reason)
    }
}
