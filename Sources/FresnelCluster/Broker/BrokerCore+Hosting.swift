import FresnelModel
import FresnelWire

// Which replicas are believed. Every replica's directory has an identity, drawn when it was made;
// the first HOSTED of a shard makes it the shard's, durably, before anything is written or asked
// there. From then on another identity means another directory: an emptied disk, a directory of
// another worker, a volume that was not mounted. Such a replica is kept out, so that no answer is
// complete over it, until the right one comes back or the operator gives the old one up.

extension BrokerCore {
    /// What is made of a replica that a worker says is open and whole.
    private enum Recognition {
        /// It is the one that is known.
        case known
        /// It is, as soon as the cluster state says so on disk.
        case waiting
        /// It is another one.
        case foreign
        /// It is to take a lost one's place, once other replicas of the shard had their time.
        case patient
        /// It was to take a lost one's place, which another replica took that has documents.
        case surpassed
    }

    /// Takes in what a worker holds.
    mutating func take(
        _ shards: [WireShardInventory], of worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for shard in shards where shard.isPlausible {
            let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
            guard let copies = state.index(named: key.index)?[key.shard],
                let replica = copies.replica(on: worker), let entry = workers[worker]
            else { continue }
            // It has not heard yet of what became of its replica; the next ASSIGN tells.
            guard shard.epoch == 0 || shard.epoch >= replica.since.value else {
                counters.staleEpochs += 1
                continue
            }
            guard replica.isInSync else {
                takeBehind(shard, as: key, on: worker)
                continue
            }
            if let open = entry.whole[key], open.identity != shard.identity {
                return effects + restart(worker, over: key, at: moment)
            }
            workers[worker]?.waiting[key] = nil
            switch recognize(shard, as: key, on: worker, at: moment, &effects) {
            case .known:
                workers[worker]?.refused[key] = nil
                workers[worker]?.failures[key] = nil
                effects += open(shard, as: key, on: worker, at: moment)
            case .waiting:
                workers[worker]?.clearFaults(of: key)
                workers[worker]?.waiting[key] = shard
            case .foreign
            where copies.inSync.count > 1 && (shard.replacesLost || !openReplicas(of: key).isEmpty):
                effects += exclude(
                    worker, from: key, as: .foreign, because: Departure.foreign.text)
                takeBehind(shard, as: key, on: worker)
            case .foreign:
                effects += keepOut(shard, as: key, on: worker)
            case .patient: workers[worker]?.refused[key] = shard
            case .surpassed: takeBehind(shard, as: key, on: worker)
            }
        }
        return effects
    }

    /// Opens what only waited for its identity to be durable.
    mutating func openWaiting(at moment: Moment) -> [BrokerEffect] {
        unsavedIdentities = unsavedIdentities.filter { $0.value > persistedVersion }
        var effects: [BrokerEffect] = []
        for entry in workers.all {
            for (key, shard) in entry.waiting.sorted(by: { $0.key < $1.key })
            where unsavedIdentities[ReplicaName(shard: key, worker: entry.worker)] == nil {
                workers[entry.worker]?.waiting[key] = nil
                effects += open(shard, as: key, on: entry.worker, at: moment)
            }
        }
        return effects
    }

    /// Compares a replica's identity with the one that is known, or makes it that.
    private mutating func recognize(
        _ shard: WireShardInventory, as key: ShardKey, on worker: WorkerID, at moment: Moment,
        _ effects: inout [BrokerEffect]
    ) -> Recognition {
        guard var index = state.index(named: key.index),
            let replica = index[key.shard]?.replica(on: worker)
        else { return .foreign }
        let name = ReplicaName(shard: key, worker: worker)
        let known = replica.identity
        let told = ReplicaIdentity(shard.identity)
        guard told != known else { return unsavedIdentities[name] == nil ? .known : .waiting }
        if known != .unknown {
            guard shard.replacesLost, told != .unknown, !wasAlive(key, at: moment),
                index[key.shard]?.inSync == [worker]
            else {
                return .foreign
            }
            if let other = succeed(key, on: worker, at: moment, &effects) { return other }
            effects.append(
                .log(
                    .warning,
                    "shard \(key.shard.number) of index \(key.index) is given up as lost: replica "
                        + "\(told) of its worker takes the place of \(known), which is never "
                        + "opened again; index what is missing again, imports begin anew"))
            effects += perform(tails.forsake(key.index), at: moment)
            forsake(key, behind: SequenceNumber(shard.lastSequence), in: &index)
            if let directory = workers[worker]?.directory {
                state.note(directory, of: worker, replacing: true)
            }
        }
        index.shards[Int(shard.shard)].recognize(told, on: worker)
        state.change(index)
        unsavedIdentities[name] = state.version
        return .waiting
    }

    /// Looks for a replica with documents before an empty one takes the place of a lost one.
    ///
    /// Returns nil when the empty one is the best there is.
    private mutating func succeed(
        _ key: ShardKey, on worker: WorkerID, at moment: Moment, _ effects: inout [BrokerEffect]
    ) -> Recognition? {
        let former = workers[worker]?.replacing[key]
        let since = former ?? moment.instant
        switch loss(of: key, acceptedAt: since, newcomer: worker, at: moment) {
        case .takes(let replica) where replica.worker == worker: return nil
        case .takes(let replica):
            effects += take(replica, as: key, at: moment)
            return .surpassed
        case .awaits(let others):
            workers[worker]?.replacing[key] = since
            guard former == nil else { return .patient }
            let names = others.map(\.name).joined(separator: ", ")
            effects.append(
                .log(
                    .warning,
                    "shard \(key.shard.number) of index \(key.index): worker \(worker) is to "
                        + "replace a lost replica by an empty one; that waits "
                        + "\(Limits.lossPatience.components.seconds) s for worker \(names), which "
                        + "may have documents of it"))
            return .patient
        }
    }

    /// Whether the replica that is known was open a moment ago, in a process that lived when
    /// another took its name: then it is not lost, whatever that one was told.
    func wasAlive(_ key: ShardKey, at moment: Moment) -> Bool {
        displaced[key].map { moment.instant - $0 < Limits.displacement } ?? false
    }

    /// Lets a replica be asked and written.
    private mutating func open(
        _ shard: WireShardInventory, as key: ShardKey, on worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        let isNew = workers[worker]?.whole[key] == nil
        let replica = state.index(named: key.index)?[key.shard]?.replica(on: worker)
        guard let replica, replica.isInSync else { return [] }
        // One that joined gets parts already.
        let isServed = !isNew || writes.shards[key]?.openInSync.contains(worker) == true
        let last = SequenceNumber(shard.lastSequence)
        guard isServed || writes.isInStep(key, on: worker, lastSequence: last) else {
            let others = writes.agreedSequence(of: key).value
            let reason = "it has part \(shard.lastSequence), the others \(others)"
            let isStale = last < writes.acknowledgedSequence(of: key)
            if isStale { counters.staleReplicas += 1 }
            takeBehind(shard, as: key, on: worker)
            return exclude(
                worker, from: key, as: isStale ? .stale : .outOfStep, because: reason)
        }
        guard isServed || last >= writes.acknowledgedSequence(of: key) else {
            return takeStale(shard, as: key, on: worker, at: moment)
        }
        var effects = isServed ? [] : excludeFaulty(from: key, besides: worker)
        if !isServed, writes.contradictsRead(key, lastSequence: last) {
            effects += perform(tails.forsake(key.index), at: moment)
        }
        workers[worker]?.whole[key] = shard
        workers[worker]?.clearFaults(of: key)
        displaced[key] = nil
        if let directory = workers[worker]?.directory { state.note(directory, of: worker) }
        noteLimits(of: shard)
        guard !isServed else { return effects }
        let actions = writes.open(
            key, on: worker, lastSequence: last,
            inSync: state.index(named: key.index)?[key.shard]?.inSync, epoch: replica.since,
            at: moment.instant)
        return effects + perform(actions, at: moment)
    }

    /// Leaves a replica unopened, and says so: here once a session, there once an ASSIGN.
    private mutating func keepOut(
        _ shard: WireShardInventory, as key: ShardKey, on worker: WorkerID
    ) -> [BrokerEffect] {
        guard let entry = workers[worker] else { return [] }
        workers[worker]?.refused[key] = shard
        guard !entry.isRefusalTold else { return [] }
        workers[worker]?.isRefusalTold = true
        let text = refusal(of: shard, as: key, on: worker)
        return (entry.refused.isEmpty ? [.log(.error, text)] : [])
            + send(
                Message(Envelope(), .error(WireFailure(.shardUnavailable, text))),
                to: entry.session)
    }

    /// Why a replica is not opened, and the ways out.
    private func refusal(
        of shard: WireShardInventory, as key: ShardKey, on worker: WorkerID
    ) -> String {
        let copies = state.index(named: key.index)?[key.shard]
        let known = copies?.replica(on: worker)?.identity ?? .unknown
        let told = ReplicaIdentity(shard.identity)
        let what =
            told == .unknown
            ? "\(known) is known, and none is there): its directory, which the worker's log "
                + "names, is missing or emptied"
            : "identity \(told), \(known) is known): its directory, which the worker's log names, "
                + "is new or another one's"
        let others = copies?.inSync.filter { $0 != worker }.map(\.name) ?? []
        let waited =
            others.isEmpty
            ? ""
            : "; as soon as worker \(others.joined(separator: ", ")) is here, which is in sync, "
                + "too, it is copied from there"
        return "shard \(shard.shard) of index \(shard.index) on worker \(worker) is not the "
            + "replica that was there before (\(what); it is not opened, and "
            + "`fresnel status` names all such shards; give the worker its directory back, or "
            + "start it once with --replace-lost on an empty directory if those documents are "
            + "lost for good"
            + survivorAdvice(of: key, besides: worker) + waited + " (that is "
            + "refused for \(Limits.displacement.components.seconds) s after this worker displaced "
            + "a live process of its name: the replica is there, stop the wrong one of the two)"
    }

    /// Ends the session of a worker that holds another replica than a moment ago: what is under
    /// way there means nothing any more.
    private mutating func restart(
        _ worker: WorkerID, over key: ShardKey, at moment: Moment
    ) -> [BrokerEffect] {
        let effects = [
            BrokerEffect.log(
                .error,
                "worker \(worker) opened another replica of shard \(key.shard.number) of index "
                    + "\(key.index) while it ran; its session ends")
        ]
        guard let id = workers[worker]?.session, let session = sessions[id] else { return effects }
        return effects + lose(session, at: moment)
    }

    /// What a worker holds corrects what the broker remembers, should its state be older.
    private mutating func noteLimits(of shard: WireShardInventory) {
        // Beyond any real number it is a lie, and would overflow.
        guard shard.lastSequence < 1 << 62, let index = state.index(named: shard.index) else {
            return
        }
        var corrected = index
        if shard.lastSequence >= index.sequenceLease.value {
            corrected.sequenceLease = SequenceNumber(
                shard.lastSequence + Limits.sequenceLease)
        }
        if shard.holdsRelated { corrected.holdsRelated = true }
        if corrected != index { state.change(corrected) }
    }
}
