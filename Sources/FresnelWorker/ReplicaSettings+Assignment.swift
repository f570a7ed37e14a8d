import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelWire

extension ReplicaSettings {
    /// Whether what was opened with these cannot be what ASSIGN names.
    func isOther(than assignment: WireIndexAssignment) -> Bool {
        let named =
            UInt128(assignment.indexIdentityHigh) << 64
            | UInt128(assignment.indexIdentityLow)
        let isOtherIndex = indexIdentity != 0 && named != 0 && indexIdentity != named
        return shardCount != assignment.shardCount || isOtherIndex
    }

    /// What ASSIGN says about one shard of an index.
    init(_ shard: ShardKey, _ assignment: WireIndexAssignment, retention: Retention) {
        self.init(
            index: shard.index,
            indexIdentity: UInt128(assignment.indexIdentityHigh) << 64
                | UInt128(assignment.indexIdentityLow),
            shard: shard.shard, shardCount: assignment.shardCount,
            expiration: ExpirationPolicy(seconds: assignment.defaultExpirationSeconds) ?? .standard,
            customKeys: assignment.customKeys.compactMap { key in
                // The broker has checked them; one that cannot be read comes with its next batch.
                do { return try CustomAttributeKey(key) } catch { return nil }
            }, retention: retention)
    }
}
