import FresnelCluster
import FresnelModel
import ZeroMQ

/// From where on journals must be kept, since other workers read them.
///
/// The reading thread sets pins, the writing thread looks before it truncates.
final class JournalPins: Sendable {
    private let pins = Guarded<[ShardKey: [TransferTicket: SequenceNumber]]>([:])

    /// Keeps what lies behind a sequence number; replaces the ticket's former pin.
    func set(_ sequence: SequenceNumber, of shard: ShardKey, for ticket: TransferTicket) {
        pins.withLock { $0[shard, default: [:]][ticket] = sequence }
    }

    /// Lets go of everything that a ticket keeps.
    func release(_ ticket: TransferTicket) {
        pins.withLock { pins in
            for shard in pins.keys { pins[shard]?[ticket] = nil }
            pins = pins.filter { !$0.value.isEmpty }
        }
    }

    /// Up to where a journal may be truncated; nil for no limit.
    func limit(of shard: ShardKey) -> SequenceNumber? {
        pins.withLock { $0[shard]?.values.min() }
    }
}
