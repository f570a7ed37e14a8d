import FresnelCluster
import FresnelIndex
import Synchronization

/// The open replicas, for the search threads: they take snapshots, the ingest thread writes.
final class ReplicaTable: Sendable {
    private let indexes = Mutex<[ShardKey: ReplicaIndex]>([:])

    subscript(shard: ShardKey) -> ReplicaIndex? {
        get { indexes.withLock { $0[shard] } }
        set { indexes.withLock { $0[shard] = newValue } }
    }
}
