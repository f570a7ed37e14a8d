/// Which replicas go from one worker to another.
public struct MovePlan: Hashable, Sendable {
    /// Why a replica goes.
    public enum Reason: String, Hashable, Sendable {
        /// Its worker is drained.
        case drain
        /// Its worker holds more than its share.
        case balance
    }

    /// One replica that goes.
    public struct Move: Hashable, Sendable {
        /// The index.
        public var index: String
        /// The shard.
        public var shard: ShardID
        /// Who gives it.
        public var from: WorkerID
        /// Who gets it.
        public var to: WorkerID
        /// Why.
        public var reason: Reason
        /// Its bytes, as last reported.
        public var bytes: UInt64
        /// Its live documents, as last reported.
        public var documents: UInt64
        /// What it waits for, and what to do; empty when it can go on.
        public var waiting: String
        /// Whether nobody who is here has the shard whole, so that it needs a worker that is away.
        public var lacksSource: Bool
    }

    /// What a worker holds before and after the plan; moves under way are counted as done.
    public struct Worker: Hashable, Sendable {
        /// The worker.
        public var worker: WorkerID
        /// Whether everything shall leave it.
        public var isDrained: Bool
        /// Whether it can be given replicas now.
        public var isAble: Bool
        /// Replicas before.
        public var replicasBefore: Int
        /// Replicas after.
        public var replicasAfter: Int
        /// Bytes of its replicas before.
        public var bytesBefore: UInt64
        /// Bytes of its replicas after.
        public var bytesAfter: UInt64
        /// `live`, `suspect` (it does not answer) or `lost` (it is not here).
        public var state: String
    }

    /// A replica that should go and cannot now.
    public struct Obstacle: Hashable, Sendable {
        /// The index.
        public var index: String
        /// The shard.
        public var shard: ShardID
        /// Who holds it.
        public var worker: WorkerID
        /// Why not, and what to do.
        public var message: String
    }

    /// What goes; the first ones where there are very many.
    public var moves: [Move]
    /// What goes already, by earlier plans.
    public var underWay: [Move]
    /// Every worker, by name.
    public var workers: [Worker]
    /// What should go and cannot.
    public var obstacles: [Obstacle]
    /// All moves of the plan.
    public var moveCount: Int
    /// Bytes that are copied for it.
    public var moveBytes: UInt64
    /// Bytes of all replicas.
    public var storedBytes: UInt64
}
