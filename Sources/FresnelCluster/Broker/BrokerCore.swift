import FresnelKernels
import FresnelModel
import FresnelWire

/// Every decision of a broker, as a value: an event and the time go in, effects come out.
///
/// The parts decide, this composes them: `Sessions` and `Liveness` know who is there,
/// `ClusterState` is what must not be forgotten, `WriteTable` carries batches, `QueryTable` carries
/// queries. No socket, clock, file, random source or thread.
package struct BrokerCore: Sendable {
    package let settings: BrokerSettings
    package internal(set) var state: ClusterState
    var sessions = Sessions()
    var liveness: Liveness<SessionID>
    var workers = WorkerTable()
    var names = NameContests()
    var writes = WriteTable()
    var queries: QueryTable
    var repeated = RepeatedAnswers()
    var standings = ShardStandings()
    var plans = PlanMemory()
    var tails = TailTable()
    package internal(set) var counters = BrokerCounters()
    /// Cluster state versions handed out for writing, and confirmed.
    var persistedVersion: UInt64 = 0
    var requestedVersion: UInt64 = 0
    /// The version that made the newest index or custom key; workers are told of nothing newer
    /// than what is durable.
    var structureVersion: UInt64 = 0
    /// The version that this process began with: what was read, and a new epoch.
    let startVersion: UInt64
    /// Identities of replicas that are not durable yet, and the version that makes them so.
    var unsavedIdentities: [ReplicaName: UInt64] = [:]
    /// What workers hold and the state does not know.
    var unknown = UnknownReplicas()
    /// Replicas that are made equal to others.
    var catchUps = CatchUps()
    /// Why copies failed, and who was their donor, as long as they are not made.
    var failedCopies: [ReplicaName: String] = [:]
    var failedDonors: [ReplicaName: WorkerID] = [:]
    /// How writing into indexes made way for replicas.
    var pauses: [String: PauseSchedule] = [:]
    /// Contents of replicas that are compared.
    var comparisons = Comparisons()
    /// What has to be equal before a replica is removed.
    var proofs = ReplicaProofs()
    /// The time by which expired documents are dropped, and batches are stamped.
    var clocks = AgreedTime(at: .zero)
    /// Why replicas left the in-sync set of their shards, as long as they are out of it.
    var outOfStep: [ReplicaName: String] = [:]
    /// Whether a worker came that shards with too few replicas may use.
    var mayLackReplicas = true
    /// Replicas that go from one worker to another.
    var moves = MoveTable()
    /// Shards that were open in a live process when another one took its name, and when that was.
    var displaced: [ShardKey: Instant] = [:]
    /// When a state that could not be written is tried again.
    var retriesPersistingAt: Instant?
    /// States that could not be written.
    var unwritten = UnwrittenStates()
    /// Whether the state of this process was never written, and the one before it is served.
    var servesFormerState = false
    /// Addresses that showed themselves before this process was ready to answer.
    var early: [PeerAddress] = []
    /// When what is acknowledged is written down again.
    var notesAcknowledgedAt = Instant(nanoseconds: 0)
    var postponed = PostponedBatches()
    /// Client states that nobody may fetch yet.
    var unsavedStates = UnsavedStates()
    /// Changes of indexes and aliases.
    var catalogue = IndexCatalogue()
    /// Copies of indexes to stores, and from there.
    var snapshots = SnapshotJobs()
    var tokenCount: UInt64 = 0
    var startedAt: Instant?

    /// Starts from what the former process left; the epoch grows, so that its workers re-register.
    package init(settings: BrokerSettings, state: ClusterState) {
        self.settings = settings
        self.state = state
        self.state.epoch = Epoch(state.epoch.value + 1)
        self.state.touch()
        self.state.drawMissingIdentities(from: settings.identitySeed)
        queries = QueryTable(keptAnswerBytes: settings.keptAnswerBytes)
        startVersion = self.state.version
        structureVersion = startVersion
        liveness = Liveness(timers: settings.timers)
        for index in self.state.indexes {
            for (number, shard) in index.shards.enumerated() {
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                writes.remember(shard.acknowledged, of: key)
            }
        }
    }

    /// Makes the new epoch durable; nothing is answered before that was tried.
    package mutating func start(at moment: Moment) -> [BrokerEffect] {
        startedAt = moment.instant
        clocks = AgreedTime(at: moment, known: state.knownTime)
        return persistIfChanged(at: moment)
    }

    /// Whether the epoch of this process is durable, or its disk refuses it.
    package var isReady: Bool { persistedVersion > 0 || servesFormerState }

    /// Decides what an event means.
    package mutating func decide(_ event: BrokerEvent, at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        queries.admission.pass(to: moment.instant)
        if event.mayMoveShards { standings.noteEvent() }
        switch event {
        case .received(let message, let address):
            effects.gather(receive(message, from: address, at: moment))
        case .greeted(let message, let address, let host):
            effects.gather(receive(message, from: address, of: host, at: moment))
        case .unreadable(let error, let address):
            effects += blame(address, for: error, at: moment)
        case .probed(let address):
            effects += challenge(address, at: moment)
        case .unreachable(let address):
            counters.unreachableSends += 1
            effects += sessions.session(at: address).map { lose($0, at: moment) } ?? []
        case .congested(let address):
            effects += end(congested: address, at: moment)
        case .stalled(let address):
            effects += hold(address, at: moment)
        case .drained(let address):
            effects += resume(address, at: moment)
        case .persisted(let version):
            effects += notePersisted(version)
            effects += challengeEarly(at: moment)
            let (settled, actions) = writes.persisted(version: version)
            effects += perform(actions, at: moment)
            for batch in settled { effects += finish(batch, at: moment) }
            effects += openWaiting(at: moment)
            effects += assignments(at: moment)
            effects += answerPlans(at: moment)
        case .persistFailed(let version, let reason):
            effects += retryPersisting(version, because: reason, at: moment)
        case .tick:
            effects.gather(tick(at: moment))
        case .stopping:
            noteAcknowledged()
            // What failed to be written a moment ago gets its last chance.
            if retriesPersistingAt != nil { state.touch() }
        }
        effects += answerIndexChanges(at: moment)
        effects.gather(persistIfChanged(at: moment))
        for move in sessions.takeMoves() {
            effects.append(move.hasSession ? .confirm(move.address) : .doubt(move.address))
        }
        return effects
    }

    private mutating func receive(
        _ message: Message, from address: PeerAddress, of host: PeerHost? = nil, at moment: Moment
    ) -> [BrokerEffect] {
        guard isReady else { return challenge(address, at: moment) }
        switch message.command {
        case .hello(let hello): return greet(hello, from: address, of: host, at: moment)
        case .join(let join): return joinLanes(join, from: address, at: moment)
        default: break
        }
        guard let session = sessions.session(at: address) else {
            counters.strangers += 1
            return challenge(address, at: moment)
        }
        let signs = liveness.hear(session.id, at: moment.instant)
        // A worker that is heard again is asked again.
        if !signs.isEmpty { standings.noteEvent() }
        var effects = perform(signs, at: moment)
        if let error = Self.misdirection(of: message, from: address) {
            return effects + blame(address, for: error, request: message.envelope, at: moment)
        }
        if case .goodbye = message.command { return effects + lose(session, at: moment) }
        switch address.side {
        case .client: effects.gather(serve(message, for: session, at: moment))
        case .worker: effects.gather(note(message, from: session, at: moment))
        }
        return effects
    }

    /// What is wrong with the way a message came; nil when its verb may come from there.
    private static func misdirection(
        of message: Message, from address: PeerAddress
    ) -> WireError? {
        let rules = message.verb.rules
        let route: Route = address.side == .client ? .clientToBroker : .workerToBroker
        let isAllowed = address.side == .client ? rules.comesFromClients : rules.comesFromWorkers
        guard isAllowed else { return .route(message.verb, route) }
        switch rules.lanes {
        case .either: return nil
        case .control: return address.lane == .control ? nil : .lane(message.verb, due: .control)
        case .data: return address.lane == .data ? nil : .lane(message.verb, due: .data)
        case .transfer: return .route(message.verb, route)
        }
    }

    private mutating func tick(at moment: Moment) -> [BrokerEffect] {
        var effects = perform(liveness.tick(at: moment.instant), at: moment)
        effects += perform(queries.tick(at: moment.instant), at: moment)
        effects += perform(tails.tick(at: moment.instant), at: moment)
        effects += advanceTails(at: moment)
        postponed.tick(at: moment.instant)
        if let again = retriesPersistingAt, moment.instant >= again {
            retriesPersistingAt = nil
            // A newer version that was written meanwhile holds everything.
            if persistedVersion < requestedVersion { state.touch() }
        }
        let (settled, actions) = writes.tick(at: moment.instant)
        effects += perform(actions, at: moment)
        for batch in settled { effects += finish(batch, at: moment) }
        effects += excludeOverdue(at: moment)
        effects += tellUnheededLosses(at: moment)
        effects += watchClocks(at: moment)
        noteAcknowledged(at: moment)
        assignMissing()
        effects += compareReplicas(at: moment)
        effects += adoptUnknown(at: moment)
        effects += advanceCatchUps(at: moment)
        effects += advanceProofs(at: moment)
        effects += makeWay(at: moment)
        effects += removeLeftovers(at: moment)
        return effects + advanceMoves(at: moment) + advanceSnapshots(at: moment)
    }

    /// Sends on the lane that the verb belongs to; drops (and counts) when the lane is missing.
    mutating func send(_ message: Message, to id: SessionID) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        send(message, to: id, &effects)
        return effects
    }

    /// Adds the sending to other effects.
    mutating func send(_ message: Message, to id: SessionID, _ effects: inout [BrokerEffect]) {
        guard let address = sessions.address(of: id, on: message.lane) else {
            return counters.undeliverable += 1
        }
        var message = message
        message.envelope.epoch = state.epoch
        effects.append(.send(message, to: address))
    }

    mutating func refuse(
        _ code: ErrorCode, _ text: String, of request: Envelope, to session: SessionID,
        retryAfter: Duration? = nil
    ) -> [BrokerEffect] {
        counters.refusals += 1
        var failure = WireFailure(code, text)
        failure.retryAfterMs = UInt32((retryAfter ?? .zero).wholeNanoseconds / 1_000_000)
        let command: Command = retryAfter == nil ? .error(failure) : .busy(failure)
        return send(Message(request.reply, command), to: session)
    }
}
