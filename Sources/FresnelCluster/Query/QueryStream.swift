package import FresnelModel
package import FresnelWire

/// One running query in the broker: from the plan to exactly one completion.
///
/// A value that takes events and says what to send; no socket, no clock. Legal transitions:
/// `counting → streaming → finished`, or straight to `streaming` when nothing is scored, and from
/// either to `finished` by cancel, deadline or the loss of every part. `finished` is final: every
/// later event changes nothing, which is what makes the completion one.
package struct QueryStream: Sendable {
    /// What the stream wants sent; the lane follows from the verb.
    package enum Action: Sendable {
        case toWorker(WorkerID, Message)
        case toClient(Message)
    }

    package enum Phase: Hashable, Sendable {
        case counting
        case streaming
        case finished
    }

    /// The client's id of the query, and the one the workers know it by.
    package var clientID: RequestID { envelope.id }
    package internal(set) var workerID: RequestID
    /// The client's envelope; every answer names its try of the request, as does what follows the
    /// completion.
    let envelope: Envelope
    package let plan: QueryPlan
    package let startedAt: Instant
    package let deadline: Instant
    package internal(set) var phase: Phase
    package internal(set) var parts: [QueryPart]
    /// What the client granted and was sent.
    package internal(set) var credit: CreditWindow
    package internal(set) var delivered: UInt64 = 0
    /// Bytes that each worker may have sent ahead.
    let windowBytes: UInt64
    /// Whether the client's lane is full: then nothing is sent to it, whatever it granted.
    package internal(set) var isHeld = false
    /// The number under which workers know the first part.
    let firstPart: Int
    /// The facets of the answer, once they are known.
    var facetLists: [WireFacetCounts]?
    /// The second round of facets, where one is not enough.
    var facetRound: FacetRound?
    /// The first that a worker broke.
    var firstFault: (part: Int, fault: StreamFault)?
    /// What workers broke, by promise: each is a part, or a facet of one, that is not believed.
    package internal(set) var violations = ViolationCounts()
    /// Parts that failed, and facets of parts, because their worker said what cannot be.
    package var faultCount: UInt64 { violations.total }
    /// Which hits are the first that were asked for, as far as is known; nil where it is of no use.
    var best: BestHits?
    /// The last key that is wanted: of what was heard, and of what some worker was told.
    var wantedThreshold: [UInt8]?
    var threshold: [UInt8]?
    /// Whether a part is yet to be told of a threshold, at the next tick if nothing comes before.
    var holdsNews = false
    var nextSequence: UInt64 = 0
    /// Where the delivered page begins and ends.
    var page = PageEnds()
    var digest = OrderDigest()
    /// Of the kept answer that it tells without asking a worker; 0 where workers are asked.
    var keptBytes: UInt64 = 0
    /// What the client was told, where the answer may be kept.
    var told = ToldAnswer()
    package internal(set) var statisticsSource: StatisticsSource
    /// Statistics of an earlier query that the workers are to check.
    var cached: StatisticsCache.Counts?
    /// Whether the query has one part, which counts for itself what its scores need.
    var takesOwnStatistics: Bool
    /// When workers were asked for statistics, where they are.
    var countingSince: Instant
    /// Parts that were asked again of other replicas.
    package internal(set) var movedParts = 0
    /// Whether the query begins again, under another id: a worker said that they are old, or what
    /// a lost one owes of a page cannot be asked for alone.
    package internal(set) var mustRecount = false

    /// Whether some worker has said nothing yet of what it found.
    var awaitsWorkers: Bool { parts.contains { $0.isOpen && !$0.wasHeard } }
    /// Whether every worker has, or failed to.
    var wasAnswered: Bool { parts.allSatisfy { $0.wasHeard || $0.hasFailed } }
    /// The longest time that a part lay in its worker's queue; nil where no worker has told yet.
    var longestQueue: Duration? {
        let told = parts.lazy.filter(\.hasReported).flatMap(\.reports).map(\.queueUs).max()
        return told.map { .microseconds(Int64(clamping: $0)) }
    }

    package init(
        _ plan: QueryPlan, request: Envelope, workerID: RequestID, at now: Instant,
        deadline: Instant, windowBytes: UInt64 = Limits.workerWindowBytes,
        cached: StatisticsCache.Counts? = nil, firstPart: Int = 0
    ) {
        self.firstPart = firstPart
        let isUncounted = plan.isScored && cached == nil
        takesOwnStatistics = isUncounted && plan.countsWhereItMatches
        let isCounting = isUncounted && !takesOwnStatistics
        self.plan = plan
        envelope = request
        self.workerID = workerID
        startedAt = now
        countingSince = now
        self.deadline = deadline
        self.cached = cached
        statisticsSource = !plan.isScored ? .none : cached == nil ? .asked : .cached
        phase = isCounting ? .counting : .streaming
        best = Self.bestHits(of: plan)
        credit = CreditWindow(items: plan.search.creditItems, bytes: plan.search.creditBytes)
        self.windowBytes = windowBytes
        let window = Self.firstWindow(of: plan, bytes: windowBytes)
        let sendsChanges = plan.changes != nil && !plan.search.countOnly
        parts = plan.parts.map { asked in
            var part = QueryPart(
                worker: asked.worker, targets: asked.targets,
                phase: isCounting ? .counting : .streaming, window: window)
            part.page = plan.page
            part.changes = sendsChanges ? ChangeTally() : nil
            return part
        }
    }

    /// Tells the client that the query runs and asks the workers.
    package mutating func begin(at now: Instant) -> [Action] {
        var actions = plan.search.unannounced ? [] : [toClient(.accepted(accepted))]
        switch phase {
        case .counting: actions.gather(askForStatistics(at: now))
        case .streaming where !isKept: actions.gather(scatter(at: now))
        case .streaming, .finished: break
        }
        actions.gather(advance(at: now))
        return actions
    }

    /// Takes in a worker's answer to part `number`.
    ///
    /// - Parameter replicas: who else can be asked, should the worker not be able to answer.
    package mutating func receive(
        _ message: Message, part number: Int, at now: Instant,
        _ replicas: (ShardKey) -> [ReplicaState] = { _ in [] }
    ) -> [Action] {
        guard phase != .finished else { return [] }
        guard parts.indices.contains(number) else {
            let place = number - parts.count
            let acted = driveRound(at: now) { $0.receive(message, part: place, at: now) }
            return acted + advance(at: now)
        }
        guard parts[number].isOpen else { return hear(message, afterPart: number, at: now) }
        if isObjection(message.command, part: number) {
            mustRecount = true
            return []
        }
        var actions: [Action] = []
        switch message.command {
        case .statisticsReply(let statistics):
            actions += count(statistics, part: number, at: now)
        case .found(let found) where parts[number].phase == .streaming:
            actions += take(found, message, part: number, at: now)
        case .partDone(let done) where parts[number].phase == .streaming:
            if done.hasLast || message.payload != nil {
                actions += take(done.last, message, part: number, at: now)
            } else {
                actions += takeStatistics(of: done, part: number, at: now)
            }
            // Hits that cannot be believed closed it.
            guard parts[number].isOpen else { break }
            finish(part: number, with: done, at: now)
            if plan.page != nil || plan.changes != nil,
                done.error.code == ErrorCode.cursorExpired.number
            {
                return actions + end(as: .refused(done.error), at: now)
            }
        case .error(let failure):
            let isLate = failure.code == ErrorCode.budgetExhausted.number
            actions += refuse(
                part: number, as: isLate ? .deadline : .failed, because: failure, at: now, replicas)
        case .busy(let failure):
            actions += refuse(part: number, as: .shed, because: failure, at: now, replicas)
        default:
            let fault = StreamFault(.verbsInTurn, "answered with another verb than due")
            actions += giveUp(part: number, because: fault, at: now)
        }
        actions.gather(advance(at: now))
        return actions
    }

    /// Raises the client's credit to these totals; more than it may grant at once ends the query.
    package mutating func grant(items: UInt64, bytes: UInt64, at now: Instant) -> [Action] {
        guard phase != .finished else { return [] }
        guard items <= delivered + UInt64(Limits.creditItems) else {
            let failure = WireFailure(
                .tooMany,
                "credit for \(items) hits where \(delivered) are delivered; grant at most "
                    + "\(Limits.creditItems) more")
            return end(as: .refused(failure), at: now)
        }
        credit.grant(items: items, bytes: bytes)
        return advance(at: now)
    }

    /// Ends the query on the client's wish.
    package mutating func cancel(at now: Instant) -> [Action] {
        end(as: .cancelled, at: now)
    }

    /// Bytes that the workers together may send ahead, or those of the kept answer that is told.
    var reservedBytes: UInt64 {
        guard !isKept else { return keptBytes }
        // The second round begins beside hits that are not delivered yet.
        let facets =
            plan.search.facets.isEmpty ? 0 : UInt64(Limits.facetBytes) + Limits.hitBatchBytes
        return UInt64(parts.count) * (facets + (plan.search.countOnly ? 0 : windowBytes))
    }

    /// When `tick` has something to do.
    package var nextDue: Instant {
        if holdsNews { return startedAt }
        return phase == .counting ? countingSince + (deadline - countingSince) / 2 : deadline
    }

    /// Ends the query when its time is up.
    ///
    /// Term statistics may take half of what was left when they were asked for: a worker that
    /// stands still must not keep the hits of the others back. Its part is then reported as late.
    package mutating func tick(at now: Instant) -> [Action] {
        if now >= deadline { return end(as: .deadline, at: now) }
        if holdsNews { return advance(at: now) }
        guard phase == .counting, now >= nextDue else { return [] }
        var actions: [Action] = []
        for number in parts.indices where parts[number].isOpen && parts[number].statistics == nil {
            parts[number].close(
                as: .deadline, because: "gave no term statistics in time", at: now)
            actions.append(toWorker(number, .cancel))
        }
        return actions + advance(at: now)
    }

    /// Moves on as far as what is known allows.
    mutating func advance(at now: Instant) -> [Action] {
        var actions: [Action] = []
        if phase == .counting { actions += scatterWhenCounted(at: now) }
        guard phase == .streaming else { return actions }
        actions.gather(release())
        actions.gather(settleFacets(at: now))
        actions.gather(isSatisfied ? completeAll(at: now) : refill(at: now))
        return actions
    }

    /// Drops what a part sent and was not passed on.
    mutating func drop(part number: Int) {
        parts[number].hits.discard()
        best?.forget(number, of: parts)
        wantedThreshold = threshold
    }

    /// Whether a worker answers a part of this number.
    func hasPart(_ number: Int, of worker: WorkerID) -> Bool {
        parts.indices.contains(number)
            ? parts[number].worker == worker
            : facetRound?.hasPart(number - parts.count, of: worker) ?? false
    }

    /// The client's lane is full, or takes more again.
    package mutating func hold(_ isHeld: Bool, at now: Instant) -> [Action] {
        self.isHeld = isHeld
        return isHeld ? [] : advance(at: now)
    }

    func toClient(_ command: Command, payload: [UInt8]? = nil, sequence: UInt64 = 0) -> Action {
        var reply = envelope.reply
        reply.sequence = sequence
        return .toClient(Message(reply, command, payload: payload))
    }

    func toWorker(_ number: Int, _ command: Command, budget: Duration? = nil) -> Action {
        var envelope = Envelope(id: workerID)
        envelope.part = UInt32(firstPart + number)
        envelope.budget = budget
        return .toWorker(
            parts[number].worker, Message(envelope, command))
    }
}
