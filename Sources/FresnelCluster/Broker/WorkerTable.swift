package import FresnelModel
package import FresnelWire

/// The workers that are registered, and what each holds.
package struct WorkerTable: Sendable {
    package struct Entry: Sendable {
        package let worker: WorkerID
        package var session: SessionID
        package let bootID: UInt64
        /// The directory that it says it has.
        let directory: DirectoryIdentity
        package let software: String
        /// How long it keeps versions; nil when it does not say.
        let retention: WireRetention?
        package var isSuspect = false
        /// Shards that are open and whole there, with what was last reported about them.
        package var whole: [ShardKey: WireShardInventory] = [:]
        /// Shards that open as soon as their identities, or their joining, are durable.
        var waiting: [ShardKey: WireShardInventory] = [:]
        /// Shards that are open there and are not in sync.
        package var behind: [ShardKey: WireShardInventory] = [:]
        /// Which of these were made by a copy of this session: the cluster state names them when
        /// they join.
        var copied: [ShardKey: ReplicaIdentity] = [:]
        /// Since when an empty replica there is to take a lost one's place and waits for others.
        var replacing: [ShardKey: Instant] = [:]
        /// Shards whose replica there is not the one that is known, while no other one is open.
        var refused: [ShardKey: WireShardInventory] = [:]
        /// Whether it was told so since the newest ASSIGN.
        var isRefusalTold = false
        /// Shards whose replica there lacks what was acknowledged, while no other one is open.
        var stale: [ShardKey: StaleReplica] = [:]
        /// Shards whose loss its operator accepts in vain, and whether that was said.
        var unheeded: [ShardKey: UnheededLoss] = [:]
        /// Shards that it cannot open.
        var failures: [ShardKey: OpeningFailure] = [:]
        /// Shards of the newest ASSIGN sent, with the epochs of their replicas there.
        package var assigned: [ShardKey: Epoch]?
        /// Where other workers fetch its replicas; empty when it does not say.
        var transferEndpoint = ""
        package var pulse = WirePulse()

        /// Whether a shard that is assigned there is known not to open by itself.
        func holdsBack(_ shard: ShardKey) -> Bool {
            refused[shard] != nil || stale[shard] != nil || failures[shard] != nil
        }

        /// The shard is gone, whatever is still open here.
        mutating func forget(_ shard: ShardKey) {
            clearFaults(of: shard)
            (whole[shard], waiting[shard], behind[shard]) = (nil, nil, nil)
            (copied[shard], unheeded[shard]) = (nil, nil)
        }

        /// A replica is open, or waits to be: what was wrong with it is over.
        mutating func clearFaults(of shard: ShardKey) {
            refused[shard] = nil
            replacing[shard] = nil
            stale[shard] = nil
            failures[shard] = nil
        }
    }

    /// A replica that came back without what was acknowledged.
    struct StaleReplica: Sendable {
        let inventory: WireShardInventory
        /// A part that is missing there.
        let acknowledged: SequenceNumber
        /// When the session first showed it.
        let since: Instant
    }

    /// A loss that was accepted where that changes nothing.
    enum UnheededLoss: Hashable, Sendable {
        /// Others may still come.
        case waiting(since: Instant)
        /// The worker knows.
        case told
    }

    /// Why a worker cannot open a replica.
    struct OpeningFailure: Hashable, Sendable {
        /// Whether its files contradict themselves.
        let isDamaged: Bool
        /// With the path and the way out.
        let reason: String
    }

    private var entries: [WorkerID: Entry] = [:]
    private var bySession: [SessionID: WorkerID] = [:]
    /// What was last known of replicas whose worker went.
    private var lastKnown: [ReplicaName: WireShardInventory] = [:]
    /// The same of the replica of each shard that went last.
    private var lastOpen: [ShardKey: WireShardInventory] = [:]

    package init() {}

    package var all: [Entry] { entries.values.sorted { $0.worker < $1.worker } }

    package subscript(worker: WorkerID) -> Entry? {
        get { entries[worker] }
        set {
            if let former = entries[worker] {
                bySession[former.session] = nil
                if former.session != newValue?.session { keepLastKnown(of: former) }
            }
            entries[worker] = newValue
            if let newValue { bySession[newValue.session] = worker }
        }
    }

    package func worker(of session: SessionID) -> WorkerID? { bySession[session] }

    /// The session of a worker that is here.
    func session(of worker: WorkerID) -> SessionID? { entries[worker]?.session }

    mutating func setSuspect(_ session: SessionID, _ isSuspect: Bool) {
        guard let worker = bySession[session] else { return }
        entries[worker]?.isSuspect = isSuspect
    }

    /// A shard is gone: nothing is known of it any more.
    mutating func forget(_ shard: ShardKey) {
        for worker in Array(entries.keys) { entries[worker]?.forget(shard) }
        lastOpen[shard] = nil
        lastKnown = lastKnown.filter { $0.key.shard != shard }
    }

    /// Takes in how a shard stands after a part, so that status need not wait for the next pulse.
    mutating func note(_ ack: WirePartAck, of shard: ShardKey, on worker: WorkerID) {
        entries[worker]?.whole[shard]?.documents = ack.documents
        entries[worker]?.whole[shard]?.lastSequence = ack.lastSequence
        entries[worker]?.behind[shard]?.documents = ack.documents
        entries[worker]?.behind[shard]?.lastSequence = ack.lastSequence
    }

    /// The live worker that holds a shard whole.
    package func home(of shard: ShardKey, placed worker: WorkerID) -> WorkerID? {
        guard let entry = entries[worker], !entry.isSuspect, entry.whole[shard] != nil else {
            return nil
        }
        return worker
    }

    /// Why `home(of:placed:)` is nobody, for people.
    package func absence(of shard: ShardKey, placed worker: WorkerID) -> String {
        guard let entry = entries[worker] else {
            return "no live worker holds this shard: worker \(worker) is away"
        }
        if entry.refused[shard] != nil {
            return "worker \(worker) is refused: the replica that was there is missing or another "
                + "one; give it its directory back, or, if that is lost for good, start "
                + "it once with --replace-lost on an empty directory"
        }
        if let stale = entry.stale[shard] {
            return "worker \(worker) is stale: it has this shard up to part "
                + "\(stale.inventory.lastSequence), \(stale.acknowledged.value) was acknowledged; "
                + "give it its newer directory back, or start it once with --accept-loss if what "
                + "is missing is lost for good"
        }
        if let failure = entry.failures[shard] {
            return "worker \(worker) cannot open this shard: \(failure.reason)"
        }
        return entry.isSuspect
            ? "no live worker holds this shard: worker \(worker) is silent"
            : "no live worker holds this shard: worker \(worker) has not opened it"
    }

    /// Whether a shard that is not open may be so soon: its worker lives and has not said why not.
    func isOpening(_ shard: ShardKey, on worker: WorkerID) -> Bool {
        guard let entry = entries[worker], !entry.isSuspect else { return false }
        return entry.refused[shard] == nil && entry.stale[shard] == nil
            && entry.failures[shard] == nil
    }

    package func inventory(of shard: ShardKey, on worker: WorkerID) -> WireShardInventory? {
        entries[worker]?.whole[shard]
    }

    /// What is known of a shard, also while its worker is away; nil when it was never whole.
    package func lastInventory(of shard: ShardKey, on worker: WorkerID) -> WireShardInventory? {
        inventory(of: shard, on: worker) ?? lastKnown[ReplicaName(shard: shard, worker: worker)]
            ?? lastOpen[shard]
    }

    /// What is known of one replica, also while its worker is away; nil when it was never open.
    func lastReplica(of shard: ShardKey, on worker: WorkerID) -> WireShardInventory? {
        inventory(of: shard, on: worker) ?? entries[worker]?.behind[shard]
            ?? lastKnown[ReplicaName(shard: shard, worker: worker)]
    }

    private mutating func keepLastKnown(of former: Entry) {
        lastOpen.merge(former.whole) { $1 }
        for (shard, inventory) in former.behind.merging(former.whole, uniquingKeysWith: { $1 }) {
            lastKnown[ReplicaName(shard: shard, worker: former.worker)] = inventory
        }
    }

    package static func isValid(name: String) -> Bool {
        (1...Limits.workerNameBytes).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
