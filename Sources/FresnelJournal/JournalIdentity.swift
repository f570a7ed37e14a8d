import FresnelKernels
package import FresnelModel

/// Which shard a journal belongs to; written into every file, so that none is read as another's.
package struct JournalIdentity: Hashable, Sendable {
    /// XXH64 of the index's name.
    package let indexHash: UInt64
    /// The shard inside that index.
    package let shard: ShardID

    /// Names a shard of an index.
    package init(indexName: String, shard: ShardID) {
        indexHash = Hash.routingHash(of: indexName)
        self.shard = shard
    }

    init(indexHash: UInt64, shard: ShardID) {
        self.indexHash = indexHash
        self.shard = shard
    }
}

/// Where a journal is and whose it is.
package struct JournalLocation: Hashable, Sendable {
    /// The directory, used by this journal alone.
    package let directory: String
    /// The shard it belongs to.
    package let identity: JournalIdentity

    /// Joins the two.
    package init(directory: String, identity: JournalIdentity) {
        self.directory = directory
        self.identity = identity
    }
}
