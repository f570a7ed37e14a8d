package import FresnelModel
package import FresnelQuery
package import FresnelWire

/// One part of a batch, as the journal holds it.
package struct PartInput: Sendable {
    /// The batch's number in the index.
    package var sequence: SequenceNumber
    /// The number of the shard's part before this one.
    package var previous: SequenceNumber
    /// Who wrote the batch and which of its batches it is: a repetition changes nothing.
    package var batch: BatchIdentity
    /// Whether it only supersedes, after the batch's own parts: it is not remembered, and may come
    /// again.
    package var isSuperseding: Bool
    package var operations: [WireOperation]
    /// The bodies of the operations.
    package var payload: [UInt8]
    /// Custom keys first used or declared in the batch.
    package var customKeys: [CustomAttributeKey]
    /// When the broker took the batch: base of the default expiry.
    package var stampedAt: Timestamp
    /// What had expired by then exists for no operation; before `stampedAt` where the broker's
    /// clock was in doubt.
    package var expiredBy: Timestamp
    /// The clock of deletions by query.
    package var context: QueryContext
    /// Of the whole batch that it is a part of; 0 where the broker did not say.
    package var batchDigest: UInt64

    package init(
        sequence: SequenceNumber, previous: SequenceNumber, batch: BatchIdentity,
        batchDigest: UInt64 = 0, isSuperseding: Bool = false, operations: [WireOperation],
        payload: [UInt8],
        customKeys: [CustomAttributeKey] = [],
        stampedAt: Timestamp, expiredBy: Timestamp? = nil, context: QueryContext
    ) {
        self.sequence = sequence
        self.previous = previous
        self.batch = batch
        self.batchDigest = batchDigest
        self.isSuperseding = isSuperseding
        self.operations = operations
        self.payload = payload
        self.customKeys = customKeys
        self.stampedAt = stampedAt
        self.expiredBy = expiredBy ?? stampedAt
        self.context = context
    }
}

/// Names a batch of a client.
package struct BatchIdentity: Hashable, Sendable {
    package var client: UInt128
    package var number: UInt64

    package init(client: UInt128, number: UInt64) {
        self.client = client
        self.number = number
    }
}

/// What became of a part.
package enum PartResult: Sendable {
    /// It is applied and visible from its sequence number on, now or already before.
    case applied(PartOutcome)
    /// It does not follow the replica's last part; nothing changed.
    case gap(last: SequenceNumber)
}

/// What became of a part's operations.
package struct PartOutcome: Hashable, Sendable {
    /// Every operation not listed was applied.
    package var refusals: [WireItemResult] = []
    /// Documents removed by delete operations, cascades included.
    package var deleted: UInt64 = 0
    /// The sequence number under which it was applied.
    package var sequence = SequenceNumber.zero
    /// False when the batch had been applied before and this is its recorded outcome.
    package var wasApplied = true
    /// `PartInput.contentHash(in:)` of the part: what the batch stood for.
    package var contentHash: UInt64 = 0

    package init() {}
}
