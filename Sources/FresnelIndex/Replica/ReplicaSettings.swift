package import FresnelModel

/// What a replica is a part of.
package struct ReplicaSettings: Hashable, Sendable {
    /// The name of the index.
    package var index: String
    /// The shard of the index.
    package var shard: ShardID
    /// Tells indexes of one name apart; 0 where it is not known.
    package var indexIdentity: UInt128
    /// Shards of the index; fixed when it was made.
    package var shardCount: UInt32
    /// Life of a document that names no expiration.
    package var expiration: ExpirationPolicy
    /// Custom keys known when the replica is opened; parts bring more.
    package var customKeys: [CustomAttributeKey]
    /// How long versions that are no longer current can be read.
    package var retention: Retention

    package init(
        index: String, indexIdentity: UInt128 = 0, shard: ShardID, shardCount: UInt32,
        expiration: ExpirationPolicy = .standard, customKeys: [CustomAttributeKey] = [],
        retention: Retention = .standard
    ) {
        self.index = index
        self.indexIdentity = indexIdentity
        self.shard = shard
        self.shardCount = shardCount
        self.expiration = expiration
        self.customKeys = customKeys
        self.retention = retention
    }
}
