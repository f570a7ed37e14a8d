import FresnelModel

/// Parts that were sent and given up, of which nobody knows yet whether they are journaled.
///
/// A part that was sent may wait in its worker when its batch is given up, and be journaled long
/// after. Whoever read the shard beyond it in between would have read what was not final. So a
/// shard is read below the first of them, until it has applied that part or a newer one: parts are
/// journaled in order. Nothing acknowledged lies above, since an acknowledgement is such a sign.
///
/// Bounded: three numbers a shard say enough.
struct DoubtfulParts: Sendable {
    private struct Span: Sendable {
        var first: SequenceNumber
        var last: SequenceNumber
    }

    private var spans: [ShardKey: Span] = [:]
    /// The newest part that each shard is known to have applied.
    private var applied: [ShardKey: SequenceNumber] = [:]

    /// The number below which a shard is read; nil when nothing is in doubt.
    func first(of shard: ShardKey) -> SequenceNumber? { spans[shard]?.first }

    /// The shards of an index are gone.
    mutating func forget(index: String) {
        spans = spans.filter { $0.key.index != index }
        applied = applied.filter { $0.key.index != index }
    }

    /// A part was given up that its worker may have.
    mutating func add(_ sequence: SequenceNumber, of shard: ShardKey) {
        guard sequence > applied[shard] ?? .zero else { return }
        let span = spans[shard] ?? Span(first: sequence, last: sequence)
        spans[shard] = Span(first: min(span.first, sequence), last: max(span.last, sequence))
    }

    /// A shard has applied everything up to this part that it will ever apply.
    mutating func settle(_ shard: ShardKey, through sequence: SequenceNumber) {
        applied[shard] = max(applied[shard] ?? .zero, sequence)
        guard let span = spans[shard], sequence >= span.first else { return }
        spans[shard] = sequence < span.last ? Span(first: sequence.next, last: span.last) : nil
    }
}
