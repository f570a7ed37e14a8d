@testable import FresnelCluster
import FresnelKernels
import FresnelModel
import FresnelWire

/// A broker process with its state file.
struct SimulatedBroker {
    /// Nil while the process is down.
    var core: BrokerCore?
    /// Counts the processes; stands in for the incarnation.
    var boot = 0
    var pausedUntil = Instant(nanoseconds: 0)
    /// The state file.
    var disk: [UInt8]
    /// What the writing thread is at, and what waits for it.
    var writing: ClusterState?
    var waiting: ClusterState?
    var trouble = DiskTrouble()
}

/// A worker process with its disk.
struct SimulatedWorker {
    struct WaitingPart {
        let ticket: PartTicket
        let part: WirePutPart
        let sequence: SequenceNumber
        let payload: [UInt8]
    }

    let name: WorkerID
    /// Of which cluster its directory is; 0 of none yet.
    var cluster: UInt64 = 0
    /// Nil while the process is down.
    var core: WorkerCore?
    var boot = 0
    var pausedUntil = Instant(nanoseconds: 0)
    /// How often its disk was emptied: that is another directory each time.
    var directories: UInt64 = 1
    /// Survives crashes.
    var disk: [ShardKey: StoredShard] = [:]
    /// What was on the disk before it was emptied, until the operator does something about it.
    var lost: [ShardKey: StoredShard] = [:]
    var lostAt = Instant(nanoseconds: 0)
    /// Whether an older state of the disk is in place of what was lost.
    var isAged = false
    /// What was on the disk some time ago.
    var backup: [ShardKey: StoredShard] = [:]
    var trouble = DiskTrouble()
    /// Whether the operator starts it with --replace-lost, and with --accept-loss.
    var replacesLost = false
    var acceptsLoss = false
    /// Shards that were given up and are made anew when it starts.
    var replaced: Set<ShardKey> = []
    /// Shards that this process has opened.
    var opened: Set<ShardKey> = []
    /// Shards of which the broker knows a replica here that is not here.
    var missing: Set<ShardKey> = []
    var tasks: [TaskID: EngineTask] = [:]
    /// What the writing thread has not yet journaled, and whether it is at work.
    var parts: [WaitingPart] = []
    var isJournaling = false
    /// Parts whose sync failed, and when the journal is cut behind them.
    var refusedTails: [ShardKey: (part: WaitingPart, until: Instant)] = [:]
    /// Of the shards of the newest ASSIGN, the epochs of the replicas here.
    var assigned: [ShardKey: Epoch] = [:]
    /// Shards of which it removed its replica, and that were not assigned to it since.
    var dropped: Set<ShardKey> = []
    /// Indexes that were removed, as its disk remembers.
    var removedIndexes: [WireRemovedMark] = []
    /// Replicas that were made from a store, beside their places.
    var restored: [ShardKey: StoredShard] = [:]
    /// The newest order for each of them.
    var loading: [ShardKey: UInt64] = [:]
    /// Copies that were ordered and not withdrawn.
    var copying: [ShardKey: TransferTicket] = [:]
    /// Reports of the writing thread come in order.
    var lastReport = Instant(nanoseconds: 0)

    var directory: DirectoryIdentity {
        DirectoryIdentity(high: Hash.checksum(of: Array(name.name.utf8)), low: directories)
    }

    var inventory: [WireShardInventory] {
        let open = opened.sorted().compactMap { key -> WireShardInventory? in
            guard var inventory = disk[key]?.inventory else { return nil }
            inventory.replacesLost = replacesLost && inventory.lastSequence == 0
            inventory.acceptsLoss = acceptsLoss
            return inventory
        }
        return open + missing.sorted().map { StoredShard($0, identity: 0).inventory }
    }
}

/// A client process: the protocol engine, and an application with a script.
struct SimulatedClient {
    let number: Int
    var core: ClientCore
    var pausedUntil = Instant(nanoseconds: 0)
    var queries: [RequestID: AskedQuery] = [:]
    var puts: [RequestID: SentBatch] = [:]
    var stateRequests: [RequestID: AskedState] = [:]
    /// Copies to a store, and from there.
    var copies: [RequestID: AskedCopy] = [:]
    /// Plans that were asked for.
    var plans: Set<RequestID> = []
    /// Queries that are followed after their completion.
    var follows: [RequestID: FollowedAnswer] = [:]
    var batchCount: UInt64 = 0
    var requestCount: UInt64 = 0
    /// Everything that ended, so that an end after the end is seen.
    var ended: Set<RequestID> = []
    /// The request whose batch carried the newest client state.
    var lastStateBatch: RequestID?
    /// The client state that batch carried.
    var expectedState: [UInt8]?
    /// Whether each batch with a client state was acknowledged whole.
    var stateOutcomes: [RequestID: Bool] = [:]
}

/// A client state that was asked for.
struct AskedState {
    let at: Instant
    /// As of a query.
    var isTooEarly = false
}

/// A query as its application sees it.
struct AskedQuery {
    let search: WireSearch
    let askedAt: Instant
    var grantedItems: UInt64
    var grantedBytes: UInt64
    var usedItems: UInt64 = 0
    var usedBytes: UInt64 = 0
    var hits: [(key: [UInt8], document: Document, score: Double?)] = []
    var isCancelled = false
    /// The last question of a simulation: it must find everything.
    var isFinal = false
    /// Whether it was asked before all workers had told a broker without its state what they hold.
    var isTooEarly = false
    /// Whether every shard had two replicas in sync when it was asked.
    var isSafe = false
    /// The pages before this one; nil for an answer from its beginning.
    var pages: ReadPages?
    /// From when on what it may show is decided: the first page asked, and answered.
    var decidedFrom: Instant { pages?.askedAt ?? askedAt }
    func decidedUntil(_ now: Instant) -> Instant { pages?.answeredAt ?? now }
}

/// A batch as its application sees it: what it does to which step of the oracle.
struct SentBatch {
    let steps: [UInt32: [StepName]]
    let state: [UInt8]?
    let expectsState: Bool
    let predecessor: RequestID?
    /// Whether the broker's state was lost, or came back, while it was under way.
    var isTooEarly = false
}

extension BrokerCore {
    /// Whether every shard of every index can be searched now.
    var hasEveryShard: Bool {
        state.indexes.allSatisfy { index in
            index.shards.indices.allSatisfy { number in
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                return !searchableReplicas(of: key).isEmpty
            }
        }
    }
}
