import FresnelModel
import FresnelWire

// Which worker holds what: registration, assignment, inventories.

extension BrokerCore {
    /// Takes in a worker that may carry its name; another session under it ends.
    mutating func register(
        _ session: Session, _ hello: WireHello, at moment: Moment
    ) -> [BrokerEffect] {
        let worker = WorkerID(hello.name)
        var effects: [BrokerEffect] = []
        if let former = workers[worker], let old = sessions[former.session], old.id != session.id {
            effects += send(
                Message(Envelope(), .goodbye), to: old.id)
            if former.bootID != hello.bootID, !former.isSuspect {
                for key in former.whole.keys { displaced[key] = moment.instant }
            }
            effects += lose(old, at: moment)
        }
        workers[worker] = WorkerTable.Entry(
            worker: worker, session: session.id, bootID: hello.bootID,
            directory: DirectoryIdentity(high: hello.directoryHigh, low: hello.directoryLow),
            software: hello.software,
            retention: hello.hasRetention ? hello.retention : nil)
        workers[worker]?.transferEndpoint = hello.transferEndpoint
        mayLackReplicas = true
        moves.planDueAt = moment.instant + Limits.planPause
        effects.append(.log(.information, "worker \(worker) registered"))
        return effects
    }

    mutating func unregister(_ session: Session, at moment: Moment) -> [BrokerEffect] {
        guard let worker = workers.worker(of: session.id) else { return [] }
        workers[worker] = nil
        clocks.forget(worker)
        noteAcknowledged()
        let unblocked = writes.lose(worker)
        catchUps.forget(worker)
        proofs.forget(worker)
        comparisons.lose(worker)
        moves.forget(worker)
        unknown.lose(worker, from: state)
        catalogue.forget(worker)
        let lost = queries.lose(worker: worker, at: moment.instant, otherReplicas)
        let stopped = tails.lose(worker: worker, at: moment.instant)
        return [.log(.warning, "worker \(worker) is gone")] + perform(lost + stopped, at: moment)
            + perform(unblocked, at: moment) + loseSnapshots(of: worker)
    }

    /// Tells every worker that has both lanes what it must host, when that has changed.
    mutating func assignments(at moment: Moment) -> [BrokerEffect] {
        guard isReady, isStructureWritten else { return [] }
        var effects: [BrokerEffect] = []
        for entry in members where sessions[entry.session]?.isWhole == true {
            var assign = WireAssign()
            var shards: [ShardKey: Epoch] = [:]
            for index in state.indexes {
                let hosted = index.shards(on: entry.worker)
                guard !hosted.isEmpty else { continue }
                assign.indexes.append(assignment(of: hosted, on: entry.worker, in: index))
                for shard in hosted {
                    shards[ShardKey(index: index.name, shard: shard)] =
                        index[shard]?.replica(on: entry.worker)?.since
                }
            }
            // The first of a session goes out though it be empty: it tells what restores left.
            guard shards != entry.assigned, !shards.isEmpty || entry.assigned == nil else {
                continue
            }
            workers[entry.worker]?.assigned = shards
            workers[entry.worker]?.isRefusalTold = false
            effects += send(
                Message(Envelope(), .assign(assign)),
                to: entry.session)
        }
        return effects
    }

    /// A worker's message outside of HELLO and JOIN.
    mutating func note(
        _ message: Message, from session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        guard let worker = workers.worker(of: session.id) else { return [] }
        // Before JOIN nothing can be sent back, and the ASSIGN after it asks again.
        guard session.isWhole || message.verb == .pong else { return [] }
        guard !unknown.isForeign(worker) else {
            return noteForeign(message, from: worker, at: moment)
        }
        switch message.command {
        case .pong(let pulse):
            workers[worker]?.pulse = pulse
            var shown: [WireShardInventory] = []
            for shard in pulse.shards where shard.isPlausible {
                let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
                if workers[worker]?.behind[key]?.identity == shard.identity {
                    workers[worker]?.behind[key] = shard
                }
                guard workers[worker]?.whole[key]?.identity == shard.identity else { continue }
                workers[worker]?.whole[key] = shard
                shown.append(shard)
            }
            // A replica that was refused because another was alive may have become the only one.
            guard let entry = workers[worker] else { return [] }
            let standing = shown.flatMap { note($0, shownBy: worker, at: moment) }
            let effects =
                standing + hearClock(pulse, of: worker, at: moment)
                + take(
                    pulse.shards.filter {
                        let key = ShardKey(index: $0.index, shard: ShardID($0.shard))
                        return $0.replacesLost && entry.refused[key] != nil
                            || $0.acceptsLoss && entry.stale[key] != nil
                    }, of: worker, at: moment)
            // It is told anew what to hold, since it waits for that.
            let isNews =
                workers[worker]?.refused.count != entry.refused.count
                || workers[worker]?.stale.count != entry.stale.count
            if isNews { workers[worker]?.assigned = nil }
            return effects
        case .hosted(let hosted):
            return noteFound(hosted, of: worker, at: moment)
                + take(hosted.shards, of: worker, at: moment)
                + noteDropped(by: hosted.shards, of: worker, at: moment)
                + take(failures: hosted.failures, of: worker, at: moment)
        case .partAck(let ack) where ack.lastSequence < WireShardInventory.implausible:
            return settle(ack, message.envelope, from: worker, at: moment)
        case .replicaDigest(let digest):
            return note(digest, from: worker, at: moment)
        case .replicaState(let state):
            if let drop = noteDrop(state, from: worker) { return drop }
            return ReplicaProgress(state).map { note($0, from: worker, at: moment) } ?? []
        case .storedShard(let report): return note(report, from: worker, at: moment)
        case .statisticsReply, .found, .partDone, .error, .busy:
            guard message.envelope.id != .session else { return [] }
            let isRound = message.envelope.id.high == TailTable.idHigh
            let actions =
                isRound
                ? tails.receive(message, from: worker, at: moment.instant)
                : queries.receive(message, from: worker, at: moment.instant, otherReplicas)
            guard let actions else {
                counters.lateAnswers += 1
                return []
            }
            return perform(actions, at: moment)
        default:
            return blame(
                session.control, for: .frameShape(message.verb, expected: "a worker's verb"),
                at: moment)
        }
    }

    /// An open replica may have a part that counts as refused: one that arrived twice may be taken
    /// the second time.
    private mutating func note(
        _ shard: WireShardInventory, shownBy worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
        guard let replica = state.index(named: key.index)?[key.shard]?.replica(on: worker),
            replica.isInSync, shard.epoch == 0 || shard.epoch >= replica.since.value
        else { return [] }
        let last = SequenceNumber(shard.lastSequence)
        return perform(writes.stand(key, on: worker, at: last), at: moment)
    }

    private func assignment(
        of shards: [ShardID], on worker: WorkerID, in index: IndexState
    ) -> WireIndexAssignment {
        let replicas = shards.map { index[$0]?.replica(on: worker) }
        var assignment = WireIndexAssignment()
        assignment.index = index.name
        assignment.indexIdentityHigh = index.identity.high
        assignment.indexIdentityLow = index.identity.low
        assignment.shardCount = index.shardCount
        assignment.shards = shards.map(\.number)
        assignment.epoch = state.epoch.value
        assignment.epochs = replicas.map { $0?.since.value ?? 0 }
        assignment.identities = replicas.map { $0?.identity.value ?? 0 }
        assignment.inSync = replicas.map { $0?.isInSync ?? false }
        assignment.defaultExpirationSeconds = index.defaultExpirationSeconds ?? 0
        assignment.customKeys = index.schema.sortedCustomKeys.map(WireCustomKey.init)
        return assignment
    }
}
