import FresnelModel
import FresnelWire

/// Every followed query whose answer is complete, and which client or worker each concerns.
///
/// The workers know a round by an id whose high half is 1; those of queries have 0 there.
package struct TailTable: Sendable {
    private struct Name: Hashable, Sendable {
        let client: SessionID
        let id: RequestID
    }

    /// By a number that grows, so that everything happens in one order.
    private var tails: [UInt64: LiveTail] = [:]
    private var names: [Name: UInt64] = [:]
    /// The tail of each running round.
    private var rounds: [UInt64: UInt64] = [:]
    private var lastNumber: UInt64 = 0
    /// Far from the numbers of queries, so that logs tell them apart by the low half, too.
    private var lastRound: UInt64 = 1 << 40
    private var held: Set<SessionID> = []
    /// Tries of rounds since the start.
    package private(set) var roundCount: UInt64 = 0
    /// What workers broke in rounds since the start.
    package private(set) var violations = ViolationCounts()

    package init() {}

    /// The high half of the ids that workers know rounds by.
    static let idHigh: UInt64 = 1

    package var count: Int { tails.count }

    func count(of client: SessionID) -> Int { names.keys.count { $0.client == client } }

    /// Those that a newer query on a slot would end; none without a slot.
    func count(of client: SessionID, inSlot slot: String) -> Int {
        numbers(of: client, inSlot: slot).count
    }

    func isFollowing(_ id: RequestID, of client: SessionID) -> Bool {
        names[Name(client: client, id: id)] != nil
    }

    /// What each shard was read at for one try of a client's query; for tests.
    func position(of id: RequestID, attempt: UInt32) -> [ShardKey: SequenceNumber]? {
        tails.values.first { $0.request.id == id && $0.request.attempt == attempt }?.position
    }

    /// Bytes that workers may send ahead to all tails of a client together.
    func reservedBytes(of client: SessionID) -> UInt64 {
        numbers(of: client).map { tails[$0]?.reservedBytes ?? 0 }.saturatingSum
    }

    /// Whether a running round asks this worker for a shard.
    func asks(_ worker: WorkerID, for shard: ShardKey) -> Bool {
        tails.values.contains { $0.round?.stream?.asks(worker, for: shard) == true }
    }

    /// Follows a query from the completion on that was just sent.
    mutating func begin(after stream: QueryStream, of client: SessionID) {
        lastNumber += 1
        tails[lastNumber] = LiveTail(after: stream, of: client)
        names[Name(client: client, id: stream.clientID)] = lastNumber
    }

    /// A tail that may have something to do.
    struct Candidate {
        let number: UInt64
        let client: SessionID
        /// The indexes it covers.
        let indexes: [String]
        /// Whether it needs no window for hits.
        let isCountOnly: Bool
    }

    /// Rounds that may begin now, so that no more than a few wait for workers at once.
    func freeTurns(at now: Instant) -> Int {
        max(0, Limits.followTurns - tails.values.count { $0.hasTurn(at: now) })
    }

    /// The tails that may have something to do; who waited longest for a round comes first.
    func candidates(
        committed: [String: SequenceNumber], at moment: Moment
    ) -> [Candidate] {
        let ready = tails.compactMap { number, tail -> (turn: UInt64, candidate: Candidate)? in
            guard !held.contains(tail.client), tail.mayAdvance(committed: committed, at: moment)
            else { return nil }
            let candidate = Candidate(
                number: number, client: tail.client, indexes: tail.search.indexes,
                isCountOnly: tail.search.countOnly)
            return (tail.lastTurn, candidate)
        }
        return ready.sorted { ($0.turn, $0.candidate.number) < ($1.turn, $1.candidate.number) }
            .map(\.candidate)
    }

    /// Begins the next round of a tail, or goes on with one, if there is something to do.
    mutating func advance(
        _ number: UInt64, _ view: LiveTail.View, at moment: Moment
    ) -> [QueryTable.Action] {
        lastRound += 1
        let id = RequestID(high: Self.idHigh, low: lastRound)
        return drive(number) { $0.advance(view, as: id, at: moment) }
    }

    /// Takes in a worker's answer; nil when the round is over.
    mutating func receive(
        _ message: Message, from worker: WorkerID, at now: Instant
    ) -> [QueryTable.Action]? {
        let part = Int(message.envelope.part)
        guard let number = rounds[message.envelope.id.low],
            tails[number]?.round?.stream?.hasPart(part, of: worker) == true
        else { return nil }
        return drive(number) { $0.drive(at: now) { $0.receive(message, part: part, at: now) } }
    }

    mutating func grant(
        _ credit: WireCredit, to id: RequestID, of client: SessionID, at now: Instant
    ) -> [QueryTable.Action] {
        guard let number = names[Name(client: client, id: id)] else { return [] }
        return drive(number) { $0.grant(items: credit.items, bytes: credit.bytes, at: now) }
    }

    /// Ends a tail silently: its client wants no more.
    mutating func cancel(
        _ id: RequestID, of client: SessionID, at now: Instant
    ) -> [QueryTable.Action] {
        guard let number = names[Name(client: client, id: id)] else { return [] }
        return drive(number) { $0.stop(at: now) }
    }

    /// A newer query took the slot.
    mutating func supersede(slot: String, of client: SessionID) -> [QueryTable.Action] {
        numbers(of: client, inSlot: slot).flatMap { number in
            drive(number) {
                $0.end(WireFailure(.cancelled, "a newer query took the slot \(slot)"))
            }
        }
    }

    /// The documents of an index were given up: no change can tell what is gone.
    ///
    /// - Parameter reason: what became of the index; nil where a replica took another one's place.
    mutating func forsake(_ index: String, because reason: String? = nil) -> [QueryTable.Action] {
        let text = reason ?? "a replica of index \(index) was replaced by another one; search again"
        let covering = tails.filter { $0.value.position.keys.contains { $0.index == index } }
        return covering.keys.sorted().flatMap { number in
            drive(number) { $0.end(WireFailure(.cursorExpired, text)) }
        }
    }

    mutating func lose(client: SessionID, at now: Instant) -> [QueryTable.Action] {
        held.remove(client)
        return numbers(of: client).flatMap { number in drive(number) { $0.stop(at: now) } }
    }

    mutating func lose(worker: WorkerID, at now: Instant) -> [QueryTable.Action] {
        tails.keys.sorted().flatMap { number in
            drive(number) { $0.drive(at: now) { $0.lose(worker, at: now) } }
        }
    }

    /// A client's data lane is full: no round begins, and the running ones stand still.
    mutating func hold(_ client: SessionID, at now: Instant) -> [QueryTable.Action] {
        guard held.insert(client).inserted else { return [] }
        return numbers(of: client).flatMap { number in
            drive(number) { $0.drive(at: now) { $0.hold(true, at: now) } }
        }
    }

    /// A client's data lane takes more again.
    mutating func resume(_ client: SessionID, at now: Instant) -> [QueryTable.Action] {
        guard held.remove(client) != nil else { return [] }
        return numbers(of: client).flatMap { number in
            drive(number) { $0.drive(at: now) { $0.hold(false, at: now) } }
        }
    }

    /// Ends tries whose time is up; they go on from where they are.
    mutating func tick(at now: Instant) -> [QueryTable.Action] {
        let due = tails.filter { $0.value.nextDue.map { $0 <= now } ?? false }.keys.sorted()
        return due.flatMap { number in
            drive(number) { $0.drive(at: now) { $0.tick(at: now) } }
        }
    }

    private func numbers(of client: SessionID) -> [UInt64] {
        names.filter { $0.key.client == client }.values.sorted()
    }

    private func numbers(of client: SessionID, inSlot slot: String) -> [UInt64] {
        guard !slot.isEmpty else { return [] }
        return numbers(of: client).filter { tails[$0]?.search.slot == slot }
    }

    /// Lets one tail act, and forgets it when that ended it.
    private mutating func drive(
        _ number: UInt64, _ act: (inout LiveTail) -> [QueryStream.Action]
    ) -> [QueryTable.Action] {
        // Taken out, so that it is changed in place: a second reference would copy its parts.
        guard var tail = tails.removeValue(forKey: number) else { return [] }
        let former = tail.workerID
        let broken = tail.violations
        let acted = act(&tail)
        violations.add(tail.violations, since: broken)
        if let former, former != tail.workerID { rounds[former.low] = nil }
        if let running = tail.workerID, running != former {
            rounds[running.low] = number
            roundCount += 1
        }
        if tail.isOver {
            names[Name(client: tail.client, id: tail.request.id)] = nil
        } else {
            tails[number] = tail
        }
        return acted.map { action in
            switch action {
            case .toWorker(let worker, let message): .toWorker(worker, message)
            case .toClient(let message): .toClient(tail.client, message)
            }
        }
    }
}
