import FresnelModel
import FresnelWire

/// A followed query after its completion: tells what changes of the answer, round by round.
///
/// A value that takes events and says what to send. It keeps a position, no hits: what each shard
/// was read at, and the instant until which expiry was looked at. A round asks the workers for the
/// changes between the position and the newest state (Documentation/decisions/0012-live-tail.md);
/// the next begins when it is whole, so a client that reads slowly gets larger rounds, not a queue.
package struct LiveTail: Sendable {
    package let client: SessionID
    /// The client's envelope of the query.
    let request: Envelope
    /// The query as it was stamped; what it says of times was resolved then.
    let search: WireSearch
    /// Whether the client chose the instant: then nothing expires any more.
    let isPinned: Bool
    /// What each shard was read at.
    ///
    /// A shard that is not here was not read: its index is new.
    var position: [ShardKey: SequenceNumber]
    /// What had expired by then is gone from the answer.
    var now: Double
    /// When the next document of a shard expires; unknown until a worker said so.
    var validUntil: [ShardKey: Double] = [:]
    /// What the client granted since the query began, and was sent.
    var credit: CreditWindow
    var round: ChangeRound?
    var roundCount: UInt64 = 0
    /// The number of its newest try among those of all tails: who waits longest has the least.
    var lastTurn: UInt64 = 0
    var nextSequence: UInt64 = 0
    /// Not before this instant is a round begun, or tried again.
    var retryAt: Instant?
    /// Tries that failed since the last change that was sent.
    var failures = 0
    /// What workers broke in its rounds.
    var violations = ViolationCounts()
    /// Whether the end was told; nothing follows it.
    package internal(set) var isOver = false
    /// What was committed, and until when nothing expires, when last there was nothing to do.
    var quiet: (committed: [String: SequenceNumber], until: Double)?

    /// Takes over from a query whose answer is complete.
    init(after stream: QueryStream, of client: SessionID) {
        self.client = client
        request = stream.envelope
        search = stream.plan.search
        isPinned = stream.plan.isPinned
        now = stream.plan.search.context.now
        credit = stream.credit
        position = [:]
        for shard in stream.plan.parts.flatMap(\.targets) {
            position[ShardKey(index: shard.index, shard: shard.shard)] = shard.snapshot
        }
    }

    /// The id that the workers know the running round by.
    var workerID: RequestID? { round?.stream?.workerID }

    /// Bytes that the workers of the running round may send ahead.
    var reservedBytes: UInt64 { round?.stream?.reservedBytes ?? 0 }

    /// When `tick` has something to do for the running round.
    var nextDue: Instant? { round?.stream?.nextDue }

    /// Whether its round keeps others waiting: a worker has not answered yet, and is not late.
    func hasTurn(at now: Instant) -> Bool {
        guard let stream = round?.stream, now - stream.startedAt < Limits.followTurn else {
            return false
        }
        return stream.parts.contains { $0.isOpen && $0.expectedSequence == 0 }
    }

    /// Whether it is worth looking for something to do.
    func mayAdvance(committed: [String: SequenceNumber], at moment: Moment) -> Bool {
        guard !isOver, round?.stream == nil else { return false }
        if let retryAt, moment.instant < retryAt { return false }
        // Counts need no credit.
        guard search.countOnly || (credit.items > 0 && credit.bytes > 0) else { return false }
        guard round == nil, let quiet else { return true }
        return quiet.committed != committed || moment.wall.seconds >= quiet.until
    }

    /// Raises the client's credit to these totals.
    mutating func grant(items: UInt64, bytes: UInt64, at now: Instant) -> [QueryStream.Action] {
        let used = (items: credit.usedItems, bytes: credit.usedBytes)
        let sent = used.items + (round?.stream?.delivered ?? 0)
        guard items <= sent + UInt64(Limits.creditItems) else {
            return end(
                WireFailure(
                    .tooMany,
                    "credit for \(items) hits where \(sent) are delivered; grant at most "
                        + "\(Limits.creditItems) more"))
        }
        credit.grant(items: items, bytes: bytes)
        let (granted, grantedBytes) = (credit.grantedItems, credit.grantedBytes)
        return drive(at: now) {
            $0.grant(items: granted - used.items, bytes: grantedBytes - used.bytes, at: now)
        }
    }

    /// Stops the workers, and says nothing to the client.
    mutating func stop(at now: Instant) -> [QueryStream.Action] {
        isOver = true
        guard var stream = round?.stream else { return [] }
        round = nil
        return stream.cancel(at: now).filter {
            if case .toWorker = $0 { true } else { false }
        }
    }

    /// Ends for a reason, which the client is told.
    mutating func end(_ failure: WireFailure) -> [QueryStream.Action] {
        guard !isOver else { return [] }
        let start = round?.stream?.startedAt ?? Instant(nanoseconds: 0)
        let stopped = stop(at: start)
        var changes = WireChanges()
        changes.round = roundCount
        changes.end = failure
        return stopped + [tell(changes)]
    }

    /// Lets the running round act, and tells the client what comes of it.
    mutating func drive(
        at now: Instant, _ act: (inout QueryStream) -> [QueryStream.Action]
    ) -> [QueryStream.Action] {
        // Taken out, so that it is changed in place: a second reference would copy its parts.
        guard var stream = round?.stream else { return [] }
        round?.stream = nil
        let former = stream.violations
        var acted = act(&stream)
        violations.add(stream.violations, since: former)
        if stream.isBroken, stream.phase != .finished { acted += stream.cancel(at: now) }
        round?.stream = stream
        return acted.flatMap { action -> [QueryStream.Action] in
            guard case .toClient(let message) = action else { return [action] }
            switch message.command {
            case .found(let found): return [pass(found, message.payload ?? [])]
            case .done(let done): return finish(done, stream, at: now)
            default: return []
            }
        }
    }

    /// Passes changes on as they come.
    private mutating func pass(_ found: WireFound, _ payload: [UInt8]) -> QueryStream.Action {
        // The stream wrote this batch, so it can be read, and every part has looked at its keys.
        if let batch = try? HitBatchReader(payload) {
            for place in 0..<batch.count { _ = round?.delivered.count(batch.key(place)) }
        }
        var changes = WireChanges()
        changes.round = roundCount
        changes.items = found.items
        return tell(changes, payload)
    }

    /// Names the state that was reached from another one, and what changed in `shards`.
    func marker(from: [WireIndexSnapshot], _ shards: [WireShardReport] = []) -> WireReached {
        var reached = WireReached()
        reached.from = from
        reached.to = Self.snapshots(of: position)
        reached.now = now
        let tally = ChangeTally(shards)
        (reached.added, reached.removed) = (tally.added, tally.removed)
        return reached
    }

    /// The newest number of each index.
    static func snapshots(of position: [ShardKey: SequenceNumber]) -> [WireIndexSnapshot] {
        var newest: [String: SequenceNumber] = [:]
        for (key, sequence) in position {
            newest[key.index] = max(newest[key.index] ?? .zero, sequence)
        }
        return newest.sorted { $0.key < $1.key }.map { index, sequence in
            var snapshot = WireIndexSnapshot()
            snapshot.index = index
            snapshot.sequence = sequence.value
            return snapshot
        }
    }

    mutating func tell(_ changes: WireChanges, _ payload: [UInt8]? = nil) -> QueryStream.Action {
        var envelope = request.reply
        envelope.sequence = nextSequence
        nextSequence += 1
        return .toClient(Message(envelope, .changes(changes), payload: payload))
    }
}
