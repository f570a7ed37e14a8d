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
    /// Replicas that left the shard for good and whose workers did not say yet that they removed
    /// them.
    package private(set) var dropped: [DroppedReplica] = []

    /// A new shard: nothing was written yet, so every replica holds everything.
    package init(on workers: [WorkerID], epoch: Epoch = Epoch(1)) {
        self.epoch = epoch
        replicas = workers.map {
            ReplicaState(worker: $0, identity: .unknown, isInSync: true, since: epoch)
        }
    }

    /// A shard as it was read.
    package init(
        epoch: Epoch, replicas: [ReplicaState], dropped: [DroppedReplica] = [],
        acknowledged: SequenceNumber = .zero
    ) {
        self.epoch = epoch
        self.replicas = replicas
        self.dropped = dropped
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
        // What it was told to remove it may keep: a replica that is not in sync is made equal.
        dropped.removeAll { $0.worker == worker }
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

    /// Lets a replica go to another worker: a new one is made there, and once that is in sync this
    /// one leaves.
    mutating func move(from worker: WorkerID, to successor: WorkerID) {
        guard let place = place(of: worker) else { return }
        precondition(
            replicas.allSatisfy { $0.successor == nil }, "a replica moves already: \(self)")
        assign(successor)
        replicas[place].successor = successor
    }

    /// Takes a replica out of the shard for good; false, and nothing done, when it is the last one
    /// in sync.
    ///
    /// Its worker is to remove it; what was to take its place stays.
    mutating func remove(_ worker: WorkerID) -> Bool {
        guard let place = place(of: worker), !replicas[place].isInSync || inSync.count > 1 else {
            return false
        }
        epoch = Epoch(epoch.value + 1)
        let identity = replicas.remove(at: place).identity
        for number in replicas.indices where replicas[number].successor == worker {
            replicas[number].successor = nil
        }
        dropped.removeAll { $0.worker == worker }
        dropped.append(DroppedReplica(worker: worker, identity: identity, epoch: epoch))
        // Who never came back for so many moves has lost its directory.
        dropped = dropped.suffix(Limits.droppedReplicas)
        return true
    }

    /// A worker removed what it was told to remove at this epoch.
    mutating func forget(dropped worker: WorkerID, at epoch: Epoch) {
        dropped.removeAll { $0.worker == worker && $0.epoch <= epoch }
    }

    /// The replicas that are there once what moves has moved.
    var staying: Int { replicas.count { $0.successor == nil } }

    /// Which directory a worker has of the shard, or has still to remove; unknown where it never
    /// said.
    func identity(on worker: WorkerID) -> ReplicaIdentity {
        replica(on: worker)?.identity ?? dropped.first { $0.worker == worker }?.identity ?? .unknown
    }

    /// Workers that hold a replica, or have still to remove one.
    package var namedWorkers: [WorkerID] { replicas.map(\.worker) + dropped.map(\.worker) }

    /// The replica that moves, if one does.
    package var moving: ReplicaState? { replicas.first { $0.successor != nil } }

    private func place(of worker: WorkerID) -> Int? {
        replicas.firstIndex { $0.worker == worker }
    }
}

/// A replica that left its shard for good, until its worker removed it.
package struct DroppedReplica: Hashable, Sendable {
    package let worker: WorkerID
    /// Which directory it is; unknown where its worker never said.
    package let identity: ReplicaIdentity
    /// The shard's epoch when it left.
    package let epoch: Epoch

    package init(worker: WorkerID, identity: ReplicaIdentity, epoch: Epoch) {
        self.worker = worker
        self.identity = identity
        self.epoch = epoch
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
    /// The worker whose replica takes this one's place as soon as it is in sync; nil while it
    /// stays.
    package internal(set) var successor: WorkerID?

    package init(
        worker: WorkerID, identity: ReplicaIdentity, isInSync: Bool, since: Epoch,
        departure: Departure = .unspecified, successor: WorkerID? = nil
    ) {
        self.worker = worker
        self.identity = identity
        self.isInSync = isInSync
        self.since = since
        self.departure = departure
        self.successor = successor
    }
}
