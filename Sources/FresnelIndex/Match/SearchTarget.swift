package import FresnelModel

/// One shard of a search: a snapshot of the replica and the sequence number to read at.
///
/// A class, since it goes from hand to hand while a query is answered.
package final class SearchTarget: Sendable {
    /// The name of the index.
    package let index: String
    /// The same in UTF-8, as every hit and its sort key have it.
    let indexName: [UInt8]
    /// The shard.
    package let shard: ShardID
    /// The replica as it was when the search began.
    package let snapshot: IndexSnapshot
    /// What is read: the versions that exist at this number.
    package let sequence: SequenceNumber

    /// Makes a target.
    package init(
        index: String, shard: ShardID, snapshot: IndexSnapshot, sequence: SequenceNumber
    ) {
        self.index = index
        indexName = Array(index.utf8)
        self.shard = shard
        self.snapshot = snapshot
        self.sequence = sequence
    }
}
