import FresnelCluster
import FresnelIndex
import ZeroMQ

/// The open replicas, for the search threads: they take snapshots, the ingest thread writes.
final class ReplicaTable: Sendable {
    private let indexes = Guarded<[ShardKey: ReplicaIndex]>([:])

    subscript(shard: ShardKey) -> ReplicaIndex? {
        get { indexes.withLock { $0[shard] } }
        set { indexes.withLock { $0[shard] = newValue } }
    }
}
