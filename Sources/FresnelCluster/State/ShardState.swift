package import FresnelModel

/// What the broker must not forget of one shard: its copies, and which of them hold everything.
///
/// The epoch grows with every change of the in-sync set and of the assignment. At least one replica
/// is in sync, always: the last one keeps its place while it is away, since what was acknowledged
/// is there and nowhere else.
package struct ShardState: Hashable, Sendable {
    /// Grows with every change of the replicas.
    package private(set) var epoch: Epoch
    /// The assigned replicas; the order has no meaning but that it stays.
    package private(set) var replicas: [ReplicaState]
    /// A part that was acknowledged; newer ones may have been.
    ///
    /// Written now and then, so that a replica that comes back with less is known as such also by
    /// a broker that has just started.
    package internal(set) var acknowledged = SequenceNumber.zero

    /// A new shard: nothing was written yet, so every replica holds everything.
    package init(on workers: [WorkerID]) {
        epoch = Epoch(1)
        replicas = workers.map {
            ReplicaState(worker: $0, identity: .unknown, isInSync: true, since: Epoch(1))
        }
    }

    /// A shard as it was read.
    package init(
        epoch: Epoch, replicas: [ReplicaState], acknowledged: SequenceNumber = .zero
    ) {
        self.epoch = epoch
        self.replicas = replicas
        self.acknowledged = acknowledged
    }

    /// The workers whose replicas hold everything that was acknowledged.
    package var inSync: [WorkerID] { replicas.filter(\.isInSync).map(\.worker) }

    /// The first replica that holds everything; nil for a shard without any replica.
    package var first: ReplicaState? { replicas.first(where: \.isInSync) ?? replicas.first }

    package func replica(on worker: WorkerID) -> ReplicaState? {
        replicas.first { $0.worker == worker }
    }

    /// Notes which directory a replica is.
    mutating func recognize(_ identity: ReplicaIdentity, on worker: WorkerID) {
        guard let place = place(of: worker) else { return }
        replicas[place].identity = identity
    }

    /// Assigns one more replica, which holds nothing yet.
    mutating func assign(_ worker: WorkerID) {
        precondition(place(of: worker) == nil, "\(worker) has a replica already: \(self)")
        epoch = Epoch(epoch.value + 1)
        replicas.append(
            ReplicaState(
                worker: worker, identity: .unknown, isInSync: false, since: epoch,
                departure: .assigned))
    }

    /// Takes a replica into the in-sync set.
    mutating func admit(_ worker: WorkerID) {
        guard let place = place(of: worker), !replicas[place].isInSync else { return }
        epoch = Epoch(epoch.value + 1)
        replicas[place].isInSync = true
        replicas[place].departure = .unspecified
    }

    /// Takes a replica out of the in-sync set; false, and nothing done, when it is the last one.
    mutating func exclude(_ worker: WorkerID, as departure: Departure = .unspecified) -> Bool {
        guard let place = place(of: worker), replicas[place].isInSync, inSync.count > 1 else {
            return false
        }
        epoch = Epoch(epoch.value + 1)
        replicas[place].isInSync = false
        replicas[place].since = epoch
        replicas[place].departure = departure
        return true
    }

    private func place(of worker: WorkerID) -> Int? {
        replicas.firstIndex { $0.worker == worker }
    }
}

/// One copy of a shard, as the cluster state knows it.
package struct ReplicaState: Hashable, Sendable {
    package let worker: WorkerID
    /// `unknown` until its worker said which directory it is.
    package internal(set) var identity: ReplicaIdentity
    /// Whether it holds everything that was acknowledged.
    package internal(set) var isInSync: Bool
    /// The shard's epoch when the replica was made, or last taken out of the in-sync set.
    ///
    /// What names an older one was meant for what the replica was before: both sides refuse it.
    package internal(set) var since: Epoch
    /// Why it is not in sync.
    package internal(set) var departure: Departure

    package init(
        worker: WorkerID, identity: ReplicaIdentity, isInSync: Bool, since: Epoch,
        departure: Departure = .unspecified
    ) {
        self.worker = worker
        self.identity = identity
        self.isInSync = isInSync
        self.since = since
        self.departure = departure
    }
}
