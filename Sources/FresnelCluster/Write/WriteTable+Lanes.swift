package import FresnelModel
import FresnelWire

// Lanes: the parts of a shard on their way to each of its replicas, and what the replicas make of
// them together.

extension WriteTable {
    /// The newest part of a shard that is known to be acknowledged.
    package func acknowledgedSequence(of shard: ShardKey) -> SequenceNumber {
        shards[shard]?.acknowledged ?? .zero
    }

    /// The newest part that all open in-sync replicas of a shard have.
    func agreedSequence(of shard: ShardKey) -> SequenceNumber { shards[shard]?.agreed ?? .zero }

    /// Takes in what a former process knew to be acknowledged.
    mutating func remember(_ acknowledged: SequenceNumber, of shard: ShardKey) {
        guard acknowledged > .zero else { return }
        shards[shard, default: ShardLanes()].acknowledged = acknowledged
    }

    /// The operator gives up what was acknowledged behind a part.
    mutating func forsake(_ shard: ShardKey, behind last: SequenceNumber) {
        shards[shard]?.acknowledged = last
        shards[shard]?.agreed = last
        forgetBatches(of: shard.index)
        for (key, batch) in batches where key.index == shard.index {
            batches[key]?.isForsaken = batch.put.clientStateBytes != nil
        }
    }

    /// A replica of the in-sync set can take parts: what was on its way there is sent again after
    /// what it has.
    package mutating func open(
        _ shard: ShardKey, on worker: WorkerID, lastSequence: SequenceNumber,
        inSync: [WorkerID]? = nil, epoch: Epoch = Epoch(0), at now: Instant
    ) -> [Action] {
        var state = shards[shard] ?? ShardLanes()
        state.inSync = inSync ?? [worker]
        let isFirst = state.openInSync.allSatisfy { $0 == worker }
        state.wasOpen = true
        state.lanes[worker] = ReplicaLane(
            head: lastSequence, epoch: epoch, acknowledged: lastSequence)
        // What one that went had beyond was acknowledged to nobody: no copy of this one has it.
        if isFirst { state.agreed = lastSequence }
        // One of several may have a part that was never acknowledged; the only one speaks for all.
        if state.inSync.count == 1 { state.acknowledged = max(state.acknowledged, lastSequence) }
        shards[shard] = state
        if isFirst {
            committed[shard.index] = max(committed[shard.index] ?? .zero, lastSequence)
            unproven[shard] = lastSequence > state.acknowledged ? now : nil
        }
        prove(shard)
        if state.inSync.count == 1 { doubtful.settle(shard, through: lastSequence) }
        forgetTries(of: shard, on: worker)
        forgetPlaces(behind: lastSequence, shard, on: worker)
        givenUp[shard]?.note(worker, opensAt: lastSequence)
        return judgeGivenUp(shard) + pump(shard)
    }

    /// A worker is gone: what was on its way there waits for its return or the deadline; what
    /// waited for where it stands does not.
    package mutating func lose(_ worker: WorkerID) -> [Action] {
        let lost = shards.keys.filter { shards[$0]?.lanes[worker] != nil }.sorted()
        for shard in lost {
            shards[shard]?.lanes[worker] = nil
            givenUp[shard]?.forget(worker)
            forgetTries(of: shard, on: worker)
        }
        return lost.flatMap { pump($0) }
    }

    /// A replica is not open any more although its worker is here.
    mutating func close(_ shard: ShardKey, on worker: WorkerID) -> [Action] {
        guard shards[shard]?.lanes[worker] != nil else { return [] }
        shards[shard]?.lanes[worker] = nil
        forgetTries(of: shard, on: worker)
        return pump(shard)
    }

    /// A replica left the in-sync set; nothing goes on before that is on disk.
    mutating func exclude(_ worker: WorkerID, from shard: ShardKey, version: UInt64) {
        shards[shard, default: ShardLanes()].inSync.removeAll { $0 == worker }
        shards[shard]?.lanes[worker] = nil
        shards[shard]?.gate = version
        givenUp[shard]?.forget(worker)
        forgetTries(of: shard, on: worker)
        prove(shard)
    }

    /// A replica that caught up counts from now on.
    mutating func join(_ worker: WorkerID, _ shard: ShardKey, inSync: [WorkerID]) {
        guard shards[shard]?.lanes[worker] != nil else { return }
        shards[shard]?.inSync = inSync
        shards[shard]?.lanes[worker]?.isTailing = false
    }

    /// The in-sync replicas that keep a shard's oldest part waiting although another one could be
    /// written without them.
    ///
    /// - Parameter isAway: whether a worker is not there, or silent.
    func overdue(
        at now: Instant, isAway: (WorkerID, ShardKey) -> Bool
    ) -> [(worker: WorkerID, shard: ShardKey)] {
        var overdue: [(worker: WorkerID, shard: ShardKey)] = []
        for (shard, state) in shards where state.inSync.count > 1 && state.gate <= durable {
            guard let name = queues[shard]?.first, let batch = batches[name.batch],
                batch.mayStart(name.step), let number = batch.place(of: shard.shard, name.step),
                state.pausedUntil == nil || batch.parts[number].attempt > 0
            else { continue }
            let beganAt = max(batch.startedAt, state.resumedAt ?? batch.startedAt)
            let waited = now - (batch.parts[number].sentAt ?? beganAt)
            guard waited >= Limits.replicaGrace else { continue }
            let tries = batch.parts[number].tries
            let silent = state.inSync.filter { tries[$0]?.answer == nil }
            let able = state.openInSync.filter { !isAway($0, shard) }
            let ahead = ahead(number, of: batch, shard)
            let blockers =
                able.compactMap { blocker(number, of: batch, to: $0, shard) }
                + (able.allSatisfy(ahead.contains) ? [] : ahead)
            for worker in silent {
                let limit = isAway(worker, shard) ? Limits.replicaGrace : Limits.replicaPatience
                guard waited >= limit,
                    able.contains(where: { $0 != worker && !silent.contains($0) })
                        || blockers.contains(worker)
                else { continue }
                overdue.append((worker, shard))
            }
        }
        return overdue.sorted { ($0.shard, $0.worker) < ($1.shard, $1.worker) }
    }

    /// Notes which parts of a batch are on their way: what they waited before, for its first step
    /// or for a replica that catches up, is no replica's fault.
    mutating func noteSent(_ key: BatchKey, at now: Instant) {
        for number in batches[key]?.parts.indices ?? 0..<0
        where batches[key]?.parts[number].isSentUnnoted == true {
            batches[key]?.parts[number].sentAt = now
        }
    }

    /// Forgets which unsettled parts one replica was sent, and what it answered.
    private mutating func forgetTries(of shard: ShardKey, on worker: WorkerID) {
        for name in queues[shard] ?? [] {
            guard let number = batches[name.batch]?.place(of: shard.shard, name.step) else {
                continue
            }
            batches[name.batch]?.parts[number].forget(worker)
        }
    }

    /// Looks whether the in-sync replicas have all answered one part, and the same.
    ///
    /// Returns the batch when that settled it.
    private mutating func judge(
        _ name: PendingStep, of shard: ShardKey
    ) -> (PendingBatch?, [Action]) {
        guard let state = shards[shard], state.gate <= durable, var batch = batches[name.batch],
            let number = batch.place(of: shard.shard, name.step),
            batch.parts[number].state == .sent
        else { return (nil, []) }
        let part = batch.parts[number]
        let isSuperseding = name.step == .supersedes
        var votes: [(worker: WorkerID, vote: PartVote)] = []
        for worker in state.inSync {
            guard let answer = part.tries[worker]?.answer else { return (nil, []) }
            votes.append((worker, PartVote(answer, isSuperseding: isSuperseding)))
        }
        let losers = PartVote.losers(votes)
        guard losers.isEmpty else {
            let sequence = batch.sequence(of: name.step).value
            let exclusions = losers.compactMap { worker -> Action? in
                guard let answer = part.tries[worker]?.answer else { return nil }
                return .exclude(
                    worker, shard, PartVote.departure(after: answer),
                    because: PartVote.reason(answer, on: sequence))
            }
            return (nil, exclusions)
        }
        guard let first = state.inSync.first, let sent = part.tries[first],
            let ack = sent.answer
        else { return (nil, []) }
        guard !ack.hasError else { return refuse(ack, sent, name, of: shard) }
        // Each answers with the newest part that it has on disk; what all have is the oldest.
        let last = state.inSync.compactMap { part.tries[$0]?.answer?.lastSequence }.min() ?? 0
        batch.settle(part: number, ack)
        shards[shard]?.agreed = max(state.agreed, SequenceNumber(last))
        shards[shard]?.acknowledged = max(state.acknowledged, SequenceNumber(last))
        doubtful.settle(shard, through: batch.parts[number].appliedSequence)
        // Who took this one stands behind the same parts.
        if batch.sequence(of: name.step) > givenUp[shard]?.sequence ?? .zero {
            givenUp[shard] = nil
        }
        let tails = hand(part: number, of: batch, votes[0].vote, sent.previous, shard)
        let (settled, actions) = close(batch, name.step, shard)
        return (settled, tails + actions)
    }

    /// Every in-sync replica has refused a part.
    private mutating func refuse(
        _ ack: WirePartAck, _ sent: PartTry, _ name: PendingStep, of shard: ShardKey
    ) -> (PendingBatch?, [Action]) {
        let last = SequenceNumber(ack.lastSequence)
        // As it was answered; what is held below is forgotten.
        let refused = batches[name.batch]
        var actions: [Action] = []
        // One that catches up may have journaled what the others refuse.
        for worker in shards[shard]?.tailing ?? [] {
            actions += drop(tail: worker, of: shard, because: "the others refused a part")
        }
        // Everything sent behind a refused part is refused too: it goes again, behind what is
        // there, and so does this one when it was refused only for a part before it.
        for worker in shards[shard]?.inSync ?? [] {
            shards[shard]?.lanes[worker]?.head = last
            forgetTries(of: shard, on: worker)
            forgetPlaces(behind: last, shard, on: worker)
        }
        if ack.error.code == ErrorCode.gap.number, last != sent.previous {
            return (nil, actions + pump(shard))
        }
        guard var batch = batches[name.batch],
            let number = batch.place(of: shard.shard, name.step)
        else { return (nil, actions) }
        let sequence = batch.sequence(of: name.step)
        doubtful.add(sequence, of: shard)
        // A part that arrives twice may be taken the second time, by one of them.
        if let part = refused?.parts[number] { giveUp(part, under: sequence, of: shard) }
        batch.fail(part: number, ack.error)
        let (settled, closing) = close(batch, name.step, shard)
        return (settled, actions + closing)
    }

    /// Judges the parts of a shard in their order, up to the first that must wait.
    ///
    /// A part is not settled before an older one, whoever has answered it: the shard is read below
    /// the older one, and what was acknowledged would not be seen.
    mutating func judgeAll(_ shard: ShardKey) -> ([PendingBatch], [Action]) {
        var settled: [PendingBatch] = []
        var actions: [Action] = []
        while let name = queues[shard]?.first {
            let (batch, judged) = judge(name, of: shard)
            if let batch { settled.append(batch) }
            actions += judged
            guard queues[shard]?.first != name else { break }
        }
        return (settled, actions)
    }

    /// Sends what may go to a shard, in order; stops at the first part that must wait.
    ///
    /// Every in-sync replica journals a part behind the same one (`ahead`, `blocker`).
    mutating func pump(_ shard: ShardKey) -> [Action] {
        guard let state = shards[shard], state.gate <= durable, !state.lanes.isEmpty else {
            return []
        }
        let workers =
            state.lanes.count == 1 ? Array(state.lanes.keys) : state.lanes.keys.sorted()
        var actions: [Action] = []
        var blocked: Set<WorkerID> = []
        for name in queues[shard] ?? [] {
            guard let batch = batches[name.batch], batch.mayStart(name.step),
                let number = batch.place(of: shard.shard, name.step),
                ahead(number, of: batch, shard).isEmpty,
                state.pausedUntil == nil || batch.parts[number].attempt > 0
            else { break }
            for worker in workers
            where batch.parts[number].tries[worker] == nil && !blocked.contains(worker) {
                // As it is now: it may have been sent to another one a moment ago.
                guard let batch = batches[name.batch],
                    blocker(number, of: batch, to: worker, shard) == nil
                else {
                    blocked.insert(worker)
                    continue
                }
                actions += send(part: number, name, to: worker, of: shard)
            }
        }
        return actions
    }

    mutating func send(
        part number: Int, _ name: PendingStep, to worker: WorkerID, of shard: ShardKey
    ) -> [Action] {
        guard let lane = shards[shard]?.lanes[worker] else { return [] }
        batches[name.batch]?.parts[number].state = .sent
        batches[name.batch]?.parts[number].attempt += 1
        guard let batch = batches[name.batch] else { return [] }
        batches[name.batch]?.parts[number].tries[worker] = PartTry(
            attempt: batch.parts[number].attempt, previous: lane.head)
        let sequence = batch.sequence(of: name.step)
        if sequence > lane.head { batches[name.batch]?.parts[number].places[worker] = lane.head }
        shards[shard]?.lanes[worker]?.head = max(lane.head, sequence)
        return [
            .toWorker(
                worker, batch.message(part: number, previous: lane.head, epoch: lane.epoch))
        ]
    }
}
