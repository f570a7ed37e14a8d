import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Clients that do not read")
struct SlowClientTests {
    private func greedy(items: UInt64 = UInt64(Limits.creditItems)) -> WireSearch {
        var search = search()
        search.creditItems = items
        search.creditBytes = .max
        return search
    }

    @Test("Whatever a client grants, what it does not read is bounded, and so are the workers")
    func bounded() throws {
        var broker = try SlowClientHarness(hits: 400)
        broker.decide(.received(Message(request(1), .query(greedy())), from: address(2)))
        for _ in 0..<100 { broker.work() }
        #expect(broker.unreadBytes < 5 * 61_000 + Int(Limits.workerWindowBytes))
        #expect(broker.window.usedBytes < 5 * 61_000 + Limits.workerWindowBytes)
        #expect(broker.core.counters.stalledSends > 0)
        #expect(broker.core.counters.congestedSends == 0)
    }

    @Test("A slow reader gets every hit in order and the completion last", arguments: [1, 4, 32])
    func slow(capacity: Int) throws {
        var broker = try SlowClientHarness(hits: 200, capacity: capacity)
        broker.decide(.received(Message(request(1), .query(greedy())), from: address(2)))
        broker.work()
        var keys: [String] = []
        var end: WireDone?
        while let message = broker.read() {
            #expect(end == nil)
            if let payload = message.payload { keys += try FresnelClusterTests.keys(payload) }
            if case .done(let done) = message.command { end = done }
            broker.work()
        }
        #expect(keys == (0..<200).map { "\($0 + 100_000)" })
        #expect(end?.complete == true && end?.delivered == 200)
        #expect(broker.core.queries.count == 0 && broker.outbox.isEmpty)
    }

    @Test("A client that joins with another data lane is no longer slow")
    func newLane() throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        guard case .welcome(let welcome)? = broker.messages(to: address(2)).first?.command else {
            Issue.record("no welcome")
            return
        }
        try broker.put(2, batch: 1)
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        broker.decide(.stalled(address(2, .client, .data)))
        var join = WireJoin()
        join.sessionToken = welcome.sessionToken
        broker.receive(.join(join), from: address(9, .client, .data))
        broker.decide(.drained(address(2, .client, .data)))
        broker.receive(.query(greedy(items: 10)), request(1), from: address(2))
        #expect(broker.core.queries.stream(numbered: 1)?.isHeld == false)
    }

    @Test("A client for which more waits than may is disconnected, not served in part")
    func overrun() throws {
        var broker = try SlowClientHarness(hits: 100, capacity: 1, outboxBytes: 1000)
        broker.decide(.received(Message(request(1), .query(greedy())), from: address(2)))
        broker.work()
        #expect(broker.core.counters.congestedSends == 1)
        #expect(broker.core.sessions.session(at: address(2)) == nil)
        #expect(broker.core.queries.count == 0 && broker.outbox.isEmpty)
    }

    @Test("More hits than a client may grant at once are refused, in QUERY and in CREDIT")
    func grants() throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1)
        broker.receive(.query(greedy(items: .max)), request(1), from: address(2))
        guard case .error(let refusal)? = broker.last(address(2))?.command else {
            Issue.record("2^64-1 hits of credit were accepted")
            return
        }
        #expect(refusal.code == ErrorCode.invalidArgument.number)
        broker.receive(.query(greedy()), request(2), from: address(2))
        var credit = WireCredit()
        credit.items = .max
        credit.bytes = .max
        broker.receive(.credit(credit), request(2), from: address(2))
        guard case .done(let done)? = broker.last(address(2, .client, .data))?.command else {
            Issue.record("the query goes on")
            return
        }
        #expect(done.error.code == ErrorCode.tooMany.number && !done.complete)
        #expect(broker.core.queries.count == 0)
    }

    @Test("All queries of one client together are granted one session's window")
    func session() throws {
        let workers = 24
        var broker = BrokerHarness(shards: UInt32(workers), expectedWorkers: workers)
        for number in 1...UInt8(workers) { broker.connect("w\(number)", number, .worker) }
        broker.connect("c", 100)
        broker.connect("d", 101)
        try broker.put(100, batch: 1)
        for number in 1...UInt8(workers) { broker.host(number) }
        for number in 0..<UInt64(Limits.queriesPerClient) {
            broker.receive(.query(greedy()), request(number), from: address(100))
        }
        let granted = broker.sent.reduce(UInt64(0)) { sum, sent in
            guard case .subquery(let subquery) = sent.message.command else { return sum }
            return sum + subquery.search.creditBytes
        }
        #expect(granted > 0 && granted <= Limits.sessionWindowBytes)
        #expect(broker.last(address(100))?.verb == .busy)
        broker.receive(.query(greedy()), request(99), from: address(101))
        #expect(broker.last(address(101))?.verb == .accepted)
    }

    @Test("A window of one largest batch is enough to go on: it is refilled with every batch")
    func narrowWindow() {
        var part = QueryPart(
            worker: WorkerID("a"), targets: [], phase: .streaming,
            window: CreditWindow(items: 100, bytes: Limits.hitBatchBytes))
        var found = WireFound()
        found.items = 1
        #expect(
            part.accept(
                found, sequence: 0, payload: hitBatch(["a"]), isOrdered: true,
                mayBeFrontCoded: false) == nil)
        #expect(part.refill(items: 100, bytes: Limits.hitBatchBytes) == nil)
        part.hits.skip(1)
        #expect(part.refill(items: 100, bytes: Limits.hitBatchBytes) != nil)
        #expect(part.window.bytes == Limits.hitBatchBytes)
    }
}
