import FresnelModel
import FresnelWire

extension WriteTable {
    /// The batch that has an unsettled part for this shard under this sequence number.
    func batch(of shard: ShardKey, sequence: SequenceNumber) -> BatchKey? {
        queues[shard]?.first { batches[$0]?.sequence == sequence }
    }

    /// The newest sequence number given out in this process.
    func lastSequence(of index: String) -> SequenceNumber? { given[index] }

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
