import FresnelModel
import FresnelWire

// Places: behind which part each replica journals a part. Replicas whose journals end with the same
// part are taken for equal, also by a broker that knows nothing else of them, so:
//
// Invariant: all replicas in sync that have a part, or may have it, have it behind the same one.
//
// Where a replica stands is not always known. It may have a part from before, under another number
// (a batch that was sent again after the broker died), and then journals nothing under this one;
// it may have gone with parts on their way, some of which were given up since. So
//
// - a part that no replica in sync was sent yet waits while those that are open stand, or would
//   stand, behind different ones (`ahead`);
// - a part that one of them was sent goes to no other behind another one (`blocker`).
//
// Nothing waits for ever: an answer says where a replica stands, a replica that goes is not waited
// for, and one that does neither leaves the set, as does one that shows that it has another part
// before (`overdue`, `judgeGivenUp`, `isInStep`). Whatever ends the waiting sends on (`pump`).

extension WriteTable {
    /// The open replicas in sync for which a part waits that none in sync was sent: those that
    /// stand, or would stand, further than others.
    ///
    /// They have not said whether they journaled what the others have not got, or have from before.
    func ahead(_ number: Int, of batch: PendingBatch, _ shard: ShardKey) -> [WorkerID] {
        let part = batch.parts[number]
        guard let state = shards[shard], state.inSync.count > 1,
            !state.inSync.contains(where: { part.places[$0] != nil })
        else { return [] }
        let sequence = batch.sequence(of: part.step)
        let heads = state.openInSync.compactMap { worker in
            state.lanes[worker].map { (worker: worker, head: $0.head) }
        }
        let lacking = heads.filter { $0.head < sequence }
        guard let least = lacking.map(\.head).min() else { return [] }
        return lacking.filter { $0.head > least }.map(\.worker)
    }

    /// The replica in sync that has, or may have, a part behind another one than a worker would
    /// journal it.
    ///
    /// A part between was given up, or was refused there. Their journals would end alike and be
    /// different, which nobody could tell after the broker died: one of the two must have left the
    /// set, on disk, before the part is sent.
    func blocker(
        _ number: Int, of batch: PendingBatch, to worker: WorkerID, _ shard: ShardKey
    ) -> WorkerID? {
        let part = batch.parts[number]
        guard !part.places.isEmpty, let state = shards[shard], let lane = state.lanes[worker],
            batch.sequence(of: part.step) > lane.head
        else { return nil }
        return state.inSync.first { $0 != worker && part.isElsewhere(than: lane.head, on: $0) }
    }

    /// Whether a replica that catches up was sent a part behind another one than one in sync.
    func isElsewhere(_ part: PendingPart, on worker: WorkerID, _ inSync: [WorkerID]) -> Bool {
        guard let own = part.places[worker] else { return false }
        return inSync.contains { part.isElsewhere(than: own, on: $0) }
    }

    /// A replica has nothing behind a part: what was sent there is sent again, behind others.
    mutating func forgetPlaces(
        behind last: SequenceNumber, _ shard: ShardKey, on worker: WorkerID
    ) {
        for name in queues[shard] ?? [] {
            guard let batch = batches[name.batch], batch.sequence(of: name.step) > last,
                let number = batch.place(of: shard.shard, name.step)
            else { continue }
            batches[name.batch]?.parts[number].places[worker] = nil
        }
    }

    /// Takes a part back, with all behind it, from a replica that refuses it since the one before
    /// is there under another number.
    ///
    /// It goes again behind what is there, as soon as nobody else in sync has it, or may have it,
    /// elsewhere. Returns nil, and nothing has changed, where the refusal is the replica's word.
    mutating func takeBack(
        _ name: PendingStep, after refusal: WirePartAck, from worker: WorkerID, of shard: ShardKey
    ) -> [Action]? {
        let last = SequenceNumber(refusal.lastSequence)
        guard refusal.error.code == ErrorCode.gap.number, let lane = shards[shard]?.lanes[worker],
            let batch = batches[name.batch], let number = batch.place(of: shard.shard, name.step),
            let sent = batch.parts[number].tries[worker], sent.previous == lane.repeated,
            last < sent.previous
        else { return nil }
        for later in (queues[shard] ?? []).drop(while: { $0 != name }) {
            guard let number = batches[later.batch]?.place(of: shard.shard, later.step) else {
                continue
            }
            batches[later.batch]?.parts[number].forget(worker)
            batches[later.batch]?.parts[number].places[worker] = nil
        }
        shards[shard]?.lanes[worker]?.head = last
        return pump(shard)
    }
}

extension PendingPart {
    /// Whether a replica has, or may have, the part behind another one.
    fileprivate func isElsewhere(than place: SequenceNumber, on worker: WorkerID) -> Bool {
        places[worker].map { $0 != place } ?? false
    }
}
