package import FresnelModel

/// What the broker must not forget: written durably before anything relies on it.
///
/// Small, and rewritten whole (write-new, fsync, rename). Queries, sessions and batches in flight
/// are not here: after a restart peers re-register and clients resend.
package struct ClusterState: Hashable, Sendable {
    /// Grows with every change; `persisted(version:)` names what is on disk.
    package internal(set) var version: UInt64 = 0
    /// Grows with every start of the broker; fences older brokers and their workers.
    package var epoch = Epoch(0)
    /// Tells two clusters apart; random, chosen once.
    package var clusterID: UInt64
    /// The indexes, ordered by name.
    package internal(set) var indexes: [IndexState] = []
    /// Workers that get no replicas and give away those they have, ordered by name.
    package private(set) var drained: [WorkerID] = []
    /// The directories in which workers showed replicas that are known, by the workers' names.
    package private(set) var directories: [WorkerID: DirectoryIdentity] = [:]
    /// A time that is over, as the broker knew it for certain when the state was written; nil in a
    /// state of a broker that did not say.
    package internal(set) var knownTime: Timestamp?
    /// Aliases, and what is left of removed indexes.
    package internal(set) var names = IndexNames()

    package init(clusterID: UInt64) {
        self.clusterID = clusterID
    }

    package func index(named name: String) -> IndexState? {
        indexes.first { $0.name == name }
    }

    /// Changes one index, or adds it, and counts the change.
    package mutating func change(_ index: IndexState) {
        version += 1
        if let position = indexes.firstIndex(where: { $0.name == index.name }) {
            indexes[position] = index
        } else {
            indexes.append(index)
            indexes.sort { $0.name < $1.name }
        }
    }

    /// Takes an index out, and counts the change.
    ///
    /// - Parameter isKnown: whether workers may have something of it, which they must remove.
    package mutating func remove(_ index: IndexState, isKnown: Bool = true) {
        version += 1
        indexes.removeAll { $0.name == index.name }
        if isKnown { names.bury(index) }
    }

    /// Lets a name lead to an index; the one that it led to before.
    mutating func set(alias: String, to index: String) -> String? {
        version += 1
        return names.set(alias, to: index)
    }

    /// Takes a name away; the index that it led to.
    mutating func unset(alias: String) -> String? {
        version += 1
        return names.unset(alias)
    }

    /// A worker has removed what it had of a removed index; false when it had nothing.
    mutating func forget(removed shard: ShardKey, on worker: WorkerID, at epoch: Epoch) -> Bool {
        guard names.forget(shard, on: worker, at: epoch) else { return false }
        version += 1
        return true
    }

    /// A worker has a replica of another index where one of a removed index was; false when nothing
    /// was waited for there.
    mutating func forget(
        removed shard: ShardKey, on worker: WorkerID, replacedBy identity: IndexIdentity
    ) -> Bool {
        guard names.forget(shard, on: worker, replacedBy: identity) else { return false }
        version += 1
        return true
    }

    /// Gives indexes of a state that knew no identities theirs; it lasts once the state is written.
    mutating func drawMissingIdentities(from seed: IndexIdentity) {
        for number in indexes.indices where indexes[number].identity == .unknown {
            indexes[number].identity = .draw(
                from: seed, name: indexes[number].name, version: version)
        }
    }

    /// Marks workers as drained, all of them and no others.
    package mutating func drain(_ workers: some Sequence<WorkerID>) {
        version += 1
        drained = Set(workers).sorted()
    }

    /// Notes in which directory a worker showed a replica that is known; those of workers that
    /// hold none any more are forgotten.
    ///
    /// The first one counts: what replicas are called is told to every process of the name.
    ///
    /// - Parameter replacing: whether the operator gave up what was there before.
    mutating func note(
        _ directory: DirectoryIdentity, of worker: WorkerID, replacing: Bool = false
    ) {
        guard directory != .unknown, directories[worker] != directory,
            replacing || directories[worker] == nil
        else { return }
        let placed = Set(indexes.flatMap(\.placedWorkers))
        directories = directories.filter { placed.contains($0.key) }
        guard directories.count < Limits.knownDirectories else { return }
        directories[worker] = directory
        version += 1
    }

    /// Takes in directories as they were read.
    mutating func restore(_ directories: [WorkerID: DirectoryIdentity]) {
        self.directories = directories
    }

    /// Counts a change that is not one of an index.
    package mutating func touch() {
        version += 1
    }

    /// The custom keys of these indexes, for understanding a query over all of them; where two
    /// indexes declare a name differently, the first by name of index counts.
    package func schema(of names: [String]) -> AttributeSchema {
        var schema = AttributeSchema()
        for index in indexes where names.isEmpty || names.contains(index.name) {
            for key in index.schema.sortedCustomKeys where schema.customKeys[key.name] == nil {
                do { try schema.declare(key) } catch { continue }
            }
        }
        return schema
    }
}

/// What the broker must not forget of one index.
package struct IndexState: Hashable, Sendable {
    package let name: String
    /// Drawn when the index is made; `unknown` only until a broker starts with an older state.
    package internal(set) var identity: IndexIdentity
    /// Fixed when the index is made.
    package let shardCount: UInt32
    /// How many copies of each shard there shall be.
    package let replication: UInt32
    /// The copies of every shard, by shard number.
    package internal(set) var shards: [ShardState]
    /// Custom attribute keys in use.
    package var schema: AttributeSchema
    /// Life of a document that names no expiration; nil is for ever.
    package var defaultExpirationSeconds: Double?
    /// Whether some document was ever routed by its relation; then identifiers of new versions are
    /// told to all shards, since the old version may live in another one.
    package var holdsRelated = false
    /// No sequence number at or above this was ever given out.
    package var sequenceLease = SequenceNumber(1)
    /// The client state committed with the newest batch that carried one.
    package var clientState: [UInt8]?
    /// The batch that last set or removed the client state.
    package var clientStateOrigin: ClientStateOrigin?

    package init(
        name: String, identity: IndexIdentity, shardCount: UInt32, replication: UInt32 = 1,
        shards: [ShardState], defaultExpirationSeconds: Double?
    ) {
        self.name = name
        self.identity = identity
        self.shardCount = shardCount
        self.replication = replication
        self.shards = shards
        self.defaultExpirationSeconds = defaultExpirationSeconds
        schema = AttributeSchema()
    }

    /// The shards that `worker` hosts a replica of.
    package func shards(on worker: WorkerID) -> [ShardID] {
        shards.indices.filter { shards[$0].replica(on: worker) != nil }
            .map { ShardID(UInt32($0)) }
    }

    /// The copies of a shard; nil when there is no such shard.
    package subscript(shard: ShardID) -> ShardState? {
        let number = Int(shard.number)
        return shards.indices.contains(number) ? shards[number] : nil
    }

    /// Every worker that is to hold something.
    package var placedWorkers: Set<WorkerID> {
        Set(shards.flatMap { $0.replicas.map(\.worker) })
    }
}

extension IndexState {
    /// Gives out the next sequence number; the lease is raised well ahead of it, so that a
    /// restarted broker, which starts at the lease, never gives one out twice.
    mutating func takeSequence(after last: SequenceNumber?) -> SequenceNumber {
        let sequence = last?.next ?? sequenceLease
        if sequence >= sequenceLease {
            sequenceLease = SequenceNumber(sequence.value + Limits.sequenceLease)
        }
        return sequence
    }
}
