/// What a cluster says about itself at one moment.
public struct ClusterStatus: Hashable, Sendable {
    /// One worker, whether it is here or missing.
    public struct Worker: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// `live`, `suspect`, `lost`, or `ended`: drained, away, and nothing is missing without it.
        public var state: String
        /// Live documents in its shards.
        public var documents: UInt64
        /// Shards it holds whole.
        public var shards: Int
        /// Memory in use, in bytes.
        public var residentBytes: UInt64
        /// How long it has said nothing.
        public var silence: Duration
        /// Name and version of its program.
        public var software: String
        /// How long it keeps versions that are no longer current; nil while it is lost.
        public var retention: Retention?
        /// Free bytes of the disk with its directory; 0 while it is lost.
        public var diskFreeBytes: UInt64
        /// Whether the disk refused something since there was room.
        public var isDiskFull: Bool
        /// Whether it is drained: it gets no replicas and gives away those it has.
        public var isDrained: Bool
        /// Replicas that are assigned to it.
        public var replicas: Int
        /// Replicas that left their shards and that it has still to remove.
        public var removing: Int
        /// Segments that it made out of others since it began.
        public var merges: UInt64
        /// Bytes of those others.
        public var mergedBytes: UInt64
        /// How far ahead its clock is of the broker's; nil while it did not say.
        public var clockLead: Duration?
    }

    /// How long versions that were replaced or deleted stay readable, for cursors: for this time
    /// and for so many batches, whichever is longer.
    public struct Retention: Hashable, Sendable {
        /// The time.
        public var time: Duration
        /// The batches.
        public var batches: UInt64
    }

    /// Where one shard is.
    public struct Shard: Hashable, Sendable {
        /// Its number.
        public var shard: ShardID
        /// Who holds it.
        public var worker: WorkerID
        /// `whole`, `opening`, `unreachable`, `refused` (another replica than the known one),
        /// `stale` (without what was acknowledged), `damaged` or `failed` (it cannot be opened),
        /// `differing` (the contents of its copies differ), `dropped` (what has not expired was
        /// merged away).
        public var state: String
        /// Why it is not whole, where that is known.
        public var message: String
        /// Live documents.
        public var documents: UInt64
        /// The newest part in its journal.
        public var lastSequence: SequenceNumber
        /// A cursor that reads below this has expired.
        public var oldestReadable: SequenceNumber
        /// Grows with every change of the copies.
        public var epoch: Epoch
        /// Every copy; none where there shall be only one, which is the worker's.
        public var replicas: [Replica]
    }

    /// One copy of a shard.
    public struct Replica: Hashable, Sendable {
        /// Who holds it.
        public var worker: WorkerID
        /// `whole`, `opening`, `unreachable`, `refused`, `stale`, `damaged`, `failed`, `behind`,
        /// `copying`, `tailing`, `differing` or `dropped`.
        public var state: String
        /// Whether it has everything that was acknowledged, and is searched.
        public var isInSync: Bool
        /// Live documents.
        public var documents: UInt64
        /// The newest part in its journal.
        public var lastSequence: SequenceNumber
        /// Of a copy that is under way, the bytes that are done, and all; 0 while unknown.
        public var copiedBytes: UInt64
        /// All bytes of a copy that is under way.
        public var totalBytes: UInt64
        /// Why it is not in sync; empty when it is.
        public var message: String
        /// The same in a word: `away`, `silent`, `stale`, `damaged`, `diskFull`, `storageFailed`,
        /// `contentDiffers` and others; empty when it is in sync.
        public var reason: String
        /// The worker whose replica takes its place; nil while it stays.
        public var successor: WorkerID?
    }

    /// One index.
    public struct Index: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Live documents.
        public var documents: UInt64
        /// The newest acknowledged batch.
        public var committed: SequenceNumber
        /// Life of a document without an expiration date; zero means for ever.
        public var defaultExpiration: Duration
        /// When documents without an expiration date vanish.
        public var expiration: ExpirationPolicy {
            ExpirationPolicy(seconds: defaultExpiration.inSeconds) ?? .never
        }
        /// Where its shards are.
        public var shards: [Shard]
        /// Copies that each shard shall have.
        public var replication: Int
        /// The declared attributes, in order of name.
        public var customKeys: [CustomAttributeKey]
        /// Names that lead to it, in order.
        public var aliases: [String]
        /// Bytes of one copy of each shard.
        public var storedBytes: UInt64
        /// Tells it from another index of its name.
        package var identity: (high: UInt64, low: UInt64) { (identityHigh, identityLow) }
        let identityHigh: UInt64
        let identityLow: UInt64
    }

    /// What is left of an index that was removed, on workers that are to remove it.
    public struct RemovedIndex: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// The workers that have still something of it.
        public var workers: [WorkerID]
        /// How many replicas they have.
        public var replicas: Int
        /// Why one of them could not be removed yet; empty when no worker said so.
        public var message: String
    }

    /// What a worker holds and the broker does not know: answers are incomplete by it.
    public struct UnknownReplica: Hashable, Sendable {
        /// The name of its index.
        public var index: String
        /// The shard of the index.
        public var shard: ShardID
        /// Who holds it.
        public var worker: WorkerID
        /// The newest part in its journal.
        public var lastSequence: SequenceNumber
        /// Why it is not known, and what to do.
        public var message: String
    }

    /// Name and version of the broker's program.
    public var software: String
    /// The configuration generation.
    public var epoch: Epoch
    /// How long the broker has been running.
    public var uptime: Duration
    /// Clients that are connected.
    public var clients: UInt64
    /// Queries that are running.
    public var activeQueries: UInt64
    /// The workers, in order of name.
    public var workers: [Worker]
    /// The indexes, in order of name.
    public var indexes: [Index]
    /// Removed indexes of which workers have still something.
    public var removed: [RemovedIndex]
    /// Replicas that a plan would move now; 0 while the workers are balanced.
    public var plannedMoves: Int
    /// Their bytes.
    public var plannedBytes: UInt64
    /// What is wrong with the clocks of the cluster, and what to do; empty when nothing is.
    ///
    /// While something is, nothing that has expired is removed from any disk.
    public var clockTrouble: String
    /// Documents that had expired by then may be gone from the disks; nil while none is removed: in
    /// the first hour of a broker, and while there is trouble with clocks.
    public var expiredBy: Timestamp?
    /// What workers hold and the broker does not know, by index and shard: its state is older than
    /// they are, or lost, or they are of another cluster.
    public var unknownReplicas: [UnknownReplica]
    /// Why the broker cannot write what it knows of indexes, aliases and replicas; empty when it
    /// can.
    ///
    /// What was changed since counts, and is lost if the broker ends before it can write again.
    public var unwritten: String
    /// Counters since the broker started.
    public var counters: [String: UInt64]

    /// Whether every shard is whole, and the broker knows everything that workers hold.
    public var isWhole: Bool {
        unknownReplicas.isEmpty
            && indexes.allSatisfy { $0.shards.allSatisfy { $0.state == "whole" } }
    }

    /// The index that a name leads to, which may be an alias; nil when there is none.
    public subscript(name: IndexName) -> Index? {
        indexes.first { $0.name == name.text } ?? indexes.first { $0.aliases.contains(name.text) }
    }

    /// The declared attributes of an index; none when it does not exist.
    public func schema(of index: IndexName) -> AttributeSchema {
        let keys = self[index]?.customKeys ?? []
        var schema = AttributeSchema()
        for key in keys {
            // The broker declares each key once; of a broker that does not, the first counts.
            try? schema.declare(key)
        }
        return schema
    }
}
