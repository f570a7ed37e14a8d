import FresnelCluster
import FresnelModel
import FresnelWire

/// Decides when a worker is open for work: every shard that it was told to hold is open here and
/// not refused by the broker, or the broker has none for it.
///
/// The broker says so only by silence. ASSIGN, and the refusal of what HOSTED names, come on the
/// lane of PING: one PING may have been sent before JOIN or HOSTED arrived, a second one was not.
struct Readiness {
    private var assigned: Set<ShardKey> = []
    private var open: Set<ShardKey> = []
    /// Since the last change of what is assigned or open.
    private var pings = 0
    private var isRefused = false
    private(set) var isReached = false

    /// Takes in what ASSIGN names.
    mutating func assign(_ assignments: [WireIndexAssignment]) {
        (pings, isRefused) = (0, false)
        for assignment in assignments {
            for number in assignment.shards {
                assigned.insert(ShardKey(index: assignment.index, shard: ShardID(number)))
            }
        }
    }

    /// Takes in what is open by now.
    mutating func host(_ inventory: [WireShardInventory]) {
        pings = 0
        for shard in inventory {
            let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
            // One without an identity is known and not here.
            if shard.identity == 0 { open.remove(key) } else { open.insert(key) }
        }
    }

    /// The broker refuses something that is open here.
    mutating func refuse() { isRefused = true }

    /// Takes in a PING that arrived while both lanes stood.
    ///
    /// - Returns: true once, when the worker has become ready.
    mutating func ping() -> Bool {
        pings += 1
        guard pings > 1, assigned.isSubset(of: open), !isRefused, !isReached else { return false }
        isReached = true
        return true
    }
}
