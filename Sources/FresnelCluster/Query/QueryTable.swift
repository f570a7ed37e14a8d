package import FresnelModel
package import FresnelWire

/// Every running query, and which client or worker each concerns.
///
/// Admit phase: bounded per client and in all; a newer query on the same slot cancels the former.
package struct QueryTable: Sendable {
    /// What a query's stream wants sent, with the client it belongs to.
    package enum Action: Sendable {
        case toWorker(WorkerID, Message)
        case toClient(SessionID, Message)
    }

    struct Entry: Sendable {
        let client: SessionID
        let slot: String
        var stream: QueryStream
        /// Whether some worker has not begun to answer.
        var isWaiting = false
        /// Under which its answer is kept, should it be complete.
        var question: KeptAnswers.Question?
        /// When its workers were last asked, for their counts or their hits, while it waits.
        var waitsSince: Instant?
    }

    /// By the low half of the id that the workers know.
    private(set) var entries: [UInt64: Entry] = [:]
    private var byClient: [SessionID: [RequestID: UInt64]] = [:]
    private var lastNumber: UInt64 = 0
    /// Clients whose data lane is full.
    private(set) var held: Set<SessionID> = []
    /// What workers broke since the start: each is a part that is not believed any more.
    package private(set) var violations = ViolationCounts()
    private var statistics = StatisticsCache()

    /// An index is gone: one that is made under its name may come to the same numbers.
    mutating func forgetStatistics() { statistics = StatisticsCache() }

    private var kept: KeptAnswers
    /// Bytes that running queries may remember of what they told.
    private(set) var rememberedBytes = 0
    /// Queries that were answered without asking a worker, since the start.
    package internal(set) var keptAnswerCount: UInt64 = 0
    /// The kept answer that the newest query was told; nil where workers were asked.
    private(set) var toldAnswer: KeptAnswers.Answer?
    /// Queries whose cached statistics a worker found to be old, since the start.
    package private(set) var recountCount: UInt64 = 0
    /// Parts that were asked again of other replicas, since the start.
    package private(set) var movedParts: UInt64 = 0
    /// Queries with a complete answer that are followed from now on.
    private var followed: [(client: SessionID, stream: QueryStream)] = []

    /// How long a query that comes now would wait.
    package var admission = Admission()

    /// Times that a query was let act, since the start: what an event costs, whatever else runs.
    package private(set) var stepCount: UInt64 = 0

    /// - Parameter keptAnswerBytes: memory for answers that are told again; 0 keeps none.
    package init(keptAnswerBytes: Int = 0) { kept = KeptAnswers(capacityBytes: keptAnswerBytes) }

    package var count: Int { entries.count }

    package func count(of client: SessionID) -> Int { byClient[client]?.count ?? 0 }

    /// Hands over the queries that have to be followed from now on.
    mutating func takeFollowed() -> [(client: SessionID, stream: QueryStream)] {
        defer { followed = [] }
        return followed
    }

    /// Whether a query of a client runs that a newer one on the slot would take the place of.
    func isTaken(_ slot: String, of client: SessionID) -> Bool {
        !slot.isEmpty && numbers(of: client).contains { entries[$0]?.slot == slot }
    }

    package func isRunning(_ id: RequestID, of client: SessionID) -> Bool {
        byClient[client]?[id] != nil
    }

    /// Starts a query.
    mutating func start(
        _ plan: QueryPlan, request: Envelope, client: SessionID, at now: Instant, deadline: Instant,
        windowBytes: UInt64 = Limits.workerWindowBytes
    ) -> [Action] {
        var actions = supersede(slot: plan.search.slot, of: client, at: now)
        lastNumber += 1
        let number = lastNumber
        let question = kept.isKeeping ? KeptAnswers.Question(plan) : nil
        let answer = question.flatMap { kept.answer(to: $0, at: plan.search.context.now) }
        var stream = QueryStream(
            plan, request: request, workerID: RequestID(high: 0, low: number), at: now,
            deadline: deadline, windowBytes: windowBytes,
            cached: answer == nil ? statistics.entry(for: plan) : nil)
        let isToldAtOnce =
            !held.contains(client) && answer?.isWithinCredit(of: plan.search) == true
        toldAnswer = isToldAtOnce ? answer : nil
        if answer != nil { keptAnswerCount += 1 }
        if let answer, isToldAtOnce {
            return actions + stream.tell(answer, at: now).map { $0.addressed(to: client) }
        }
        if let answer {
            stream.take(answer)
        } else if question != nil {
            stream.told = ToldAnswer(upTo: kept.rememberedBytes(beside: rememberedBytes))
            rememberedBytes += stream.told.limit
        }
        entries[number] = Entry(
            client: client, slot: plan.search.slot, stream: stream,
            question: answer == nil ? question : nil)
        byClient[client, default: [:]][request.id] = number
        actions.gather(drive(number) { $0.begin(at: now) })
        return actions
    }

    /// Takes in a worker's answer; nil when the query is over or never was.
    mutating func receive(
        _ message: Message, from worker: WorkerID, at now: Instant,
        _ replicas: (ShardKey) -> [ReplicaState] = { _ in [] }
    ) -> [Action]? {
        let number = message.envelope.id.low
        let part = Int(message.envelope.part)
        guard look(at: number, { $0.stream.hasPart(part, of: worker) }) == true else { return nil }
        return driveOrRecount(number, at: now, replicas) {
            $0.receive(message, part: part, at: now, replicas)
        }
    }

    /// Lets every stream act on a loss, the oldest first.
    mutating func driveAll(
        at now: Instant, _ replicas: (ShardKey) -> [ReplicaState],
        _ act: (inout QueryStream) -> [QueryStream.Action]
    ) -> [Action] {
        entries.keys.sorted().flatMap { driveOrRecount($0, at: now, replicas, act) }
    }

    /// Lets one stream act, and begins its query again where that left it no other way.
    private mutating func driveOrRecount(
        _ number: UInt64, at now: Instant, _ replicas: (ShardKey) -> [ReplicaState],
        _ act: (inout QueryStream) -> [QueryStream.Action]
    ) -> [Action] {
        let actions = drive(number, act)
        guard look(at: number, { $0.stream.mustRecount }) == true else { return actions }
        return actions + recount(number, at: now, replicas)
    }

    /// Begins a query again whose cached statistics were old, or whose page lost a worker.
    ///
    /// Under a new number, so that nothing of what its workers were asked before can be taken for
    /// an answer.
    private mutating func recount(
        _ former: UInt64, at now: Instant, _ replicas: (ShardKey) -> [ReplicaState]
    ) -> [Action] {
        guard let entry = entries.removeValue(forKey: former) else { return [] }
        if let question = entry.stream.plan.question { statistics.drop(question) }
        recountCount += 1
        lastNumber += 1
        let number = lastNumber
        entries[number] = entry
        byClient[entry.client]?[entry.stream.clientID] = number
        return drive(number) { $0.recount(as: RequestID(high: 0, low: number), at: now, replicas) }
    }

    mutating func grant(
        _ credit: WireCredit, to id: RequestID, of client: SessionID, at now: Instant
    ) -> [Action] {
        guard let number = byClient[client]?[id] else { return [] }
        return drive(number) { $0.grant(items: credit.items, bytes: credit.bytes, at: now) }
    }

    /// Cancels a query; an unknown or finished one is no error.
    mutating func cancel(_ id: RequestID, of client: SessionID, at now: Instant) -> [Action] {
        guard let number = byClient[client]?[id] else { return [] }
        return drive(number) { $0.cancel(at: now) }
    }

    /// A client is gone: its queries stop, and nobody is told but the workers.
    mutating func lose(client: SessionID, at now: Instant) -> [Action] {
        held.remove(client)
        return numbers(of: client).flatMap { number in drive(number) { $0.cancel(at: now) } }
    }

    /// A client's data lane is full: its queries stand still, and so do their workers once their
    /// windows are used.
    mutating func hold(_ client: SessionID, at now: Instant) -> [Action] {
        guard held.insert(client).inserted else { return [] }
        return numbers(of: client).flatMap { number in drive(number) { $0.hold(true, at: now) } }
    }

    /// A client's data lane takes more again.
    mutating func resume(_ client: SessionID, at now: Instant) -> [Action] {
        guard held.remove(client) != nil else { return [] }
        var actions: [Action] = []
        for number in numbers(of: client) {
            actions += drive(number) { $0.hold(false, at: now) }
        }
        return actions
    }

    /// Bytes that workers may send ahead to all queries of a client together.
    func reservedBytes(of client: SessionID) -> UInt64 {
        numbers(of: client).map { entries[$0]?.stream.reservedBytes ?? 0 }.saturatingSum
    }

    /// Whether a running query asks this worker for a shard.
    func asks(_ worker: WorkerID, for shard: ShardKey) -> Bool {
        entries.values.contains { $0.stream.asks(worker, for: shard) }
    }

    /// The stream of a running query, by the number its workers know.
    func stream(numbered number: UInt64) -> QueryStream? { entries[number]?.stream }

    private func numbers(of client: SessionID) -> [UInt64] {
        byClient[client]?.values.sorted() ?? []
    }

    mutating func tick(at now: Instant) -> [Action] {
        let due = entries.filter { $0.value.stream.nextDue <= now }.keys.sorted()
        return due.flatMap { number in drive(number) { $0.tick(at: now) } }
    }

    private mutating func supersede(
        slot: String, of client: SessionID, at now: Instant
    ) -> [Action] {
        guard !slot.isEmpty else { return [] }
        let former = entries.filter { $0.value.client == client && $0.value.slot == slot }
        return former.keys.sorted().flatMap { number in drive(number) { $0.cancel(at: now) } }
    }

    private static func noteWaiting(of entry: inout Entry, in admission: inout Admission) {
        let isWaiting = entry.stream.phase != .finished && entry.stream.awaitsWorkers
        guard isWaiting != entry.isWaiting else { return }
        entry.isWaiting = isWaiting
        if isWaiting {
            entry.waitsSince = admission.passedAt
            admission.begin(entry.client)
        } else {
            admission.end(
                entry.client, isAnswered: entry.stream.wasAnswered, since: entry.waitsSince,
                queued: entry.stream.longestQueue)
        }
    }

    /// Reads an entry in its place, for each answer of a worker: `entries[number]` copies it, even
    /// to read one field, which counts every text and list in it.
    private mutating func look<Value>(
        at number: UInt64, _ read: (inout Entry) -> Value
    ) -> Value? {
        guard let place = entries.index(forKey: number) else { return nil }
        return read(&entries.values[place])
    }

    /// Lets one stream act, and forgets it when that ended it.
    private mutating func drive(
        _ number: UInt64, _ act: (inout QueryStream) -> [QueryStream.Action]
    ) -> [Action] {
        guard let place = entries.index(forKey: number) else { return [] }
        stepCount += 1
        // In place, as `look`.
        let step = entries.values[place].step(
            whileHeld: held, at: admission.passedAt, act)
        violations.add(step.violations, since: step.formerViolations)
        movedParts += UInt64(step.movedParts)
        if let counted = step.counted { statistics.keep(counted.entry, for: counted.question) }
        Self.noteWaiting(of: &entries.values[place], in: &admission)
        if step.isFinished { forget(entries.remove(at: place).value, isComplete: step.isComplete) }
        return step.actions
    }

    /// A query is over: what is worth it is remembered or followed.
    private mutating func forget(_ entry: Entry, isComplete: Bool) {
        rememberedBytes -= entry.stream.told.limit
        if let question = entry.question, let answer = entry.stream.keptAnswer(to: question) {
            kept.keep(answer, for: question)
        }
        if entry.stream.plan.search.follow, isComplete {
            followed.append((entry.client, entry.stream))
        }
        byClient[entry.client]?[entry.stream.clientID] = nil
        if byClient[entry.client]?.isEmpty == true { byClient[entry.client] = nil }
    }
}
