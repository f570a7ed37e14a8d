import FresnelModel
import FresnelWire

// Writes: a PUT is stamped with a sequence number, cut by shard, and acknowledged once every part
// is journaled and, where it carries a client state, that state is durable too.

extension BrokerCore {
    mutating func put(
        _ message: Message, _ put: WirePut, from session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        let request = message.envelope
        let key = BatchKey(put)
        let digest = BatchCoding.digest(of: put, payload: message.payload ?? [])
        guard !writes.isNameTaken(key, from: digest) else {
            return refuse(
                .batchNumberReused,
                "batch \(key.number) of this client is another one in index \(key.index), which "
                    + "was taken on before; send this one under a new number",
                of: request, to: session.id)
        }
        if let answer = writes.finishedAnswer(to: key) {
            return send(Message(request.reply, .putAck(answer)), to: session.id)
        }
        if writes.rejoin(key, session: session.id, request: request) { return [] }
        do {
            let effects = try admit(
                Submission(
                    put: put, payload: message.payload ?? [], digest: digest, request: request),
                from: session, at: moment)
            postponed.resolve(key, of: session.id)
            return effects
        } catch {
            switch error {
            case .final(let code, let text):
                postponed.resolve(key, of: session.id)
                return refuse(code, text, of: request, to: session.id)
            case .later(let code, let text):
                let until =
                    moment.instant
                    + min(request.budget ?? Limits.writeBudgetDefault, Limits.deadline)
                postponed.postpone(key, of: session.id, until: until)
                return refuse(
                    code, text, of: request, to: session.id, retryAfter: .milliseconds(200))
            }
        }
    }

    /// A worker's word on one part of a shard that it holds, up to a number that was given out.
    mutating func settle(
        _ ack: WirePartAck, _ envelope: Envelope, from worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        let shard = ShardKey(index: ack.index, shard: ShardID(ack.shard))
        let sequence = SequenceNumber(envelope.sequence)
        guard let replica = state.index(named: ack.index)?[shard.shard]?.replica(on: worker),
            envelope.sequence <= writes.lastSequence(of: ack.index)?.value ?? 0
        else {
            counters.lateAnswers += 1
            return []
        }
        // Said by the replica before it was taken out or in.
        guard ack.epoch == 0 || ack.epoch >= replica.since.value else {
            counters.staleEpochs += 1
            return []
        }
        if !ack.hasError {
            workers.note(ack, of: shard, on: worker)
            catchUps.note(ReplicaName(shard: shard, worker: worker), at: moment.instant)
        }
        if let actions = writes.settleTail(ack, from: worker, sequence: sequence) {
            return perform(actions, at: moment)
        }
        guard let step = writes.step(of: shard, sequence: sequence) else {
            counters.lateAnswers += 1
            let actions = writes.settleLate(
                ack, sequence: sequence, from: worker, attempt: envelope.attempt)
            return perform(actions, at: moment)
        }
        let (settled, actions) = writes.settle(
            ack, step, from: worker, attempt: envelope.attempt)
        return perform(actions, at: moment) + settled.flatMap { finish($0, at: moment) }
    }

    /// Every part of a batch is journaled or given up: commit its state, then answer.
    mutating func finish(_ batch: PendingBatch, at moment: Moment) -> [BrokerEffect] {
        guard batch.changesState, !batch.hasFailedPart else {
            let failure = batch.changesState ? Self.stateNotStored(batch) : nil
            let effects = perform(writes.acknowledge(batch.key, error: failure), at: moment)
            return effects + finishNext(after: batch, at: moment)
        }
        guard !writes.mustWait(batch) else { return [] }
        return commitState(of: batch, at: moment) + finishNext(after: batch, at: moment)
    }

    private static func stateNotStored(_ batch: PendingBatch) -> WireFailure {
        let failed = Set(batch.parts.filter { $0.state == .failed }.map(\.shard)).sorted()
        let names = failed.prefix(8).map { "\($0.number)" }.joined(separator: ", ")
        let others = failed.count > 8 ? " and \(failed.count - 8) more" : ""
        return WireFailure(
            .shardUnavailable,
            "shard \(names)\(others) of index \(batch.key.index) did not journal its part in "
                + "time, so the client state was not stored; send the batch again")
    }

    private mutating func finishNext(
        after batch: PendingBatch, at moment: Moment
    ) -> [BrokerEffect] {
        writes.nextWaiting(after: batch).map { finish($0, at: moment) } ?? []
    }

    /// Makes the client state of a batch durable before the batch is acknowledged.
    private mutating func commitState(
        of batch: PendingBatch, at moment: Moment
    ) -> [BrokerEffect] {
        guard var index = state.index(named: batch.key.index) else {
            return perform(writes.acknowledge(batch.key), at: moment)
        }
        let origin = ClientStateOrigin(batch.key)
        let isCovered = index.clientStateOrigin?.covers(origin) == true
        let isStored = !isCovered || index.clientState != nil || batch.put.clientStateBytes == nil
        guard !batch.isForsaken, isStored else {
            let failure = WireFailure(
                .mismatchedClientState,
                "documents of index \(index.name) were given up as lost or deleted meanwhile, and "
                    + "the client state with them; begin anew")
            return perform(writes.acknowledge(batch.key, error: failure), at: moment)
        }
        // A resend of what was committed before: the stored state is this one or a newer one.
        if !isCovered {
            let expected = batch.put.expectedClientStateBytes
            guard expected.map({ $0 == index.clientState ?? [] }) ?? true else {
                let failure = WireFailure(
                    .mismatchedClientState,
                    "an earlier batch failed, so the stored client state is not the expected one")
                return perform(writes.acknowledge(batch.key, error: failure), at: moment)
            }
            let former = index.clientState
            index.clientState = batch.put.clientStateBytes
            index.clientStateOrigin = origin
            state.change(index)
            unsavedStates.note(index.name, former: former, version: state.version)
        }
        guard state.version > persistedVersion else {
            return perform(writes.acknowledge(batch.key), at: moment)
        }
        writes.commit(batch.key, version: state.version)
        return []
    }

    mutating func perform(_ actions: [WriteTable.Action], at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        var joined: [ShardKey] = []
        for action in actions {
            switch action {
            case .toWorker(let worker, let message):
                guard let session = workers[worker]?.session else { continue }
                effects += send(message, to: session)
            case .toClient(let session, let message):
                counters.acknowledgedBatches += 1
                effects += send(message, to: session)
            case .exclude(let worker, let shard, let departure, let reason):
                effects += exclude(worker, from: shard, as: departure, because: reason)
            case .caughtUp(let worker, let shard):
                // A part that was settled after this was said may have made it owe again.
                guard !writes.announce(worker, shard).isEmpty else { continue }
                let name = ReplicaName(shard: shard, worker: worker)
                guard mayJoin(name) else {
                    effects += prove(name, at: moment)
                    continue
                }
                effects += admit(worker, to: shard)
                joined.append(shard)
            case .fellBehind(let worker, let shard, let reason):
                let name = ReplicaName(shard: shard, worker: worker)
                effects += fallBehind(name, because: reason, at: moment)
            }
        }
        // What waited for them goes behind what was sent before.
        for shard in joined {
            if writes.isPaused(shard) { pauses[shard.index]?.noteJoined() }
            effects += perform(writes.resume(shard, at: moment.instant), at: moment)
        }
        return effects
    }

    /// A batch that concerns no shard, as one that only declares keys or sets the client state.
    mutating func finishWithoutParts(
        _ batch: PendingBatch, at moment: Moment
    ) -> [BrokerEffect] {
        guard !batch.changesState, state.version > persistedVersion else {
            return finish(batch, at: moment)
        }
        writes.commit(batch.key, version: state.version)
        return []
    }
}
