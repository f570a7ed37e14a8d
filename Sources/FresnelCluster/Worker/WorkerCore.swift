package import FresnelModel
package import FresnelWire

/// Every decision of a worker, as a value: an event and the time go in, effects come out.
///
/// It keeps the session with the broker, knows which shards are open, and carries each search task
/// from SUBQUERY to PART_DONE under the broker's credit. Matching, journaling and files are
/// effects.
package struct WorkerCore: Sendable {
    package let name: WorkerID
    package internal(set) var session: PeerSession
    var tasks = TaskTable()
    private var tickets: [PartTicket: PartOnItsWay] = [:]
    private var lastTicket: UInt64 = 0
    private var inventory: [WireShardInventory] = []
    /// What is known of epochs: what names an older one is refused.
    var fence = EpochFence()
    private var leftovers = RestoreLeftovers()
    var membership: ClusterMembership
    private var residentBytes: UInt64 = 0
    /// Merges since the process began, and the bytes that went into them.
    private var merged: (count: UInt64, bytes: UInt64) = (0, 0)
    private var disk: (freeBytes: UInt64, isFull: Bool) = (0, false)
    private var progress: UInt64 = 0
    private var refusals = RefusalNotice()
    /// The clocks as they were read last.
    private var clocks: Moment?
    private var permit = DropPermit()
    /// What merges may drop, as they were told last.
    private var expiredBy: Double?
    package internal(set) var counters = WorkerCounters()

    /// - Parameters:
    ///   - retention: what the operator configured, which the broker tells on; nil for nothing to
    ///     tell.
    ///   - transferEndpoint: where other workers fetch replicas; empty for nowhere.
    ///   - directory: the identity of the worker's directory, which only the broker is told.
    ///   - membership: of which cluster the worker's directory is.
    package init(
        name: WorkerID, bootID: UInt64, software: String, retention: WireRetention? = nil,
        transferEndpoint: String = "", directory: DirectoryIdentity = .unknown,
        membership: ClusterMembership = .init(), at now: Instant
    ) {
        self.name = name
        self.membership = membership
        var hello = WireHello()
        hello.minimumMajor = UInt32(Header.major)
        hello.maximumMajor = UInt32(Header.major)
        hello.role = .worker
        hello.name = name.name
        hello.bootID = bootID
        hello.software = software
        if let retention { hello.retention = retention }
        hello.transferEndpoint = transferEndpoint
        hello.directoryHigh = directory.high
        hello.directoryLow = directory.low
        hello.cluster = membership.cluster
        hello.holdsReplicas = membership.holdsReplicas
        session = PeerSession(hello: hello, at: now)
    }

    /// Write parts on their way through journal and index.
    package var ticketCount: Int { tickets.count }

    /// Decides what an event means.
    package mutating func decide(_ event: WorkerEvent, at now: Instant) -> [WorkerEffect] {
        switch event {
        case .received(let message, let lane):
            return receive(message, lane: lane, at: now)
        case .unreadable(let error, let lane):
            counters.unreadableMessages += 1
            return [
                .log(.warning, "the broker sent an unreadable \(lane.rawValue) message: \(error)")
            ]
        case .hosted(let inventory, let failures):
            return report(inventory, failures)
        case .surveyed(let found, let removed):
            return WireHosted.messages(found: found, removed: removed).map { send(.hosted($0)) }
        case .emptied: return noteEmptied()
        case .ingested(let ticket, let ack):
            return acknowledge(ticket, ack)
        case .counted(let id, let statistics):
            return answer(id, with: statistics)
        case .matched(let id, let outcome):
            progress += 1
            counters.knownFilters += outcome.knownFilters
            var outcome = outcome
            if !outcome.reports.isEmpty { outcome.reports[0].knownFilters = outcome.knownFilters }
            return tasks.matched(id, outcome, at: now).map { effect(of: $0) }
        case .produced(let id, let batch):
            progress += 1
            return tasks.produced(id, batch, at: now).map { effect(of: $0) }
        case .searchFailed(let id, let reason):
            return tasks.failed(id, because: reason).map { effect(of: $0) }
        case .searchLate(let id):
            return tasks.late(id).map { effect(of: $0) }
        case .vitals(let bytes, let inventory):
            residentBytes = bytes
            let inventory = fence.stamped(inventory)
            self.inventory = inventory
            session.hello.shards = inventory
            return []
        case .merged(let bytes):
            merged.count += 1
            merged.bytes += bytes
            return []
        case .disk(let freeBytes, let isFull):
            disk = (freeBytes, isFull)
            return []
        case .checked(let digest):
            return session.state == .open ? [send(.replicaDigest(digest))] : []
        case .replicaState(let state):
            // Without a session nobody hears it; the broker orders again what it misses.
            return session.state == .open ? [send(.replicaState(state))] : []
        case .stored(let report):
            return session.state == .open ? [send(.storedShard(report))] : []
        case .clocks(let moment):
            clocks = moment
            let news = permit.news(at: moment).map { WorkerEffect.log($0.level, $0.text) }
            return allowDrops() + (news.map { [$0] } ?? [])
        case .tick:
            let expired = tasks.expire(at: now).map { effect(of: $0) }
            return expired + perform(session.tick(at: now), at: now)
        }
    }

    private mutating func receive(
        _ message: Message, lane: Lane, at now: Instant
    ) -> [WorkerEffect] {
        let met = meet(message)
        // The epochs of another cluster are not those of this one.
        guard membership.isAmongStrangers || fence.admits(message) else {
            counters.staleMessages += 1
            return message.verb == .welcome && counters.staleMessages % 64 == 1
                ? [
                    .log(
                        .error,
                        "a broker of epoch \(message.envelope.epoch.value) is refused, "
                            + "\(fence.broker.value) is known: its state is older than this "
                            + "worker; restore its newest state, or restart the worker")
                ] : []
        }
        if let actions = session.receive(message, lane: lane, at: now) {
            return met + perform(actions, at: now)
        }
        // What is left of a session that is over.
        guard session.state != .greeting else { return [] }
        guard !membership.isAmongStrangers else { return receiveFromStranger(message, at: now) }
        let id = message.envelope.id
        let part = message.envelope.part
        switch message.command {
        case .ping(let ping):
            return [send(.pong(pulse(at: now)))] + hear(ping, at: now)
        case .assign(let assign):
            fence.raise(to: assign)
            let sweep = leftovers.kept(by: assign).map { WorkerEffect.sweepRestored(keeping: $0) }
            return [.host(assign.indexes)] + (sweep.map { [$0] } ?? [])
        case .putPart(let put):
            return ingest(message, put)
        case .catchUp(let order): return [.transfer(.catchUp(order))]
        case .offerReplica(let offer): return [.transfer(.offer(offer))]
        case .dropReplica(let order): return [.transfer(.drop(order))]
        case .checkReplica(let question): return [.check(question)]
        case .storeShard(let order):
            leftovers.note(order)
            return [.store(order)]
        case .statistics(let subquery):
            return start(.counting, subquery, message.envelope, at: now)
        case .subquery(let subquery):
            return start(.matching, subquery, message.envelope, at: now)
        case .credit(let credit):
            return tasks.credit(credit, id: id, part: part).map { effect(of: $0) }
        case .cancel:
            return tasks.cancel(id: id, part: part).map { effect(of: $0) }
        case .error(let failure):
            return [.log(.error, "the broker reports: \(failure.message)")]
        default:
            counters.unreadableMessages += 1
            return [.log(.warning, "the broker sent \(message.verb), which is not for workers")]
        }
    }

    private mutating func ingest(_ message: Message, _ put: WirePutPart) -> [WorkerEffect] {
        if let refusal = fence.refusal(of: put) {
            counters.staleMessages += 1
            var answer = message.envelope.reply
            answer.part = message.envelope.part
            answer.sequence = message.envelope.sequence
            return [send(.partAck(refusal), envelope: answer)]
        }
        lastTicket += 1
        let ticket = PartTicket(lastTicket)
        tickets[ticket] = PartOnItsWay(envelope: message.envelope, epoch: put.epoch)
        return [
            .ingest(
                ticket, put, sequence: SequenceNumber(message.envelope.sequence),
                payload: message.payload ?? [])
        ]
    }

    private mutating func acknowledge(_ ticket: PartTicket, _ ack: WirePartAck) -> [WorkerEffect] {
        progress += 1
        guard let part = tickets.removeValue(forKey: ticket) else { return [] }
        var answer = part.envelope.reply
        answer.part = part.envelope.part
        answer.sequence = part.envelope.sequence
        var ack = ack
        ack.epoch = part.epoch
        return [send(.partAck(ack), envelope: answer)]
    }

    private mutating func start(
        _ phase: SearchTask.Phase, _ subquery: WireSubquery, _ envelope: Envelope, at now: Instant
    ) -> [WorkerEffect] {
        if let failure = fence.refusal(of: subquery) {
            counters.staleMessages += 1
            let answer = Envelope(id: envelope.id, part: envelope.part)
            return [send(.error(failure), envelope: answer)]
        }
        guard tasks.count < Limits.tasksPerWorker else {
            counters.shedTasks += 1
            let failure = WireFailure(.busy, "worker \(name) runs \(tasks.count) searches")
            return [send(.busy(failure), envelope: Envelope(id: envelope.id, part: envelope.part))]
        }
        let until = now + (envelope.budget ?? Limits.deadlineDefault)
        guard let id = tasks.start(phase, subquery, envelope, at: now, until: until) else {
            return []
        }
        switch phase {
        case .counting: return [.count(id, subquery, until: until)]
        case .matching, .streaming: return [.match(id, subquery, until: until)]
        }
    }

    private mutating func answer(_ id: TaskID, with statistics: WireStatistics) -> [WorkerEffect] {
        guard let task = tasks.remove(id) else { return [.forget(id, isHeld: false)] }
        let envelope = Envelope(id: task.id, part: task.part)
        return [.forget(id, isHeld: false), send(.statisticsReply(statistics), envelope: envelope)]
    }

    private mutating func report(
        _ inventory: [WireShardInventory], _ failures: [HostingFailure]
    ) -> [WorkerEffect] {
        let inventory = fence.stamped(inventory)
        self.inventory = inventory
        session.hello.shards = inventory
        noteHolding(inventory)
        let messages = WireHosted.messages(shards: inventory, failures: fence.stamped(failures))
        return failures.map {
            .log(.error, "shard \($0.shard.number) of index \($0.index) is not open: \($0.reason)")
        } + messages.map { send(.hosted($0)) }
    }

    private mutating func perform(
        _ actions: [PeerSession.Action], at now: Instant
    ) -> [WorkerEffect] {
        // A data lane is connected where a session begins.
        if actions.contains(where: \.connectsData) { leftovers.begin() }
        return actions.flatMap { action -> [WorkerEffect] in
            switch action {
            case .send(let message, let lane): [.send(message, lane: lane)]
            case .connectData(let endpoint): [.connectData(endpoint: endpoint)]
            case .opened: opened()
            case .lost(.broker): abandon()
            case .lost(let loss): [.log(.warning, "\(loss)")] + abandon()
            case .rejected(let failure): refused(failure, at: now)
            }
        }
    }

    /// It stays and asks again: what keeps it out may end, and nothing here is worth less for it.
    private mutating func refused(_ failure: WireFailure, at now: Instant) -> [WorkerEffect] {
        guard refusals.isNews(failure.message, at: now) else { return [] }
        return [
            .log(
                .error,
                "the broker refuses this worker, which asks again: \(failure.message)")
        ]
    }

    /// The broker is gone or new: its queries mean nothing any more.
    ///
    /// Parts go on into the journal, their acknowledgements do not: the broker learns of them from
    /// the inventory.
    private mutating func abandon() -> [WorkerEffect] {
        tickets = [:]
        permit.revoke()
        return [.log(.warning, "the broker is gone; registering again")] + allowDrops()
            + tasks.cancelAll().map { effect(of: $0) }
    }

    /// Takes in what the broker says of the time.
    private mutating func hear(_ ping: WirePulse, at now: Instant) -> [WorkerEffect] {
        guard ping.hasWallClock else { return [] }
        permit.hear(
            expiredBy: ping.hasExpiredBy ? ping.expiredBy : nil, brokerShows: ping.wallClock,
            at: now)
        return allowDrops() + [.brokerTime(ahead: ping.wallClock - now.inSeconds)]
    }

    /// Tells merges what they may drop, where that has changed.
    private mutating func allowDrops() -> [WorkerEffect] {
        let allowed = clocks.flatMap { permit.expiredBy(at: $0) }
        guard allowed != expiredBy else { return [] }
        expiredBy = allowed
        return [.drop(expiredBy: allowed)]
    }

    func pulse(at now: Instant) -> WirePulse {
        var pulse = WirePulse()
        pulse.incarnation = session.welcome?.incarnation ?? 0
        pulse.progress = progress
        pulse.residentBytes = residentBytes
        pulse.shards = inventory
        pulse.diskFreeBytes = disk.freeBytes
        pulse.diskFull = disk.isFull
        pulse.merges = merged.count
        pulse.mergedBytes = merged.bytes
        if let clocks { pulse.wallClock = clocks.wall.seconds + (now - clocks.instant).inSeconds }
        if let oldest = tasks.oldestStart {
            pulse.oldestTaskMs = UInt64(max(0, (now - oldest).wholeNanoseconds) / 1_000_000)
        }
        return pulse
    }

    private func effect(of action: TaskTable.Action) -> WorkerEffect {
        switch action {
        case .send(let command, let envelope, let payload):
            send(command, envelope: envelope, payload: payload)
        case .produce(let id, let items, let bytes):
            .produce(id, maximumItems: items, maximumBytes: bytes)
        case .narrow(let id, let key): .narrow(id, to: key)
        case .cancel(let id): .cancel(id)
        case .forget(let id, let isHeld): .forget(id, isHeld: isHeld)
        }
    }

    func send(
        _ command: Command, envelope: Envelope = Envelope(), payload: [UInt8]? = nil
    ) -> WorkerEffect {
        var envelope = envelope
        envelope.epoch = session.epoch
        let message = Message(envelope, command, payload: payload)
        return .send(message, lane: message.lane)
    }
}
