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

    private struct Entry: Sendable {
        let client: SessionID
        let slot: String
        var stream: QueryStream
    }

    /// By the low half of the id that the workers know.
    private var entries: [UInt64: Entry] = [:]
    private var byClient: [SessionID: [RequestID: UInt64]] = [:]
    private var lastNumber: UInt64 = 0

    package init() {}

    package var count: Int { entries.count }

    package func count(of client: SessionID) -> Int { byClient[client]?.count ?? 0 }

    package func isRunning(_ id: RequestID, of client: SessionID) -> Bool {
        byClient[client]?[id] != nil
    }

    /// Starts a query.
    mutating func start(
        _ plan: QueryPlan, request: Envelope, client: SessionID, at now: Instant, deadline: Instant
    ) -> [Action] {
        var actions = supersede(slot: plan.search.slot, of: client, at: now)
        lastNumber += 1
        let number = lastNumber
        let stream = QueryStream(
            plan, request: request, workerID: RequestID(high: 0, low: number), at: now,
            deadline: deadline)
        entries[number] = Entry(client: client, slot: plan.search.slot, stream: stream)
        byClient[client, default: [:]][request.id] = number
        actions += drive(number) { $0.begin(at: now) }
        return actions
    }

    /// Takes in a worker's answer; nil when the query is over or never was.
    mutating func receive(
        _ message: Message, from worker: WorkerID, at now: Instant
    ) -> [Action]? {
        let number = message.envelope.id.low
        let part = Int(message.envelope.part)
        guard let stream = entries[number]?.stream, stream.parts.indices.contains(part),
            stream.parts[part].worker == worker
        else { return nil }
        return drive(number) { $0.receive(message, part: part, at: now) }
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
        let numbers = byClient[client]?.values.sorted() ?? []
        return numbers.flatMap { number in drive(number) { $0.cancel(at: now) } }
    }

    mutating func lose(worker: WorkerID, at now: Instant) -> [Action] {
        entries.keys.sorted().flatMap { number in drive(number) { $0.lose(worker, at: now) } }
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

    /// Lets one stream act, and forgets it when that ended it.
    private mutating func drive(
        _ number: UInt64, _ act: (inout QueryStream) -> [QueryStream.Action]
    ) -> [Action] {
        guard var entry = entries[number] else { return [] }
        let actions = act(&entry.stream).map { action in
            switch action {
            case .toWorker(let worker, let message): Action.toWorker(worker, message)
            case .toClient(let message): Action.toClient(entry.client, message)
            }
        }
        guard entry.stream.phase == .finished else {
            entries[number] = entry
            return actions
        }
        entries[number] = nil
        byClient[entry.client]?[entry.stream.clientID] = nil
        if byClient[entry.client]?.isEmpty == true { byClient[entry.client] = nil }
        return actions
    }
}
