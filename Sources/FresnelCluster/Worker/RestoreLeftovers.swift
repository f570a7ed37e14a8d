import FresnelModel
import FresnelWire

/// Which replicas that restores made beside their places may still be assigned, and so stay.
///
/// The broker ends a restore when one of its workers goes, and forgets it with its own end. So what
/// was made before a session began is somebody's only if the cluster state names it, and the first
/// ASSIGN of the session says so; what is ordered in the session may be named by a later one.
struct RestoreLeftovers: Sendable {
    private var ordered: Set<ShardKey> = []
    private var isSwept = false

    /// Takes in that a session begins.
    mutating func begin() {
        ordered = []
        isSwept = false
    }

    /// Takes in that the broker orders a replica.
    mutating func note(_ order: WireStoreShard) {
        guard order.work == .load else { return }
        ordered.insert(ShardKey(index: order.index, shard: ShardID(order.shard)))
    }

    /// The shards whose restored replicas stay; nil when this session has told before.
    mutating func kept(by assign: WireAssign) -> Set<ShardKey>? {
        guard !isSwept else { return nil }
        isSwept = true
        let assigned = assign.indexes.flatMap { index in
            index.shards.map { ShardKey(index: index.index, shard: ShardID($0)) }
        }
        return ordered.union(assigned)
    }
}
