import FresnelModel
import FresnelWire

@testable import FresnelCluster

/// A tail over shards 0 and 1 on worker a, 2 on b, read at 7, with the rounds it asked for.
struct TailHarness {
    var tail: LiveTail
    var sent: [(worker: WorkerID, message: Message)] = []
    var told: [Message] = []
    var lastID: UInt64 = 0
    /// Seconds at which workers answer: those of the last look.
    var clock = 0.0
    /// What every shard could be read at, and the newest part each has.
    var readable: UInt64 = 7
    var settled: [UInt64] = [7, 7, 7]
    var isAway = false

    init(credit: UInt64 = 1000, now: Double = 0) throws {
        var search = search(credit: credit)
        search.follow = true
        if now != 0 { search.context.now = now }
        let shards = part(of: "a", shards: [0, 1]) + part(of: "b", shards: [2])
        let plan = try QueryPlan(
            search, shards: shards, schema: AttributeSchema(), at: moment())
        var stream = QueryStream(
            plan, request: request(1), workerID: RequestID(high: 0, low: 1), at: start,
            deadline: start + .seconds(10))
        _ = stream.begin(at: start)
        tail = LiveTail(after: stream, of: SessionID(1))
    }

    var shards: [SearchableShard] {
        (part(of: "a", shards: [0, 1]) + part(of: isAway ? "" : "b", shards: [2])).map {
            var shard = $0
            shard.snapshot = SequenceNumber(readable)
            shard.settledSequence = SequenceNumber(settled[Int(shard.shard.number)])
            return shard
        }
    }

    /// Lets the broker's tick look for something to do; returns what was asked.
    mutating func advance(_ seconds: Double) -> [WireSubquery] {
        let committed = ["items": SequenceNumber(readable)]
        clock = seconds
        guard tail.mayAdvance(committed: committed, at: moment(seconds)) else { return [] }
        lastID += 1
        let before = sent.count
        let view = LiveTail.View(
            shards: shards, schema: AttributeSchema(), committed: committed)
        take(
            tail.advance(view, as: RequestID(high: 1, low: lastID), at: moment(seconds)))
        return sent[before...].compactMap {
            if case .subquery(let subquery) = $0.message.command { subquery } else { nil }
        }
    }

    mutating func take(_ actions: [QueryStream.Action]) {
        for action in actions {
            switch action {
            case .toWorker(let worker, let message): sent.append((worker, message))
            case .toClient(let message): told.append(message)
            }
        }
    }

    mutating func answer(
        _ command: Command, part: Int, sequence: UInt64 = 0, _ keys: [String] = [],
        payload given: [UInt8]? = nil
    ) {
        var envelope = Envelope(id: RequestID(high: 1, low: lastID), part: UInt32(part))
        envelope.sequence = sequence
        // K-4: a key ends with the number of its shard.
        let target = tail.round?.stream?.parts[part].targets.first
        let ending = String(
            decoding: ChangeKeys.ending(of: target?.shard ?? ShardID(0)), as: UTF8.self)
        let payload = keys.isEmpty ? given : hitBatch(keys.map { $0 + ending })
        let message = Message(envelope, command, payload: payload)
        let now = at(clock)
        take(tail.drive(at: now) { $0.receive(message, part: part, at: now) })
    }

    mutating func found(_ keys: [String], part: Int, sequence: UInt64 = 0) {
        var found = WireFound()
        found.items = UInt64(keys.count)
        answer(.found(found), part: part, sequence: sequence, keys)
    }

    mutating func done(
        _ shards: [UInt32], part: Int, found: UInt64 = 0, removed: UInt64 = 0, next: Double = 0
    ) {
        var done = WirePartDone()
        done.shards = shards.map { report($0) }
        done.shards[0].found = found
        done.shards[0].removed = removed
        for number in done.shards.indices { done.shards[number].nextExpiration = next }
        answer(.partDone(done), part: part)
    }

    /// The first round, in which workers say when something expires.
    mutating func probe(next: Double = 0) {
        _ = advance(0)
        done([0, 1], part: 0, next: next)
        done([2], part: 1, next: next)
    }

    var changes: [WireChanges] {
        told.compactMap {
            if case .changes(let changes) = $0.command { changes } else { nil }
        }
    }

    /// The keys of everything the client was told of, without the numbers of their shards.
    var keys: [String] {
        told.flatMap { message -> [String] in
            guard let payload = message.payload else { return [] }
            return ((try? FresnelClusterTests.keys(payload)) ?? []).map { String($0.dropLast(4)) }
        }
    }
}
