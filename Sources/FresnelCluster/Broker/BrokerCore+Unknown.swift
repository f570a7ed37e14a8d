import FresnelModel
import FresnelWire

// What workers hold and the state does not know (`UnknownReplicas`), as answers, batches and
// operators meet it.

extension BrokerCore {
    /// The workers that are here and of this cluster.
    var members: [WorkerTable.Entry] {
        unknown.hasForeign ? workers.all.filter { !unknown.isForeign($0.worker) } : workers.all
    }

    /// Whether a worker is here: one of another cluster that has the name is another one.
    func isHere(_ worker: WorkerID) -> Bool {
        workers[worker] != nil && !unknown.isForeign(worker)
    }

    /// A message of a worker of another cluster: what lies there is told of, that it lives is
    /// shown, and nothing else that it says counts.
    mutating func noteForeign(
        _ message: Message, from worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        switch message.command {
        case .pong(let pulse):
            workers[worker]?.pulse = pulse
            return []
        case .hosted(let hosted): return noteFound(hosted, of: worker, at: moment)
        default: return []
        }
    }

    /// What the state does not explain.
    var unknownReplicas: [UnknownReplicas.Replica] {
        unknown.replicas(in: state) { key in
            let inSync = state.index(named: key.index)?[key.shard]?.inSync ?? []
            let held = inSync.compactMap { workers.lastInventory(of: key, on: $0)?.lastSequence }
            return max(held.max() ?? 0, writes.acknowledgedSequence(of: key).value)
        }.map { replica in
            var replica = replica
            replica.isAway = workers[replica.worker] == nil
            return replica
        }
    }

    /// A worker that is away is drained: what it told of is given up with it.
    mutating func dismissUnknown(of worker: WorkerID) -> [BrokerEffect] {
        guard workers[worker] == nil, unknown.dismiss(worker) else { return [] }
        return [
            .log(
                .warning,
                "worker \(worker) is drained while it is away: what it held, and this broker's "
                    + "state does not know, counts no more until it comes back")
        ]
    }

    /// Whether a worker that says HELLO belongs to another cluster.
    func isForeign(_ hello: WireHello) -> Bool {
        hello.cluster != 0 && hello.holdsReplicas && hello.cluster != state.clusterID
    }

    /// A broker that has no indexes and is to take over what it meets becomes one of the cluster of
    /// the first worker that brings something.
    ///
    /// Who was told of another cluster before must not stay bound to it: that is none any more, and
    /// what is written there would belong to nobody. Such a worker says HELLO anew.
    mutating func joinCluster(of hello: WireHello, at moment: Moment) -> [BrokerEffect] {
        guard isForeign(hello), settings.adoptsUnknown, state.indexes.isEmpty,
            !unknown.hasAdoptedCluster
        else { return [] }
        unknown.hasAdoptedCluster = true
        state.clusterID = hello.cluster
        state.touch()
        return workers.all.flatMap { entry -> [BrokerEffect] in
            guard let session = sessions[entry.session] else { return [] }
            return send(Message(Envelope(), .goodbye), to: session.id) + lose(session, at: moment)
        }
    }

    /// Takes in what lies in a worker's directory beside what it was assigned.
    mutating func noteFound(
        _ hosted: WireHosted, of worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        // Nothing counts before all of it is told, in as many messages as it takes.
        guard hosted.surveyed else {
            unknown.note(hosted, of: worker, in: state, at: moment.instant)
            return []
        }
        let before = Set(unknownReplicas.map(\.key))
        unknown.note(hosted, of: worker, in: state, at: moment.instant)
        forgetReplaced(on: worker)
        let new = unknownReplicas.filter { $0.worker == worker && !before.contains($0.key) }
        guard let first = new.first else { return [] }
        let others =
            new.count > 1 ? " (and \(new.count - 1) more, which `fresnel status` names)" : ""
        return [.log(.error, first.text + others)]
    }

    /// What was to be removed and is not there any more, since a directory of another index is in
    /// its place, is not waited for: that one may be taken over.
    private mutating func forgetReplaced(on worker: WorkerID) {
        guard !state.names.removed.isEmpty, let told = unknown.told[worker], !told.isForeign
        else { return }
        for found in told.found {
            let key = ShardKey(index: found.index, shard: ShardID(found.shard))
            let identity = IndexIdentity(found)
            guard state.forget(removed: key, on: worker, replacedBy: identity) else { continue }
            catalogue.forget(ReplicaName(shard: key, worker: worker))
            // Its worker can be given shards of that name.
            mayLackReplicas = true
        }
    }

    /// Every shard that is known to be there, once: those of the named indexes, or of all.
    ///
    /// A shard of which somebody holds more than the state knows is searched all the same, and
    /// what is found there is not all there is.
    func presentShards(of names: [String]) -> [SearchableShard] {
        var shards = searchableShards(of: names)
        for unknown in unknownShards(of: names) {
            let place = shards.firstIndex {
                $0.shard == unknown.shard && $0.index == unknown.index
            }
            guard let place else {
                shards.append(unknown)
                continue
            }
            if shards[place].doubt.isEmpty { shards[place].doubt = unknown.absence }
        }
        return shards
    }

    /// Shards of the named indexes, or of all, of which somebody holds what is not known.
    private func unknownShards(of names: [String]) -> [SearchableShard] {
        let replicas = unknownReplicas
        guard !replicas.isEmpty else { return [] }
        var shards: [SearchableShard] = []
        for replica in replicas where names.isEmpty || names.contains(replica.key.index) {
            let key = shards.last.map { ShardKey(index: $0.index, shard: $0.shard) }
            guard key != replica.key else { continue }
            var shard = SearchableShard(
                index: replica.key.index, shard: replica.key.shard, worker: nil, snapshot: .zero,
                documents: 0)
            shard.absence = replica.text
            shards.append(shard)
        }
        return shards
    }

    /// Whether an index is not known and workers hold shards of that name.
    func isHeldUnknown(_ name: String) -> Bool {
        state.index(named: name) == nil && unknownReplicas.contains { $0.key.index == name }
    }

    /// Why nothing is written to an index: it was removed, says a worker, and what was acknowledged
    /// would go with it.
    func refusalToWrite(_ index: IndexState) -> Refusal? {
        guard unknown.isRevived(index) else { return nil }
        let replica = unknownReplicas.first {
            $0.key.index == index.name && $0.reason == .removedSince
        }
        return replica.map { .final(.unknownIndex, $0.text) }
    }

    /// Workers without which a broker that knows no index cannot say that there is none; who is
    /// drained is not expected any more.
    var expectedWorkers: Int { max(1, settings.expectedWorkers - state.drained.count) }

    /// Why indexes cannot be searched, or not yet; nil where they can, or what workers hold of them
    /// makes the answer incomplete.
    func refusalToSearch(_ names: [String], at moment: Moment) -> Refusal? {
        let missing = names.filter { state.index(named: $0) == nil }
        guard names.isEmpty || !missing.isEmpty else { return nil }
        if let early = unknown.tooEarly(state, expected: expectedWorkers, at: moment.instant) {
            return .later(.starting, early)
        }
        return missing.first { !isHeldUnknown($0) }
            .map { .final(.unknownIndex, state.complaint(aboutIndex: $0)) }
    }

    /// Why nothing can be said of an index that the state does not know; nil where it is not there.
    func refusalToForget(_ name: String, at moment: Moment) -> Refusal? {
        guard state.index(named: name) == nil else { return nil }
        if let early = unknown.tooEarly(state, expected: expectedWorkers, at: moment.instant) {
            return .later(.starting, early)
        }
        let replica = unknownReplicas.first { $0.key.index == name }
        return replica.map { .final(.unknownIndex, $0.text) }
    }

    /// Takes over the indexes that workers hold and the state does not know, where the operator
    /// said so.
    mutating func adoptUnknown(at moment: Moment) -> [BrokerEffect] {
        guard settings.adoptsUnknown, isReady else { return [] }
        let (seed, version) = (settings.identitySeed, state.version)
        let adoptions = unknown.adoptions(
            in: state, of: { workers[$0] != nil },
            identity: { IndexIdentity.draw(from: seed, name: $0, version: version) },
            at: moment.instant)
        var effects: [BrokerEffect] = []
        for adoption in adoptions {
            switch admitted(adoption) {
            case .index(let index):
                state.change(index)
                structureVersion = state.version
                mayLackReplicas = true
                for (number, shard) in index.shards.enumerated() {
                    let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                    writes.remember(shard.acknowledged, of: key)
                }
                effects.append(
                    .log(
                        .warning,
                        "index \(index.name) is taken over from what workers hold, "
                            + "\(index.shardCount) shards up to part "
                            + "\(index.shards.map(\.acknowledged.value).max() ?? 0); imports into "
                            + "it begin anew, and documents without an expiration date stay for "
                            + "ever; leave --adopt out the next time"))
            case nil: continue
            case .refused(let name, let reason):
                guard unknown.complain(of: name, reason) else { continue }
                effects.append(.log(.error, "index \(name) cannot be taken over: \(reason)"))
            }
        }
        return effects
    }

    /// An index that is taken over counts like any other: its name must be free, and all there is
    /// must fit the lists of one worker; nil while that is still to be seen.
    private func admitted(_ adoption: UnknownReplicas.Adoption) -> UnknownReplicas.Adoption? {
        guard case .index(let index) = adoption else { return adoption }
        switch refusalToTake(index.name, for: .adoptedIndex) {
        case .final(_, let text)?: return .refused(name: index.name, reason: text)
        case .later?: return nil
        case nil: break
        }
        let form = IndexForm(shardCount: index.shardCount, replication: index.replication)
        do throws(Refusal) {
            try checkRoom(for: form)
            return adoption
        } catch {
            return .refused(name: index.name, reason: error.text)
        }
    }

    /// What `status` says of it.
    var unknownStatus: [WireUnknownReplica] {
        unknownReplicas.map { replica in
            var status = WireUnknownReplica()
            status.index = replica.key.index
            status.shard = replica.key.shard.number
            status.worker = replica.worker.name
            status.lastSequence = replica.lastSequence
            status.message = replica.text
            return status
        }
    }
}
