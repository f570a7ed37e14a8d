import FresnelModel
import FresnelWire

/// Snapshots and restores between SNAPSHOT and SNAPSHOT_DONE.
///
/// A snapshot is an index between two batches: new ones wait while those under way end and one
/// in-sync replica of each shard is captured in memory, which takes milliseconds; what was captured
/// is copied afterwards. A restore is visible only when every shard of it is whole: its replicas
/// are made beside their places, and one change of the cluster state makes the index of them.
/// Nothing of this survives the broker: the client asks again, and what is in the store or was
/// never named is used again or does no harm.
struct SnapshotJobs: Sendable {
    private(set) var jobs: [RequestID: SnapshotJob] = [:]

    var count: Int { jobs.count }

    /// In a fixed order.
    var all: [SnapshotJob] { jobs.values.sorted { $0.ticket < $1.ticket } }

    subscript(id: RequestID) -> SnapshotJob? {
        get { jobs[id] }
        set { jobs[id] = newValue }
    }

    /// Whether batches of an index wait.
    func holds(_ index: String) -> Bool {
        !jobs.isEmpty && jobs.values.contains { $0.order.index == index && $0.holdsWrites }
    }

    /// The restore that makes an index of a name; nil where none is under way.
    func restore(of index: String) -> SnapshotJob? {
        jobs.values.first { $0.order.index == index && $0.isRestore }
    }

    /// The job that a worker's report is about.
    func job(of ticket: UInt64) -> SnapshotJob? {
        jobs.values.first { $0.ticket == ticket }
    }
}

/// One snapshot of an index, or one restore.
struct SnapshotJob: Sendable {
    enum Phase: Hashable, Sendable {
        /// Batches under way end, new ones wait.
        case draining(until: Instant)
        /// Replicas are captured.
        case capturing(until: Instant)
        /// What was captured is copied to the store.
        case storing
        /// Replicas are made from the store.
        case loading
        /// The index is in the cluster state, and opens.
        case opening(version: UInt64)
    }

    /// What one worker does for it.
    struct Work: Sendable {
        let worker: WorkerID
        /// What the copy must hold at least.
        var least = SequenceNumber.zero
        var isCaptured = false
        var isDone = false
        var result = WireSnapshotShard()
        var identity = ReplicaIdentity.unknown
        var bytesSent: UInt64 = 0
        var bytesReused: UInt64 = 0
        /// Objects that were damaged in the store.
        var replaced: UInt32 = 0
    }

    let id: RequestID
    let ticket: UInt64
    let order: WireSnapshot
    let deadline: Instant
    var session: SessionID
    var request: Envelope
    var phase: Phase
    /// What is known of the index when it is captured.
    var index = WireSnapshotIndex()
    var works: [ShardKey: Work] = [:]
    /// Of a restore that opens: since when a shard cannot be open soon; nil while all may be.
    var strandedSince: Instant?

    var isRestore: Bool { order.hasSource }

    /// Whether batches of the index wait.
    var holdsWrites: Bool {
        switch phase {
        case .draining, .capturing, .loading: true
        case .storing, .opening: false
        }
    }

    /// The order to one worker.
    func order(for key: ShardKey, _ work: WireStoreWork) -> WireStoreShard {
        var store = WireStoreShard()
        store.index = key.index
        store.shard = key.shard.number
        store.ticket = ticket
        store.work = work
        store.store = order.store
        store.compareReused = order.compareReused
        guard isRestore else { return store }
        store.sourceIndex = order.source.name
        store.shardCount = order.source.shardCount
        if let shard = order.source.shards.first(where: { $0.shard == key.shard.number }) {
            store.source = shard
        }
        return store
    }

    /// What the client is told at the end.
    var done: WireSnapshotDone {
        var done = WireSnapshotDone()
        done.index = index
        let works = works.sorted { $0.key < $1.key }.map(\.value)
        done.bytesSent = works.reduce(0) { $0 &+ $1.bytesSent }
        done.bytesReused = works.reduce(0) { $0 &+ $1.bytesReused }
        done.replaced = works.reduce(0) { $0 &+ $1.replaced }
        guard !isRestore else { return done }
        done.index.shards = works.map(\.result)
        done.index.sequence = works.map(\.result.sequence).max() ?? 0
        return done
    }
}

extension IndexIdentity {
    /// The identity of an index that a request makes: the same when it is sent again, so that an
    /// answer that was lost can be given again; another one once that index was removed, as one
    /// that workers remember never comes back.
    ///
    /// - Parameter removed: the newest epoch of what was removed (`IndexNames.lastEpoch`).
    init(madeBy request: RequestID, after removed: Epoch) {
        self = .draw(
            from: IndexIdentity(high: request.high, low: request.low), name: "restore",
            version: UInt64(removed.value))
    }
}
