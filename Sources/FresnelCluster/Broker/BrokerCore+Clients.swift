import FresnelModel
import FresnelQuery
import FresnelWire

// What clients ask: queries, credit, cancel, client state, status.

extension BrokerCore {
    mutating func serve(
        _ message: Message, for session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        let request = message.envelope
        let id = request.id
        guard session.isWhole || message.verb == .pong else {
            return refuse(
                .wrongState, "the data lane has not joined yet", of: request, to: session.id,
                retryAfter: .milliseconds(50))
        }
        switch message.command {
        case .pong, .ping:
            return []
        case .query(let search):
            return query(
                state.names.resolved(search), message.envelope, from: session, at: moment)
        case .credit(let credit):
            return perform(
                queries.grant(credit, to: id, of: session.id, at: moment.instant)
                    + tails.grant(credit, to: id, of: session.id, at: moment.instant), at: moment)
        case .cancel:
            return perform(
                queries.cancel(id, of: session.id, at: moment.instant)
                    + tails.cancel(id, of: session.id, at: moment.instant), at: moment)
        case .put(let put):
            return self.put(message, state.names.resolved(put), from: session, at: moment)
        case .fetchState(let fetch):
            return fetchState(
                state.names.index(of: fetch.index), request, for: session, at: moment)
        case .changeIndexes(let change):
            return self.change(change, request, for: session.id, at: moment)
        case .snapshot(let order):
            return snapshot(state.names.resolved(order), request, from: session, at: moment)
        case .status:
            let command = Command.statusReply(status(at: moment))
            return send(Message(request.reply, command), to: session.id)
        case .plan(let plan):
            return self.plan(plan, request, for: session, at: moment)
        default:
            return blame(
                session.control, for: .frameShape(message.verb, expected: "a client's verb"),
                at: moment)
        }
    }

    mutating func perform(_ actions: [QueryTable.Action], at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        effects.reserveCapacity(actions.count)
        counters.violations = queries.violations
        counters.violations.add(tails.violations, since: ViolationCounts())
        counters.recounts = queries.recountCount
        counters.movedParts = queries.movedParts
        counters.keptAnswers = queries.keptAnswerCount
        beginTails()
        for action in actions {
            switch action {
            case .toWorker(let worker, let message):
                guard let session = workers.session(of: worker) else { continue }
                send(message, to: session, &effects)
            case .toClient(let session, let message):
                if case .done(let done) = message.command { note(completion: done) }
                if case .found(let found) = message.command {
                    counters.deliveredHits += found.items
                }
                if case .changes(let changes) = message.command {
                    counters.deliveredChanges += changes.items
                }
                send(message, to: session, &effects)
            }
        }
        return effects
    }

    private mutating func query(
        _ search: WireSearch, _ envelope: Envelope, from session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        let id = envelope.id
        // A resent query that still runs answers by itself.
        guard !queries.isRunning(id, of: session.id), !tails.isFollowing(id, of: session.id)
        else { return [] }
        if let refusal = refusalToFollow(search, of: session.id) {
            return refuse(.tooMany, refusal, of: envelope, to: session.id)
        }
        guard queries.count(of: session.id) < Limits.queriesPerClient,
            queries.count < Limits.activeQueries
        else {
            return refuse(
                .busy, "\(queries.count) queries are running", of: envelope, to: session.id,
                retryAfter: .milliseconds(50))
        }
        let budget = min(envelope.budget ?? Limits.deadlineDefault, Limits.deadline)
        // What takes the place of another one makes no queue longer.
        if !queries.isTaken(search.slot, of: session.id),
            let wait = queries.admission.retryAfter(client: session.id, budget: budget)
        {
            counters.delayedQueries += 1
            let delay = (queries.admission.delay ?? wait).wholeMicroseconds / 1000
            return refuse(
                .busy,
                "\(queries.admission.total) queries wait for their workers, about \(delay) ms",
                of: envelope, to: session.id, retryAfter: wait)
        }
        if let refusal = refusalToSearch(search.indexes, at: moment) {
            return refuse(refusal, of: envelope, to: session.id)
        }
        if let told = repeatAnswer(to: search, envelope, from: session.id, at: moment) {
            return told
        }
        do {
            let plan = try plan(search, at: moment)
            guard
                let windowBytes = queries.windowBytes(
                    for: plan, of: session.id, besides: tails.reservedBytes(of: session.id))
            else {
                return refuse(
                    .busy, "this client's \(queries.count(of: session.id)) queries use all it may",
                    of: envelope, to: session.id, retryAfter: .milliseconds(50))
            }
            counters.acceptedQueries += 1
            var actions = tails.supersede(slot: search.slot, of: session.id)
            actions.gather(
                queries.start(
                    plan, request: envelope, client: session.id, at: moment.instant,
                    deadline: moment.instant + budget, windowBytes: windowBytes))
            let effects = perform(actions, at: moment)
            learn(effects, to: search, at: moment)
            return effects
        } catch {
            counters.refusals += 1
            let command = Command.error(WireFailure(error))
            return send(Message(envelope.reply, command), to: session.id)
        }
    }

    mutating func note(completion done: WireDone) {
        counters.completions += 1
        let isRemembered = done.statistics == StatisticsSource.cached.rawValue
        if isRemembered { counters.rememberedStatistics += 1 }
    }

    /// Understands a query, by memory where one of the same texts was asked lately.
    private mutating func plan(
        _ search: WireSearch, at moment: Moment
    ) throws(PlanRefusal) -> QueryPlan {
        let question = PlanMemory.Question(search, schemaVersion: structureVersion)
        let reading = question.flatMap { plans.reading(of: $0) }
        var plan = try QueryPlan(
            search, shards: standingShards(of: search.indexes),
            schema: reading == nil ? state.schema(of: search.indexes) : AttributeSchema(),
            at: moment, reading: reading)
        if reading == nil, let question { plans.keep(plan.reading, for: question) }
        plan.texts = question
        if !plan.isPinned { plan.clockDoubt = clocks.doubtOfAnswers(at: moment) }
        return plan
    }

    /// Every shard of the named indexes, or of all, with who can search it now.
    func searchableShards(of names: [String]) -> [SearchableShard] {
        let indexes = state.indexes.filter { names.isEmpty || names.contains($0.name) }
        var load: [WorkerID: Int] = [:]
        return indexes.flatMap { index in
            index.shards.indices.compactMap { number -> SearchableShard? in
                let shard = ShardID(UInt32(number))
                let key = ShardKey(index: index.name, shard: shard)
                guard let first = index.shards[number].first else { return nil }
                let chosen = choose(of: index.shards[number], key, &load)
                let home = chosen?.worker
                let placed = home ?? first.worker
                let inventory = workers.lastInventory(of: key, on: placed)
                let settled = writes.settledSequence(of: key)
                var searchable = SearchableShard(
                    index: index.name, shard: shard, worker: home,
                    snapshot: writes.readableSequence(of: key),
                    documents: inventory?.documents ?? 0,
                    settledSequence: settled?.value == inventory?.lastSequence ? settled : nil)
                searchable.identity = index.identity
                searchable.epoch = (chosen ?? first).since
                searchable.shardEpoch = index.shards[number].epoch
                searchable.isReplicated = index.shards[number].replicas.count > 1
                searchable.doubt = doubt(of: key) ?? ""
                if home == nil {
                    searchable.absence =
                        unprovenReason(of: key) ?? workers.absence(of: key, placed: placed)
                }
                return searchable
            }
        }
    }

    /// The replica of a shard that a query asks: of those that can be asked, one whose worker was
    /// chosen for the fewest shards so far.
    ///
    /// The same shards are asked of the same workers, which remember filters and statistics; only
    /// where there are fewer shards than workers, equal ones take turns.
    private func choose(
        of shard: ShardState, _ key: ShardKey, _ load: inout [WorkerID: Int]
    ) -> ReplicaState? {
        guard shard.replicas.count > 1 else {
            guard writes.isProven(key), let only = shard.first else { return nil }
            return workers.home(of: key, placed: only.worker) == nil ? nil : only
        }
        var able = searchableReplicas(of: key)
        guard !able.isEmpty else { return nil }
        let isSmall = state.indexes.reduce(0) { $0 + $1.shards.count } < workers.all.count
        let turn = isSmall ? Int(counters.acceptedQueries % UInt64(able.count)) : 0
        able = Array(able[turn...] + able[..<turn])
        let chosen = able.min { load[$0.worker] ?? 0 < load[$1.worker] ?? 0 }
        if let chosen { load[chosen.worker, default: 0] += 1 }
        return chosen
    }

    private mutating func fetchState(
        _ name: String, _ request: Envelope, for session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        // An import that hears of no state begins anew: nobody says so who may have forgotten.
        if let refusal = refusalToForget(name, at: moment) {
            return refuse(refusal, of: request, to: session.id)
        }
        var reply = WireClientState()
        let index = state.index(named: name)
        if let bytes = index.flatMap(unsavedStates.durable) { reply.stateBytes = bytes }
        reply.sequence = (writes.committed[name] ?? .zero).value
        return send(Message(request.reply, .state(reply)), to: session.id)
    }
}
