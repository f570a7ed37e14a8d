import FresnelModel

// Places: behind which part each replica journals a part. Replicas whose journals end with the same
// part are taken for equal, so that part must stand behind the same one in all of them.

extension WriteTable {
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
        return state.inSync.first { other in
            other != worker && part.places[other].map { $0 != lane.head } ?? false
        }
    }

    /// Whether a replica that catches up was sent a part behind another one than one in sync.
    func isElsewhere(_ part: PendingPart, on worker: WorkerID, _ inSync: [WorkerID]) -> Bool {
        guard let own = part.places[worker] else { return false }
        return inSync.contains { part.places[$0].map { $0 != own } ?? false }
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
}
