package import FresnelModel

/// What a plan knows of a cluster: who can hold replicas, and who holds which.
package struct PlacementView: Sendable {
    /// A worker that is here, or holds something, or is drained.
    package struct Worker: Hashable, Sendable {
        package let worker: WorkerID
        /// Whether it is here and answers.
        package var isLive: Bool
        /// Whether everything shall leave it.
        package var isDrained: Bool

        package init(_ worker: WorkerID, isLive: Bool = true, isDrained: Bool = false) {
            self.worker = worker
            self.isLive = isLive
            self.isDrained = isDrained
        }

        /// Whether it can be given replicas.
        package var isAble: Bool { isLive && !isDrained }
    }

    /// One shard with its replicas.
    package struct Shard: Sendable {
        package let key: ShardKey
        package var replicas: [ReplicaState]
        /// How many there shall be.
        package var copies: Int
        /// Workers that have still to remove a replica of it.
        package var removing: Set<WorkerID>
        /// Bytes and documents of one replica, as one that is in sync reported; 0 while unknown.
        package var bytes: UInt64
        package var documents: UInt64

        package init(
            _ key: ShardKey, replicas: [ReplicaState], copies: Int = 1,
            removing: Set<WorkerID> = [], bytes: UInt64 = 0, documents: UInt64 = 0
        ) {
            self.key = key
            self.replicas = replicas
            self.copies = copies
            self.removing = removing
            self.bytes = bytes
            self.documents = documents
        }

        /// The workers that hold it once the move that is under way is done.
        var holders: [WorkerID] { replicas.filter { $0.successor == nil }.map(\.worker) }

        var isMoving: Bool { replicas.contains { $0.successor != nil } }

        /// What one replica of it costs its worker, in bytes.
        var weight: UInt64 {
            bytes.saturatingAdding(Limits.replicaCostBytes)
        }
    }

    package var workers: [Worker]
    package var shards: [Shard]

    package init(workers: [Worker], shards: [Shard]) {
        self.workers = workers.sorted { $0.worker < $1.worker }
        self.shards = shards.sorted { $0.key < $1.key }
    }

    /// The drained workers.
    var drained: Set<WorkerID> { Set(workers.filter(\.isDrained).map(\.worker)) }
}

/// A replica that goes from one worker to another.
package struct ShardMove: Hashable, Sendable {
    /// Why it goes.
    package enum Reason: String, Hashable, Sendable, CaseIterable {
        /// Its worker is drained.
        case drain
        /// Its worker holds more than its share, and the other one less.
        case balance
    }

    package let shard: ShardKey
    package let from: WorkerID
    package let to: WorkerID
    package let reason: Reason
    /// Of the replica, as last reported.
    package let bytes: UInt64
    package let documents: UInt64
}
