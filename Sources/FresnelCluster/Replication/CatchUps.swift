import FresnelModel
import FresnelWire

/// One replica that is made equal to another, as the broker sees it.
///
/// Legal transitions: `ordered → following`, and from both to `resting`, from which it begins anew
/// with another ticket. The entry goes as the replica joins, or its worker goes.
struct CatchUpState: Sendable {
    enum Phase: Hashable, Sendable {
        /// A donor and the receiver were told; the copy goes on between them.
        case ordered
        /// It gets parts from the broker.
        case following
        /// Not before this instant is it tried again.
        case resting(until: Instant)
    }

    var phase: Phase
    let donor: WorkerID
    let ticket: TransferTicket
    /// What donor and receiver were told.
    let offer: ReplicaOrder.Offer
    let order: ReplicaOrder.CatchUp
    /// When it was heard of.
    var heardAt: Instant
    /// When something new was told of it: a worker whose disk hangs tells the same for ever.
    var movedAt: Instant
    /// Since when it lacks little; nil where it lacks more.
    var nearSince: Instant?
    var progress: ReplicaProgress?
    /// Why the try before failed.
    var failure: String?
}

/// Names one replica.
struct ReplicaName: Hashable, Comparable, Sendable {
    let shard: ShardKey
    let worker: WorkerID

    static func < (lhs: ReplicaName, rhs: ReplicaName) -> Bool {
        (lhs.shard, lhs.worker) < (rhs.shard, rhs.worker)
    }
}

/// The copies that were ordered, are followed, or rest after they failed.
struct CatchUps: Sendable {
    private(set) var entries: [ReplicaName: CatchUpState] = [:]

    subscript(name: ReplicaName) -> CatchUpState? {
        get { entries[name] }
        set { entries[name] = newValue }
    }

    /// A replica that follows took a part: it does not stand still, unless it falls ever further
    /// behind.
    mutating func note(_ name: ReplicaName, at now: Instant) {
        guard entries[name]?.phase == .following, entries[name]?.nearSince != nil else { return }
        entries[name]?.heardAt = now
    }

    /// A worker is gone, and with it what it copied.
    mutating func forget(_ worker: WorkerID) {
        entries = entries.filter { $0.key.worker != worker }
    }

    /// Copies that a worker gives or gets now; a donor has nothing to do with one that stands.
    func copies(of worker: WorkerID, at now: Instant) -> Int {
        entries.count { name, state in
            state.phase == .ordered
                && (name.worker == worker || state.donor == worker && state.isMoving(at: now))
        }
    }

    /// Whether a worker's replica of a shard is being copied.
    func isDonor(_ worker: WorkerID, of shard: ShardKey) -> Bool {
        entries.contains {
            $0.key.shard == shard && $0.value.donor == worker && $0.value.phase == .ordered
        }
    }

    /// Whether some replica of a shard catches up.
    func concerns(_ shard: ShardKey) -> Bool {
        entries.contains { $0.key.shard == shard && $0.value.isUnderWay }
    }
}

extension CatchUpState {
    var isUnderWay: Bool {
        switch phase {
        case .ordered, .following: true
        case .resting: false
        }
    }

    /// Whether something new was told of it not long ago.
    func isMoving(at now: Instant) -> Bool { now - movedAt < Limits.replicaStandstill }

    /// Takes in what was told of it.
    mutating func note(_ progress: ReplicaProgress, at now: Instant) {
        heardAt = now
        if progress != self.progress { movedAt = now }
        self.progress = progress
        failure = nil
    }
}
