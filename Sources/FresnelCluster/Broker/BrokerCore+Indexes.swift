import FresnelModel
import FresnelWire

// CHANGE_INDEXES: indexes and aliases that are made and removed. Each is one change of the cluster
// state, and is answered once that is durable. What workers have of a removed index they are told
// to remove, again and again until they say that they have, also when they come back after months:
// the state keeps their names, the directories' identities and epochs until then (IndexNames).

extension BrokerCore {
    /// Carries out a change of indexes.
    mutating func change(
        _ change: WireChangeIndexes, _ request: Envelope, for session: SessionID,
        at moment: Moment
    ) -> [BrokerEffect] {
        if let answer = catalogue.answer(to: request.id) {
            return send(Message(request.reply, .indexesChanged(answer)), to: session)
        }
        if catalogue.rejoin(request, of: session) { return [] }
        do throws(Refusal) {
            if let refusal = unwrittenStart(at: moment) { throw refusal }
            guard catalogue.hasRoom else {
                throw .later(.busy, "\(Limits.indexChanges) changes wait for the broker's disk")
            }
            let (reply, effects) = try carryOut(change, request.id, at: moment)
            standings.noteEvent()
            catalogue.wait(
                IndexCatalogue.Answer(
                    version: state.version, session: session, request: request, reply: reply,
                    opensUntil: change.action == .create
                        ? moment.instant + Limits.openingPatience : nil))
            return effects + answerIndexChanges(at: moment)
        } catch {
            return refuse(error, of: request, to: session)
        }
    }

    private mutating func carryOut(
        _ change: WireChangeIndexes, _ id: RequestID, at moment: Moment
    ) throws(Refusal) -> (WireIndexesChanged, [BrokerEffect]) {
        var reply = WireIndexesChanged()
        reply.index = change.index
        switch change.action {
        case .create: return (reply, try create(change, id))
        case .remove:
            let meant = IndexIdentity(high: change.identityHigh, low: change.identityLow)
            if let former = state.names.removed(change.index, meant) {
                // It was removed by this very request, and the answer was lost.
                reply.away = away(former.replicas.map(\.worker))
                return (reply, [])
            }
            let index = try removable(change, meant, at: moment)
            reply.documents = indexStatus(of: index, at: moment).documents
            reply.away = away(index.shards.flatMap(\.namedWorkers))
            return (reply, forget(index, at: moment))
        case .setAlias:
            try checkAlias(change, at: moment)
            guard state.names.index(of: change.alias) != change.index else {
                reply.former = change.index
                return (reply, [])
            }
            reply.former = state.set(alias: change.alias, to: change.index) ?? ""
            return (reply, [note("alias \(change.alias) leads to index \(change.index)")])
        case .removeAlias:
            guard let former = state.unset(alias: change.alias) else {
                throw .final(.unknownIndex, state.complaint(aboutAlias: change.alias))
            }
            reply.former = former
            return (reply, [note("alias \(change.alias) of index \(former) is removed")])
        case .unspecified, .UNRECOGNIZED:
            throw .final(.invalidArgument, "action \(change.action.rawValue) is not known")
        }
    }

    func note(_ text: String) -> BrokerEffect { .log(.information, text) }

    /// Gives the answers whose changes are durable; a new index can be searched by then, unless a
    /// worker takes its time.
    mutating func answerIndexChanges(at moment: Moment) -> [BrokerEffect] {
        guard catalogue.isWaiting else { return [] }
        let open = Set(catalogue.opening.filter(canBeSearched))
        let ready = catalogue.takeReady(persistedVersion, open: open, at: moment.instant)
        return ready.flatMap {
            send(Message($0.request.reply, .indexesChanged($0.reply)), to: $0.session)
        }
    }

    private func canBeSearched(_ name: String) -> Bool {
        guard let index = state.index(named: name) else { return true }
        return index.shards.indices.allSatisfy { number in
            let key = ShardKey(index: name, shard: ShardID(UInt32(number)))
            return !searchableReplicas(of: key).isEmpty
        }
    }

    // MARK: making

    private mutating func create(
        _ change: WireChangeIndexes, _ id: RequestID
    ) throws(Refusal) -> [BrokerEffect] {
        let name = change.index
        try checkName(name, of: "index")
        let identity = IndexIdentity(madeBy: id, after: state.names.lastEpoch)
        // It was made by this very request, and the answer was lost.
        if state.index(named: name)?.identity == identity { return [] }
        var form = IndexForm(
            shardCount: settings.shardCount, replication: settings.replication,
            expirationSeconds: settings.defaultExpirationSeconds)
        if change.shardCount > 0 { form.shardCount = change.shardCount }
        if change.replication > 0 { form.replication = change.replication }
        guard form.shardCount <= Limits.shardsPerIndex else {
            throw .final(
                .invalidArgument,
                "\(form.shardCount) shards; an index has 1 to \(Limits.shardsPerIndex)")
        }
        guard form.replication <= Limits.replicasPerShard else {
            throw .final(
                .invalidArgument,
                "\(form.replication) copies; a shard has 1 to \(Limits.replicasPerShard)")
        }
        if change.hasExpirationSeconds {
            guard let policy = ExpirationPolicy(seconds: change.expirationSeconds) else {
                throw .final(
                    .invalidArgument,
                    "expiration_seconds \(change.expirationSeconds) is negative or too large")
            }
            form.expirationSeconds = policy.duration?.inSeconds
        }
        let index = try place(name, form, identity: identity)
        let copies = index.shards.map(\.replicas.count).max() ?? 0
        guard change.replication <= copies else {
            throw .final(
                .tooFewWorkers,
                "\(change.replication) copies need as many workers, and \(copies) can take "
                    + "shards; start more, or ask for fewer copies")
        }
        state.change(index)
        structureVersion = state.version
        catalogue.noteMade(name, version: state.version, durable: persistedVersion)
        return [note("index \(name) is made, with \(form.shardCount) shards")]
    }

    /// How an index is made.
    struct IndexForm {
        var shardCount: UInt32
        var replication: UInt32
        /// Nil is for ever.
        var expirationSeconds: Double?
    }

    /// Places a new index over the workers that are here.
    func place(
        _ name: String, _ form: IndexForm, identity: IndexIdentity
    ) throws(Refusal) -> IndexState {
        if let refusal = refusalToTake(name, for: .index) { throw refusal }
        let live = members.filter {
            sessions[$0.session]?.isWhole == true && !state.drained.contains($0.worker)
        }.map(\.worker)
        let expected = expectedWorkers
        guard live.count >= expected else {
            throw .later(
                .noWorkers,
                "\(live.count) of \(expected) workers are here; "
                    + "index \(name) is made when they are")
        }
        try checkLeftovers(of: name, on: live)
        try checkRoom(for: form)
        let placement = Placement.place(
            index: name, shardCount: form.shardCount, copies: form.replication, on: live,
            load: placedReplicas)
        let epoch = state.names.firstEpoch
        return IndexState(
            name: name, identity: identity, shardCount: form.shardCount,
            replication: form.replication,
            shards: placement.map { ShardState(on: $0, epoch: epoch) },
            defaultExpirationSeconds: form.expirationSeconds)
    }

    /// Every replica is listed by its worker in one frame, and every index named in some.
    func checkRoom(for form: IndexForm) throws(Refusal) {
        guard state.indexes.count < Limits.indexes else {
            throw .final(
                .tooMany,
                "this cluster has \(Limits.indexes) indexes, the most it may; use one of them, or "
                    + "remove one (`fresnel indexes`)")
        }
        let placed = state.indexes.reduce(0) { $0 + Int($1.shardCount) * Int($1.replication) }
        let more = Int(form.shardCount) * Int(form.replication)
        guard placed + more <= Limits.clusterReplicas else {
            throw .final(
                .tooMany,
                "\(form.shardCount) shards of \(form.replication) copies: the cluster has "
                    + "\(placed) of \(Limits.clusterReplicas) replicas; ask for fewer shards, or "
                    + "remove an index (`fresnel indexes`)")
        }
    }

    /// Workers that have still something of a removed index get no shard of its name, which they
    /// would open with the former documents in it.
    func checkLeftovers(of name: String, on live: [WorkerID]) throws(Refusal) {
        let holders = state.names.holders(of: name).intersection(live).sorted()
        guard let first = holders.first else { return }
        // Nobody is told to remove anything before.
        guard persistedVersion >= structureVersion else {
            throw .later(
                .busy,
                "that the former index \(name) is removed is not on the broker's disk yet"
                    + "\(unwrittenReason); wait, or use another name")
        }
        let reason = catalogue.failures.first {
            $0.key.worker == first && $0.key.shard.index == name
        }
        throw .later(
            .busy,
            "worker \(first) still removes the former index \(name)"
                + (reason.map { " (\($0.value))" } ?? "") + "; wait, or use another name")
    }

    // MARK: aliases

    private func checkName(_ name: String, of what: String) throws(Refusal) {
        guard IndexName.isValid(name) else {
            throw .final(
                .invalidArgument,
                "\(what) name \(name.debugDescription) is not 1 to \(Limits.indexNameBytes) of "
                    + "a-z 0-9 . _ - that begin with a letter or digit")
        }
    }

    private func checkAlias(_ change: WireChangeIndexes, at moment: Moment) throws(Refusal) {
        try checkName(change.alias, of: "alias")
        let isNew = state.names.index(of: change.alias) == change.alias
        if isNew, let refusal = refusalToTake(change.alias, for: .alias) { throw refusal }
        guard state.index(named: change.index) != nil else {
            let target = state.names.index(of: change.index)
            guard target == change.index else {
                throw .final(
                    .invalidArgument,
                    "\(change.index) is an alias itself; name its index, \(target)")
            }
            throw absence(of: change.index, at: moment)
        }
        if let refusal = refusalToRely(on: change.index) { throw refusal }
        guard isNew else { return }
        guard state.names.aliases.count < Limits.aliases else {
            throw .final(
                .tooMany, "there are \(Limits.aliases) aliases, the most there may be")
        }
    }

    // MARK: removing

    /// The workers that are not here, by name.
    private func away(_ holders: [WorkerID]) -> [String] {
        Set(holders).filter { !isHere($0) }.sorted().map(\.name)
    }

    /// Why nothing can be done with an index that is not known.
    private func absence(of name: String, at moment: Moment) -> Refusal {
        refusalToForget(name, at: moment)
            ?? .final(.unknownIndex, state.complaint(aboutIndex: name))
    }

    private func removable(
        _ change: WireChangeIndexes, _ meant: IndexIdentity, at moment: Moment
    ) throws(Refusal) -> IndexState {
        let name = change.index
        let target = state.names.index(of: name)
        guard target == name else {
            throw .final(
                .invalidArgument,
                "\(name) is an alias of index \(target); remove the alias, or name the index")
        }
        guard let index = state.index(named: name) else {
            throw absence(of: name, at: moment)
        }
        guard meant == .unknown || meant == index.identity else {
            throw .final(
                .unknownIndex,
                "the index \(name) that was meant is gone, and another of its name is here; look "
                    + "again what is to be removed")
        }
        let aliases = state.names.aliases(of: name)
        guard aliases.isEmpty else {
            throw .final(
                .indexInUse,
                "alias \(aliases.joined(separator: ", ")) leads to index \(name); let it lead to "
                    + "another index, or remove it first")
        }
        guard !snapshots.all.contains(where: { $0.order.index == name }) else {
            throw .later(.busy, "a snapshot of index \(name) is taken, or it is restored")
        }
        guard state.names.removed.count < Limits.removedIndexes else {
            throw .final(
                .tooMany,
                "\(Limits.removedIndexes) removed indexes wait for workers that are away; bring "
                    + "them back first")
        }
        return index
    }

    /// Takes an index out of the cluster state and out of everything that is known of it.
    ///
    /// - Parameter isKnown: whether workers may have something of it.
    mutating func forget(
        _ index: IndexState, isKnown: Bool = true, at moment: Moment
    ) -> [BrokerEffect] {
        var effects = perform(
            tails.forsake(index.name, because: "index \(index.name) was removed"), at: moment)
        state.remove(index, isKnown: isKnown)
        structureVersion = state.version
        let failure = WireFailure(.unknownIndex, "index \(index.name) was removed meanwhile")
        effects += perform(writes.forget(index: index.name, failure), at: moment)
        for (number, shard) in index.shards.enumerated() {
            let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
            for worker in shard.namedWorkers {
                let name = ReplicaName(shard: key, worker: worker)
                effects += end(name)
                catchUps[name] = nil
                (failedCopies[name], failedDonors[name], outOfStep[name]) = (nil, nil, nil)
                unsavedIdentities[name] = nil
                (moves.told[name], moves.waits[name]) = (nil, nil)
            }
            displaced[key] = nil
            workers.forget(key)
        }
        pauses[index.name] = nil
        comparisons.forget(index: index.name)
        proofs.forget(index: index.name)
        unsavedStates.forget(index: index.name)
        queries.forgetStatistics()
        mayLackReplicas = true
        return effects + [note("index \(index.name) is removed")]
    }

    /// Tells who waits that the disk refuses, and takes out indexes that could not be made durable,
    /// of which no worker has heard.
    mutating func failIndexChanges(
        _ reason: WireFailure, at moment: Moment
    ) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for answer in catalogue.takeUnwritten(after: persistedVersion) {
            var failure = reason
            // It is in the state, which says so as soon as it is written.
            if answer.opensUntil == nil {
                failure.message +=
                    "; the change counts already, and is lost if the broker ends before it can "
                    + "write again"
            }
            effects += send(Message(answer.request.reply, .error(failure)), to: answer.session)
        }
        for name in catalogue.takeUnsaved(after: persistedVersion) {
            // No alias may lead to what is gone.
            guard let index = state.index(named: name), state.names.aliases(of: name).isEmpty
            else { continue }
            effects += forget(index, isKnown: false, at: moment)
        }
        return effects
    }

    /// Tells workers that are here to remove what they have of removed indexes.
    mutating func removeLeftovers(at moment: Moment) -> [BrokerEffect] {
        guard !state.names.removed.isEmpty, persistedVersion >= structureVersion else { return [] }
        var effects: [BrokerEffect] = []
        for index in state.names.removed {
            for replica in index.replicas {
                guard isHere(replica.worker), let session = workers[replica.worker]?.session,
                    sessions[session]?.isWhole == true
                else { continue }
                let key = ShardKey(index: index.name, shard: replica.shard)
                let isAsked =
                    queries.asks(replica.worker, for: key) || tails.asks(replica.worker, for: key)
                let name = ReplicaName(shard: key, worker: replica.worker)
                guard catalogue.mayTell(name, isAsked: isAsked, at: moment.instant) else {
                    continue
                }
                let order = ReplicaOrder.drop(
                    shard: key, epoch: replica.epoch,
                    target: DropTarget(index: index.identity, of: replica.identity))
                effects += send(Message(Envelope(), order.command), to: session)
            }
        }
        return effects
    }

    /// Takes in what a worker says of its part of a removed index; nil for what is about another.
    mutating func noteRemoval(
        _ told: WireReplicaState, from worker: WorkerID
    ) -> [BrokerEffect]? {
        let key = ShardKey(index: told.index, shard: ShardID(told.shard))
        // It may be about a shard of that name that is not of the removed index.
        guard state.names.isToRemove(key, on: worker, at: Epoch(told.epoch)) else { return nil }
        guard isHere(worker) else { return [] }
        let name = ReplicaName(shard: key, worker: worker)
        guard told.phase == .dropped else {
            guard told.phase == .failed,
                catalogue.noteFailure(told.failure.message, of: name)
            else { return [] }
            let text =
                "worker \(worker) cannot remove shard \(told.shard) of the removed index "
                + "\(told.index), which it is to do again: \(told.failure.message)"
            return [.log(.warning, text)]
        }
        guard state.forget(removed: key, on: worker, at: Epoch(told.epoch)) else { return nil }
        catalogue.forget(name)
        // What it told before counts no more.
        unknown.forget(key, on: worker)
        counters.droppedReplicas += 1
        // Its worker can be given shards of that name.
        mayLackReplicas = true
        return []
    }
}
