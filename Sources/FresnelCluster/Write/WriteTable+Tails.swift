import FresnelModel
import FresnelWire

// Tails: replicas that catch up get every part as well, but nobody waits for what they say. What
// was settled since their copy was ordered is kept for them, a bounded number of bytes.

extension WriteTable {
    /// Keeps what is settled from now on for replicas that catch up, or does so no more.
    mutating func keepBacklog(of shard: ShardKey, _ isKept: Bool) {
        guard (shards[shard]?.backlog != nil) != isKept else { return }
        shards[shard]?.backlog = isKept ? PartBacklog() : nil
    }

    /// Shards whose new parts wait for a replica that catches up.
    var pausedShards: [ShardKey] { shards.filter { $0.value.pausedUntil != nil }.keys.sorted() }

    func isPaused(_ shard: ShardKey) -> Bool { shards[shard]?.pausedUntil != nil }

    /// Lets new parts of a shard wait.
    mutating func pause(_ shard: ShardKey, until end: Instant) {
        shards[shard]?.pausedUntil = end
    }

    /// Sends what waited.
    mutating func resume(_ shard: ShardKey, at now: Instant) -> [Action] {
        guard shards[shard]?.pausedUntil != nil else { return [] }
        shards[shard]?.pausedUntil = nil
        shards[shard]?.resumedAt = now
        return pump(shard)
    }

    /// Whether a replica that catches up lacks few of the settled parts.
    ///
    /// - Parameter last: what it is known to have, where it does not get parts yet.
    func isNear(_ shard: ShardKey, on worker: WorkerID, last: SequenceNumber) -> Bool {
        guard let state = shards[shard] else { return false }
        if let lane = state.lanes[worker] {
            return lane.isTailing && lane.owed.count <= Limits.replicaNearness
        }
        guard last < state.agreed else { return true }
        // Numbers are those of the index: as many parts of the shard at most.
        let most = Int(clamping: state.agreed.value - last.value)
        // What was settled before its copy was ordered is not kept: no such part is no part.
        let kept = state.backlog?.count(after: last) ?? 0
        return (kept > 0 ? kept : most) <= Limits.replicaNearness
    }

    /// Lets a replica that catches up get parts, if everything behind `last` is here.
    ///
    /// Nothing happens when it is not: the replica goes on following its donor.
    mutating func follow(
        _ shard: ShardKey, on worker: WorkerID, after last: SequenceNumber, epoch: Epoch
    ) -> [Action] {
        guard let state = shards[shard], state.lanes[worker] == nil, state.gate <= durable,
            last <= state.agreed || state.inSync.contains(where: { state.lanes[$0]?.head == last })
                || (queues[shard] ?? []).contains(where: {
                    batches[$0.batch]?.sequence(of: $0.step) == last
                })
        else { return [] }
        let missed = last >= state.agreed ? [] : state.backlog?.parts(after: last)
        guard let missed else { return [] }
        guard last >= state.agreed || missed.last?.sequence == state.agreed else { return [] }
        var lane = ReplicaLane(head: last, epoch: epoch, isTailing: true, acknowledged: last)
        var actions: [Action] = []
        for part in missed {
            guard case .putPart(var put) = part.message.command else { continue }
            put.epoch = epoch.value
            lane.owed[part.sequence] = part.vote
            lane.head = part.sequence
            actions.append(
                .toWorker(
                    worker,
                    Message(part.message.envelope, .putPart(put), payload: part.message.payload)))
        }
        // Parts that were given up are kept by nobody but the donor.
        guard !state.openInSync.isEmpty, isInStep(shard, on: worker, lastSequence: lane.head)
        else { return [] }
        shards[shard]?.lanes[worker] = lane
        forgetPlaces(behind: lane.head, shard, on: worker)
        givenUp[shard]?.note(worker, opensAt: lane.head)
        return actions + pump(shard) + announce(worker, shard)
    }

    /// Stops sending parts to a replica that catches up.
    mutating func unfollow(_ shard: ShardKey, on worker: WorkerID) {
        guard shards[shard]?.lanes[worker]?.isTailing == true else { return }
        _ = drop(tail: worker, of: shard, because: "")
    }

    /// Takes in what a replica that catches up says of a part that is settled.
    ///
    /// Returns nil when it owes no such answer.
    mutating func settleTail(
        _ ack: WirePartAck, from worker: WorkerID, sequence: SequenceNumber
    ) -> [Action]? {
        let shard = ShardKey(index: ack.index, shard: ShardID(ack.shard))
        guard let lane = shards[shard]?.lanes[worker], let vote = lane.owed[sequence] else {
            return nil
        }
        guard !ack.hasError else {
            return drop(tail: worker, of: shard, because: ack.error.message)
        }
        // It may have the part from its donor, and not know any more what it said then.
        let isSame =
            vote == .repeated || PartVote(ack, isSuperseding: false) == vote
            || ack.appliedSequence == 0
        guard isSame else {
            return drop(tail: worker, of: shard, because: "it made something else of a part")
        }
        let last = SequenceNumber(ack.lastSequence)
        shards[shard]?.lanes[worker]?.owed[sequence] = nil
        shards[shard]?.lanes[worker]?.stand(at: last, after: sequence)
        shards[shard]?.lanes[worker]?.acknowledged = max(lane.acknowledged, last)
        let isElsewhere = shards[shard]?.lanes[worker]?.head != lane.head
        return announce(worker, shard) + (isElsewhere ? pump(shard) : [])
    }

    /// Says that a replica has everything, when it has.
    func announce(_ worker: WorkerID, _ shard: ShardKey) -> [Action] {
        guard let state = shards[shard], let lane = state.lanes[worker], lane.isTailing,
            lane.owed.isEmpty, lane.acknowledged >= state.agreed,
            agreesOnGivenUp(shard, worker)
        else { return [] }
        return [.caughtUp(worker, shard)]
    }

    /// A part is settled: replicas that catch up owe their answer, if they have not given it.
    mutating func hand(
        part number: Int, of batch: PendingBatch, _ vote: PartVote, _ previous: SequenceNumber,
        _ shard: ShardKey
    ) -> [Action] {
        guard let state = shards[shard], state.backlog != nil || !state.tailing.isEmpty else {
            return []
        }
        let sequence = batch.sequence(of: batch.parts[number].step)
        let message = batch.message(part: number, previous: previous, epoch: Epoch(0))
        // A part that was applied before, under another number, is in no journal under this one.
        if batch.parts[number].appliedSequence == sequence {
            shards[shard]?.backlog?.add(
                PartBacklog.Part(message: message, previous: previous, vote: vote))
        }
        var actions: [Action] = []
        for worker in state.tailing {
            let isSuperseding = batch.parts[number].step == .supersedes
            guard batch.parts[number].tries[worker] != nil,
                !isElsewhere(batch.parts[number], on: worker, state.inSync)
            else {
                actions += drop(
                    tail: worker, of: shard,
                    because: "it has, or would have, a part behind another one than the others")
                continue
            }
            if let answer = batch.parts[number].tries[worker]?.answer {
                guard PartVote(answer, isSuperseding: isSuperseding) == vote else {
                    actions += drop(
                        tail: worker, of: shard, because: "it made something else of a part")
                    continue
                }
            } else {
                shards[shard]?.lanes[worker]?.owed[sequence] = vote
            }
            actions += announce(worker, shard)
        }
        return actions
    }

    /// Ends the way to a replica that catches up; its worker follows the donor again.
    mutating func drop(
        tail worker: WorkerID, of shard: ShardKey, because reason: String
    ) -> [Action] {
        shards[shard]?.lanes[worker] = nil
        givenUp[shard]?.forget(worker)
        for name in queues[shard] ?? [] {
            guard let number = batches[name.batch]?.place(of: shard.shard, name.step) else {
                continue
            }
            batches[name.batch]?.parts[number].tries[worker] = nil
        }
        return [.fellBehind(worker, shard, because: reason)]
    }
}
