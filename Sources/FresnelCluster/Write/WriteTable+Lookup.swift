import FresnelModel
import FresnelWire

extension WriteTable {
    /// The batch that has an unsettled part for this shard under this sequence number.
    func batch(of shard: ShardKey, sequence: SequenceNumber) -> BatchKey? {
        queues[shard]?.first { batches[$0]?.sequence == sequence }
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

    /// The client state of the newest batch under way that carries one.
    func newestState(of index: String) -> [UInt8]? {
        batches.values.filter { $0.key.index == index && $0.put.clientStateBytes != nil }
            .max { $0.sequence < $1.sequence }?.put.clientStateBytes
    }

    /// Whether no batch is under way and nothing of former ones is left.
    package var isAtRest: Bool {
        batches.isEmpty && bytesInFlight.isEmpty && queues.values.allSatisfy(\.isEmpty)
    }
}
