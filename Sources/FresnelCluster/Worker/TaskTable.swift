package import FresnelModel
package import FresnelWire

/// The searches a worker carries out, each under its own credit.
///
/// A task ends by PART_DONE, by an error, or silently when the broker no longer wants it; in every
/// case with exactly one `forget`, so that its snapshot is released.
package struct TaskTable: Sendable {
    package enum Action: Sendable {
        case send(Command, envelope: Envelope, payload: [UInt8]?)
        case produce(TaskID, items: Int, bytes: Int)
        case narrow(TaskID, to: [UInt8])
        case cancel(TaskID)
        case forget(TaskID, isHeld: Bool)
    }

    private struct Key: Hashable, Sendable {
        let id: RequestID
        let part: UInt32
    }

    private var tasks: [TaskID: SearchTask] = [:]
    private var byKey: [Key: TaskID] = [:]
    private var lastNumber: UInt64 = 0

    package init() {}

    package var count: Int { tasks.count }

    /// The query and the part that a task answers.
    func envelope(of id: TaskID) -> Envelope? {
        tasks[id].map { Envelope(id: $0.id, part: $0.part) }
    }

    package var oldestStart: Instant? { tasks.values.map(\.startedAt).min() }

    /// Admits a task; nil when it is already running.
    mutating func start(
        _ phase: SearchTask.Phase, _ subquery: WireSubquery, _ envelope: Envelope,
        at now: Instant, until: Instant
    ) -> TaskID? {
        let key = Key(id: envelope.id, part: envelope.part)
        guard byKey[key] == nil else { return nil }
        lastNumber += 1
        let id = TaskID(lastNumber)
        let search = subquery.search
        tasks[id] = SearchTask(
            id: envelope.id, part: envelope.part, isCountOnly: search.countOnly, startedAt: now,
            until: until, phase: phase,
            credit: CreditWindow(items: search.creditItems, bytes: search.creditBytes))
        byKey[key] = id
        return id
    }

    mutating func remove(_ id: TaskID) -> SearchTask? {
        guard let task = tasks.removeValue(forKey: id) else { return nil }
        byKey[Key(id: task.id, part: task.part)] = nil
        return task
    }

    /// Matching ended: stream what was found, or report at once when nothing is to be sent.
    mutating func matched(
        _ id: TaskID, _ outcome: MatchOutcome, at now: Instant
    ) -> [Action] {
        guard var task = tasks[id] else { return [.forget(id, isHeld: outcome.holdsHits)] }
        task.reports = outcome.reports.map(\.withTimesTold)
        task.failure = outcome.failure
        task.beyond = outcome.beyond
        task.facets = outcome.facets
        task.statistics = outcome.statistics
        task.phase = .streaming
        task.isHeld = outcome.holdsHits
        tasks[id] = task
        guard !task.isCountOnly, !task.hasEnough, outcome.available > 0, outcome.failure == nil
        else { return finish(id) }
        return outcome.first.map { produced(id, $0, at: now) } ?? produceIfAllowed(id)
    }

    /// A batch is encoded: send it, and go on while credit and time last.
    mutating func produced(_ id: TaskID, _ batch: ProducedBatch, at now: Instant) -> [Action] {
        guard var task = tasks[id] else { return [.forget(id, isHeld: !batch.isLast)] }
        task.isProducing = false
        task.isHeld = !batch.isLast
        task.fetchMicroseconds += batch.fetchMicroseconds
        guard !task.hasEnough, !task.isExpired else {
            tasks[id] = task
            return finish(id)
        }
        var actions: [Action] = []
        // A bound without hits is progress too: others may be released.
        if batch.items > 0 || !batch.bound.isEmpty && !batch.isLast {
            let isWithinCredit = task.credit.use(
                items: UInt64(batch.items), bytes: UInt64(batch.payload.count))
            precondition(isWithinCredit, "\(batch.items) hits produced beyond \(task.credit)")
            actions.append(send(batch, of: &task))
        }
        // A search whose time is up ends its batches early, again and again.
        task.isExpired = !batch.isLast && now >= task.until
        tasks[id] = task
        actions.gather(batch.isLast || task.isExpired ? finish(id) : produceIfAllowed(id))
        return actions
    }

    /// The next FOUND of a task; the first tells what matching counted.
    private func send(_ batch: ProducedBatch, of task: inout SearchTask) -> Action {
        var found = WireFound()
        found.items = UInt64(batch.items)
        found.total = task.credit.usedItems
        // The beginning of a key comes before the key, so it bounds what the key bounds.
        found.boundBytes = Array(batch.bound.prefix(Limits.boundBytes))
        if task.nextSequence == 0 {
            found.shards = task.reports
            found.beyond = task.beyond
            if let statistics = task.statistics { found.statistics = statistics }
        }
        var envelope = Envelope(id: task.id, part: task.part)
        envelope.sequence = task.nextSequence
        task.nextSequence += 1
        return .send(.found(found), envelope: envelope, payload: batch.payload)
    }

    /// The broker raised its grant, or has enough.
    mutating func credit(_ credit: WireCredit, id: RequestID, part: UInt32) -> [Action] {
        guard let number = byKey[Key(id: id, part: part)], var task = tasks[number] else {
            return []
        }
        task.credit.grant(items: credit.items, bytes: credit.bytes)
        task.hasEnough = task.hasEnough || credit.enough
        tasks[number] = task
        let narrowing: [Action] =
            credit.thresholdBytes.isEmpty ? [] : [.narrow(number, to: credit.thresholdBytes)]
        guard task.phase == .streaming, !task.isProducing else { return narrowing }
        return narrowing + (task.hasEnough ? finish(number) : produceIfAllowed(number))
    }

    /// The broker no longer wants the answer.
    mutating func cancel(id: RequestID, part: UInt32) -> [Action] {
        guard let number = byKey[Key(id: id, part: part)] else { return [] }
        return drop(number)
    }

    mutating func cancelAll() -> [Action] {
        tasks.keys.sorted { $0.number < $1.number }.flatMap { drop($0) }
    }

    mutating func failed(_ id: TaskID, because reason: String) -> [Action] {
        end(id, with: WireFailure(.internalError, reason))
    }

    mutating func late(_ id: TaskID) -> [Action] {
        end(id, with: WireFailure(.budgetExhausted, "its time ran out while counting terms"))
    }

    private mutating func end(_ id: TaskID, with failure: WireFailure) -> [Action] {
        guard let task = remove(id) else { return [.forget(id, isHeld: true)] }
        return [
            .forget(id, isHeld: task.isHeld),
            .send(.error(failure), envelope: Envelope(id: task.id, part: task.part), payload: nil),
        ]
    }

    /// Reports tasks whose time ran out while hits were left; matching watches the time by itself.
    mutating func expire(at now: Instant) -> [Action] {
        let late = tasks.filter { $0.value.phase == .streaming && now >= $0.value.until }
        return late.keys.sorted { $0.number < $1.number }.flatMap { id -> [Action] in
            tasks[id]?.isExpired = true
            return tasks[id]?.isProducing == true ? [] : finish(id)
        }
    }

    private mutating func drop(_ id: TaskID) -> [Action] {
        guard let task = remove(id) else { return [] }
        // A task that is at work reports once more and is forgotten then.
        let isAtWork = task.phase != .streaming || task.isProducing
        return isAtWork ? [.cancel(id)] : [.forget(id, isHeld: task.isHeld)]
    }

    private mutating func produceIfAllowed(_ id: TaskID) -> [Action] {
        guard var task = tasks[id], !task.isProducing, task.credit.items > 0,
            task.credit.bytes >= Limits.hitBatchBytes
        else { return [] }
        task.isProducing = true
        tasks[id] = task
        return [
            .produce(
                id, items: Int(min(task.credit.items, UInt64(Int32.max))),
                bytes: Limits.hitBatchTargetBytes)
        ]
    }

    private mutating func finish(_ id: TaskID) -> [Action] {
        guard var task = remove(id) else { return [] }
        var actions = [Action.forget(id, isHeld: task.isHeld)]
        if task.beyond > 0, task.nextSequence == 0, task.failure == nil, !task.isCountOnly {
            // All hits lie behind the threshold; the broker must know that there are some.
            let none = ProducedBatch(
                payload: HitBatchWriter().bytes(), items: 0, isLast: true, fetchMicroseconds: 0)
            actions.append(send(none, of: &task))
        }
        var done = WirePartDone()
        done.shards = task.reports
        if let failure = task.failure { done.error = failure }
        done.facets = task.facets
        if task.nextSequence == 0, let statistics = task.statistics {
            done.statistics = statistics
        }
        if task.isExpired {
            for number in done.shards.indices where done.shards[number].status == .complete {
                done.shards[number].status = .deadline
            }
        }
        // All shards of the part are read together: the first report has the time.
        for number in done.shards.indices {
            done.shards[number].fetchUs = number == 0 ? task.fetchMicroseconds : 0
        }
        let envelope = Envelope(id: task.id, part: task.part)
        actions.append(.send(.partDone(done), envelope: envelope, payload: nil))
        return actions
    }
}

extension WireShardReport {
    /// The report with all times of matching, also those of what took none.
    fileprivate var withTimesTold: WireShardReport {
        guard !hasQueueUs || !hasMatchUs || !hasScoreUs else { return self }
        var copy = self
        copy.queueUs += 0
        copy.matchUs += 0
        copy.scoreUs += 0
        return copy
    }
}
