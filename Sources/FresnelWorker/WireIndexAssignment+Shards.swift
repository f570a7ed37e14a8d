import FresnelCluster
import FresnelModel
import FresnelWire

extension WireIndexAssignment {
    /// The epoch of one of its shards here; nil when none was named.
    func epoch(of shard: ShardKey) -> Epoch? {
        guard let place = shards.firstIndex(of: shard.shard.number), place < epochs.count else {
            return nil
        }
        return Epoch(epochs[place])
    }

    /// The replica of a shard that the broker knows here; unknown where it knows none yet.
    func identity(of shard: ShardKey) -> ReplicaIdentity {
        let number = zip(shards, identities).first { $0.0 == shard.shard.number }?.1
        return ReplicaIdentity(number ?? 0)
    }

    /// Whether the replica of a shard here is one of those that answers come from.
    func isInSync(_ shard: ShardKey) -> Bool {
        zip(shards, inSync).first { $0.0 == shard.shard.number }?.1 ?? false
    }
}
