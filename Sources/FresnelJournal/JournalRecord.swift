package import FresnelModel

/// One entry of a journal: a batch as it came, with its place in the order.
package struct JournalRecord: Hashable, Sendable {
    /// What the body means; the journal carries kinds it does not know.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        /// The number in the file.
        package let rawValue: UInt8

        /// Names a kind by its number.
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The body is a batch of operations in the wire's encoding.
        package static let batch = Kind(rawValue: 1)
        /// The body is empty; the sequence number changes nothing.
        package static let empty = Kind(rawValue: 2)
    }

    /// The position in the order of the index.
    package let sequence: SequenceNumber
    /// The position of this shard's record before it; the chain that shows gaps.
    package let previous: SequenceNumber
    /// What the body means.
    package let kind: Kind
    /// Who sent the batch; with `batch` it recognises a resend.
    package let client: UInt128
    /// The client's own number for the batch.
    package let batch: UInt64
    /// The content, at most `JournalLimits.bodyBytes`.
    package let body: [UInt8]

    /// Makes an entry.
    package init(
        sequence: SequenceNumber, previous: SequenceNumber, kind: Kind = .batch,
        client: UInt128, batch: UInt64, body: [UInt8]
    ) {
        self.sequence = sequence
        self.previous = previous
        self.kind = kind
        self.client = client
        self.batch = batch
        self.body = body
    }
}
