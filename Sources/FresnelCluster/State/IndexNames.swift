package import FresnelModel

/// Other names of indexes, and what is left of indexes that were removed.
///
/// A name is that of an index or of an alias, never of both. A removed index stays known until
/// every worker that had a replica of it has said that its directory is gone: so one that was away
/// is told when it comes back, and gets no shard of that name before, which it would open with the
/// former documents in it.
package struct IndexNames: Hashable, Sendable {
    /// The aliases, ordered by name.
    package private(set) var aliases: [IndexAlias] = []
    /// Indexes that are gone and of which workers may have something, oldest first.
    package private(set) var removed: [RemovedIndex] = []
    /// No shard of an index that was removed had a newer epoch: those of a new one begin above, so
    /// that workers tell what is meant for the one from what was meant for the other.
    package private(set) var lastEpoch = Epoch(0)

    package init() {}

    /// Names as they were read.
    init(aliases: [IndexAlias], removed: [RemovedIndex], lastEpoch: Epoch) {
        self.aliases = aliases
        self.removed = removed
        self.lastEpoch = lastEpoch
    }

    /// The epoch of the shards of an index that is made now.
    package var firstEpoch: Epoch { Epoch(lastEpoch.value + 1) }

    /// The index that a name leads to: itself, unless it is an alias.
    package func index(of name: String) -> String {
        guard !aliases.isEmpty else { return name }
        var places = aliases.indices
        while let place = places.middle {
            if aliases[place].name == name { return aliases[place].index }
            places =
                aliases[place].name < name
                ? place + 1..<places.upperBound : places.lowerBound..<place
        }
        return name
    }

    /// The aliases of an index, ordered by name.
    package func aliases(of index: String) -> [String] {
        aliases.filter { $0.index == index }.map(\.name)
    }

    /// The workers that may still have something of a removed index of this name.
    package func holders(of name: String) -> Set<WorkerID> {
        removed.reduce(into: []) { holders, index in
            if index.name == name { holders.formUnion(index.replicas.map(\.worker)) }
        }
    }

    /// What is left of the removed index of a name and an identity; nil where nothing is, or for an
    /// unknown identity.
    func removed(_ name: String, _ identity: IndexIdentity) -> RemovedIndex? {
        guard identity != .unknown else { return nil }
        return removed.first { $0.name == name && $0.identity == identity }
    }

    /// Whether a worker's replica of a shard is what is left of a removed index.
    ///
    /// - Parameter identity: of the index that the replica was made for; unknown where nobody says.
    package func isRemoved(
        _ shard: ShardKey, on worker: WorkerID, of identity: IndexIdentity = .unknown
    ) -> Bool {
        removed.contains { index in
            index.name == shard.index && index.identity.mayBe(identity)
                && index.replicas.contains { $0.shard == shard.shard && $0.worker == worker }
        }
    }

    /// Whether an order of this epoch told a worker to remove what is left of a removed index.
    func isToRemove(_ shard: ShardKey, on worker: WorkerID, at epoch: Epoch) -> Bool {
        removed.contains { index in
            index.name == shard.index
                && index.replicas.contains {
                    $0.shard == shard.shard && $0.worker == worker && $0.epoch == epoch
                }
        }
    }

    /// Lets a name lead to an index; the index that it led to before.
    mutating func set(_ name: String, to index: String) -> String? {
        let former = aliases.first { $0.name == name }?.index
        aliases.removeAll { $0.name == name }
        aliases.append(IndexAlias(name: name, index: index))
        aliases.sort { $0.name < $1.name }
        return former
    }

    /// Takes a name away; the index that it led to, nil for a name that was none.
    mutating func unset(_ name: String) -> String? {
        let former = aliases.first { $0.name == name }?.index
        aliases.removeAll { $0.name == name }
        return former
    }

    /// Notes that an index is gone, and who has something of it.
    mutating func bury(_ index: IndexState) {
        var replicas: [RemovedReplica] = []
        for (number, shard) in index.shards.enumerated() {
            let epoch = Epoch(shard.epoch.value + 1)
            lastEpoch = max(lastEpoch, epoch)
            for worker in Set(shard.namedWorkers).sorted() {
                replicas.append(
                    RemovedReplica(
                        shard: ShardID(UInt32(number)), worker: worker,
                        identity: shard.identity(on: worker), epoch: epoch))
            }
        }
        guard !replicas.isEmpty else { return }
        removed.append(
            RemovedIndex(name: index.name, identity: index.identity, replicas: replicas))
    }

    /// A worker has removed its replica; false when nobody had told it to.
    mutating func forget(
        _ shard: ShardKey, on worker: WorkerID, at epoch: Epoch
    ) -> Bool {
        for number in removed.indices where removed[number].name == shard.index {
            guard removed[number].forget(shard.shard, on: worker, at: epoch) else { continue }
            if removed[number].replicas.isEmpty { removed.remove(at: number) }
            return true
        }
        return false
    }

    /// A place on a disk holds one directory: where a worker has one of another index, nothing is
    /// left of a removed one; false when nothing was waited for there.
    mutating func forget(
        _ shard: ShardKey, on worker: WorkerID, replacedBy identity: IndexIdentity
    ) -> Bool {
        guard isRemoved(shard, on: worker) else { return false }
        var isForgotten = false
        for number in removed.indices
        where removed[number].name == shard.index && !removed[number].identity.mayBe(identity) {
            if removed[number].forget(shard.shard, on: worker) { isForgotten = true }
        }
        removed.removeAll(where: \.replicas.isEmpty)
        return isForgotten
    }
}

/// A name that leads to an index.
package struct IndexAlias: Hashable, Sendable {
    package let name: String
    package let index: String
}

/// An index that is gone, until nothing of it is left anywhere.
package struct RemovedIndex: Hashable, Sendable {
    package let name: String
    package let identity: IndexIdentity
    /// What workers have still to remove.
    package private(set) var replicas: [RemovedReplica]

    init(name: String, identity: IndexIdentity, replicas: [RemovedReplica]) {
        self.name = name
        self.identity = identity
        self.replicas = replicas
    }

    /// False when there is no such replica.
    ///
    /// - Parameter epoch: of the order to remove it; nil is any.
    fileprivate mutating func forget(
        _ shard: ShardID, on worker: WorkerID, at epoch: Epoch? = nil
    ) -> Bool {
        let count = replicas.count
        replicas.removeAll {
            $0.shard == shard && $0.worker == worker && $0.epoch == epoch ?? $0.epoch
        }
        return replicas.count < count
    }
}

/// A replica of a removed index, until its worker has removed it.
package struct RemovedReplica: Hashable, Sendable {
    package let shard: ShardID
    package let worker: WorkerID
    /// Which directory it is; unknown where its worker never said.
    package let identity: ReplicaIdentity
    /// Newer than any that the worker was told of the shard.
    package let epoch: Epoch
}

extension Range<Int> {
    /// A place in the middle; nil of an empty range.
    fileprivate var middle: Int? { isEmpty ? nil : lowerBound + count / 2 }
}
