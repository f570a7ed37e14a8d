import FresnelModel
import FresnelWire

/// What a broker knows of replicas that move beside what the cluster state says.
///
/// Nothing here needs to last: a broker that starts finds every move, every drained worker and
/// every replica that is to be removed in the state, and goes on.
struct MoveTable: Sendable {
    /// An answer to PLAN that waits for its version of the cluster state to be durable.
    struct Answer: Sendable {
        let version: UInt64
        let session: SessionID
        let message: Message
    }

    /// Shards of which a replica moves, or is to be removed.
    private(set) var busy: [ShardKey] = []
    /// The version of the cluster state that `busy` was read from.
    private var version: UInt64?
    /// When workers were told to remove what left its shard, and since when they are to.
    var told: [ReplicaName: Instant] = [:]
    var waits: [ReplicaName: Instant] = [:]
    /// Answers that are not given yet, in the order of their versions.
    var answers: [Answer] = []
    /// When somebody looks whether the workers are balanced; nil for not again.
    var planDueAt: Instant?
    /// When drained workers are looked at again.
    var drainDueAt = Instant(nanoseconds: 0)
    /// Drained workers of which was said that nothing is left on them.
    var empty: Set<WorkerID> = []

    /// Reads which shards are busy, where the state changed.
    mutating func read(_ state: ClusterState) {
        guard version != state.version else { return }
        version = state.version
        busy = state.indexes.flatMap { index in
            index.shards.indices.filter {
                index.shards[$0].moving != nil || !index.shards[$0].dropped.isEmpty
            }.map { ShardKey(index: index.name, shard: ShardID(UInt32($0))) }
        }
    }

    /// A worker's session ended: what it was told may not have reached it.
    mutating func forget(_ worker: WorkerID) {
        told = told.filter { $0.key.worker != worker }
    }
}
