import FresnelModel
import FresnelWire

extension WriteTable {
    /// The step that has an unsettled part for this shard under this sequence number.
    func step(of shard: ShardKey, sequence: SequenceNumber) -> PendingStep? {
        queues[shard]?.first { batches[$0.batch]?.sequence(of: $0.step) == sequence }
    }

    /// The number that a shard is read at: the newest acknowledged one, unless an older part is
    /// still on its way there, or was given up on its way.
    ///
    /// No part below it comes to the shard any more, so an answer at that number holds still; and
    /// no acknowledged part lies above it, since parts reach a shard in order.
    func readableSequence(of shard: ShardKey) -> SequenceNumber {
        let pending = queues[shard]?.first.flatMap { batches[$0.batch]?.sequence(of: $0.step) }
        let below = [pending, doubtful.first(of: shard)].compactMap { $0 }
            .map { SequenceNumber($0.value - 1) }
        return below.reduce(committed[shard.index] ?? .zero, min)
    }

    /// The newest sequence number in use, once this process has given one out: before that the
    /// lease alone says what the former process may have used.
    func lastSequence(of index: String) -> SequenceNumber? {
        given[index].map { max($0, committed[index] ?? .zero) }
    }

    /// Whether an earlier batch of the same client is not yet settled and committed: client states
    /// commit in the order of their batches, so that an import that goes on from one has everything
    /// before it.
    func mustWait(_ batch: PendingBatch) -> Bool {
        batches.values.contains { other in
            other.sequence < batch.sequence && other.isSibling(of: batch)
                && !other.phase.isCommitting
        }
    }

    /// The next batch of the same client that is settled and waited for earlier ones.
    func nextWaiting(after batch: PendingBatch) -> PendingBatch? {
        batches.values.filter { other in
            other.isSibling(of: batch) && other.isSettled && other.phase == .writing
                && other.changesState && !mustWait(other)
        }.min { $0.sequence < $1.sequence }
    }

    /// The client state that an index has once every batch under way has ended well.
    ///
    /// A batch that is sent again after a later one of its client has stored its state changes
    /// nothing, as when it commits.
    func foreseenState(of index: IndexState) -> [UInt8]? {
        var (state, origin) = (index.clientState, index.clientStateOrigin)
        let changing = batches.values.filter {
            $0.key.index == index.name && $0.changesState && !$0.phase.isCommitting
        }
        for batch in changing.sorted(by: { $0.sequence < $1.sequence }) {
            let own = ClientStateOrigin(batch.key)
            guard origin?.covers(own) != true else { continue }
            (state, origin) = (batch.put.clientStateBytes, own)
        }
        return state
    }

    /// The newest part that a shard has, as far as is known; nil while a part is on its way there.
    func settledSequence(of shard: ShardKey) -> SequenceNumber? {
        let isUnderWay = (queues[shard] ?? []).contains { name in
            guard let batch = batches[name.batch],
                let number = batch.place(of: shard.shard, name.step)
            else { return false }
            return batch.parts[number].state == .sent
        }
        return isUnderWay ? nil : shards[shard]?.commonHead
    }

    /// Whether a replica that opens alone has a part that nobody knows of, and that the replicas
    /// which were read until they went did not have, or lacks one that they had.
    ///
    /// The part was never acknowledged, and nobody knows of another replica's: what this one has
    /// counts from now on.
    func contradictsRead(_ shard: ShardKey, lastSequence: SequenceNumber) -> Bool {
        guard let state = shards[shard], state.inSync.count > 1, state.wasOpen,
            state.openInSync.isEmpty
        else { return false }
        if lastSequence < state.agreed { return true }
        guard lastSequence > state.agreed, givenUp[shard]?.sequence != lastSequence,
            doubtful.first(of: shard) == nil
        else { return false }
        return step(of: shard, sequence: lastSequence) == nil
    }

    /// Whether no batch is under way and nothing of former ones is left.
    package var isAtRest: Bool {
        batches.isEmpty && bytesInFlight.isEmpty && queues.values.allSatisfy(\.isEmpty)
    }

    /// Whether a replica of the in-sync set that opens has what those have that are open, or less
    /// or more by parts that are on their way.
    ///
    /// What one of several has beyond the others was never acknowledged: all would have it. It goes
    /// although it is more, since answers may have been given without it.
    func isInStep(
        _ shard: ShardKey, on worker: WorkerID, lastSequence: SequenceNumber
    ) -> Bool {
        guard let state = shards[shard],
            let other = state.openInSync.first(where: { $0 != worker }),
            let lane = state.lanes[other]
        else { return true }
        let lastSequence = newest(of: shard, on: worker, upTo: lastSequence, sentTo: other)
        // A part that was given up is in no queue, and yet the others may have it: where they stand
        // is told by what they were sent, each part behind its former one, not by what was
        // acknowledged.
        var base: SequenceNumber?
        var place = lastSequence
        var isUnderWay = false
        // What the other one has from before, under another number, and what it was sent behind
        // that and refuses: nobody has those.
        var absent: Set<SequenceNumber> = lane.repeated.map { [$0] } ?? []
        for name in queues[shard] ?? [] {
            guard let batch = batches[name.batch],
                let number = batch.place(of: shard.shard, name.step),
                batch.parts[number].state == .sent, let sent = batch.parts[number].tries[other]
            else { continue }
            let sequence = batch.sequence(of: name.step)
            let places = batch.parts[number].places
            // What was sent again to one that has it says nothing of what it lies behind there.
            guard places[other] != nil || sent.previous < sequence else { continue }
            let previous = places[other] ?? sent.previous
            guard !sent.isRepeated(under: sequence), !absent.contains(previous) else {
                absent.insert(sequence)
                continue
            }
            base = base ?? previous
            isUnderWay = isUnderWay || sequence == lastSequence
            // With parts that were given up in between it would be equal by number alone.
            if sequence <= lastSequence, let own = places[worker], let theirs = places[other],
                own != theirs
            {
                return false
            }
            guard sequence > lastSequence else { continue }
            guard previous == place else { return false }
            place = sequence
        }
        let head = absent.contains(lane.head) ? lane.acknowledged : lane.head
        return place >= head && (isUnderWay || lastSequence == base ?? head)
    }

    /// The newest part of a replica, without those on their way that another one is yet to be sent:
    /// it will be sent them behind the same ones (`blocker`).
    private func newest(
        of shard: ShardKey, on worker: WorkerID, upTo last: SequenceNumber, sentTo other: WorkerID
    ) -> SequenceNumber {
        var newest = last
        for name in (queues[shard] ?? []).reversed() {
            guard let batch = batches[name.batch], batch.sequence(of: name.step) == newest,
                let number = batch.place(of: shard.shard, name.step),
                batch.parts[number].tries[other] == nil,
                let place = batch.parts[number].places[worker]
            else { continue }
            newest = place
        }
        return newest
    }
}
