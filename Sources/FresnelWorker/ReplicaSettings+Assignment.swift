import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelWire

extension ReplicaSettings {
    /// What ASSIGN says about one shard of an index.
    init(_ shard: ShardKey, _ assignment: WireIndexAssignment, retention: Retention) {
        self.init(
            index: shard.index, shard: shard.shard, shardCount: assignment.shardCount,
            expiration: ExpirationPolicy(seconds: assignment.defaultExpirationSeconds) ?? .standard,
            customKeys: assignment.customKeys.compactMap { key in
                // The broker has checked them; one that cannot be read comes with its next batch.
                do { return try CustomAttributeKey(key) } catch { return nil }
            }, retention: retention)
    }
}
