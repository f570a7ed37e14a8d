import FresnelModel
import FresnelWire

// Taking over what is there. An index comes back when every one of its shards is somewhere. Which
// replicas were in sync nobody knows any more: those that go furthest are, and the others are made
// equal to them. What only the state knew is gone: client states, so that imports begin anew, and
// how long documents without a date are kept, which is for ever from now on.

extension UnknownReplicas {
    /// What became of the replicas that have one name.
    enum Adoption: Equatable, Sendable {
        case index(IndexState)
        /// It cannot be taken over, or not yet.
        case refused(name: String, reason: String)
    }

    /// The indexes that the state does not know, as far as they can be made of what is there.
    ///
    /// What a worker told that has gone since may have been moved away meanwhile.
    ///
    /// - Parameters:
    ///   - isHere: whether a worker is here now.
    ///   - identity: what an index gets whose replicas name none.
    func adoptions(
        in state: ClusterState, of isHere: (WorkerID) -> Bool,
        identity: (String) -> IndexIdentity, at now: Instant
    ) -> [Adoption] {
        var byName: [String: [(worker: WorkerID, found: WireFoundReplica)]] = [:]
        var newest: [String: Instant] = [:]
        for (worker, entry) in told where !entry.isForeign && isHere(worker) {
            for found in entry.found where state.index(named: found.index) == nil {
                let key = ShardKey(index: found.index, shard: ShardID(found.shard))
                // What was removed does not come back by what a worker has not removed yet.
                guard !state.names.isRemoved(key, on: worker, of: IndexIdentity(found)) else {
                    continue
                }
                byName[found.index, default: []].append((worker, found))
                newest[found.index] = max(newest[found.index] ?? entry.since, entry.since)
            }
        }
        return byName.sorted { $0.key < $1.key }.compactMap { name, replicas in
            // Others may be on their way, with more.
            guard let since = newest[name], now - since >= Limits.lossPatience else { return nil }
            return adoption(name, replicas, in: state, identity: identity(name))
        }
    }

    private func adoption(
        _ name: String, _ replicas: [(worker: WorkerID, found: WireFoundReplica)],
        in state: ClusterState, identity drawn: IndexIdentity
    ) -> Adoption {
        let made = Set(replicas.map { IndexIdentity($0.found) })
        let counts = Set(replicas.map(\.found.shardCount))
        guard made.count == 1, counts.count == 1, let count = counts.first, count > 0,
            count <= Limits.shardsPerIndex, let identity = made.first
        else {
            return .refused(
                name: name,
                reason: "workers hold several indexes of that name, or a manifest that cannot be "
                    + "read; move what is not wanted out of their directories")
        }
        let mark = RemovedMark(name: name, identity: identity)
        if let witness = witness(of: mark) {
            return .refused(
                name: name,
                reason: "it was removed, says worker \(witness), which has removed its part of it; "
                    + "move indexes/\(name) out of the other workers' directories, or, if it is "
                    + "wanted, the file removed-indexes out of that worker's")
        }
        let byShard = Dictionary(grouping: replicas, by: \.found.shard)
        let missing = (0..<count).filter { byShard[$0] == nil }
        guard missing.isEmpty else {
            let names = missing.prefix(8).map(String.init).joined(separator: ", ")
            return .refused(
                name: name, reason: "nobody here holds its shards \(names); start their workers")
        }
        let epoch = state.names.firstEpoch
        let shards = (0..<count).map { Self.shard(of: byShard[$0] ?? [], at: epoch) }
        var index = IndexState(
            name: name, identity: identity == .unknown ? drawn : identity, shardCount: count,
            replication: UInt32(shards.map(\.replicas.count).max() ?? 1), shards: shards,
            defaultExpirationSeconds: nil)
        let last = replicas.map(\.found.lastSequence).max() ?? 0
        index.sequenceLease = SequenceNumber(last + Limits.sequenceLease)
        index.holdsRelated = replicas.contains(where: \.found.holdsRelated)
        for key in replicas.flatMap(\.found.customKeys) {
            // One key is told by all its shards; of two that differ the first counts.
            try? index.schema.declare(CustomAttributeKey(key))
        }
        return .index(index)
    }

    /// A worker that has removed its part of an index with it; nil where nobody says so.
    private func witness(of mark: RemovedMark) -> WorkerID? {
        told.filter { !$0.value.isForeign && $0.value.removed.contains(mark) }.keys.min()
    }

    private static func shard(
        of replicas: [(worker: WorkerID, found: WireFoundReplica)], at epoch: Epoch
    ) -> ShardState {
        let last = replicas.map(\.found.lastSequence).max() ?? 0
        let states =
            replicas
            .sorted {
                $0.found.lastSequence == $1.found.lastSequence
                    ? $0.worker < $1.worker : $0.found.lastSequence > $1.found.lastSequence
            }
            .prefix(Limits.replicasPerShard)
            .map { worker, found in
                let isInSync = found.lastSequence == last
                return ReplicaState(
                    worker: worker, identity: ReplicaIdentity(found.identity), isInSync: isInSync,
                    since: epoch, departure: isInSync ? .unspecified : .stale)
            }
        return ShardState(
            epoch: epoch, replicas: Array(states), acknowledged: SequenceNumber(last))
    }
}
