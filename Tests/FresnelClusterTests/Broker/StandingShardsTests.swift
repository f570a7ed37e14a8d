import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Where shards stand is looked at once, and again after what may move them")
struct StandingShardsTests {
    /// A broker whose query was answered, so that it knows where its shard stands.
    private func answered() throws -> BrokerHarness {
        var broker = try BrokerHarness.serving()
        broker.receive(.query(search()), request(2), from: address(2))
        try finish(&broker)
        #expect(statuses(broker) == [.complete])
        #expect(broker.core.standings.shards(of: []) == broker.core.searchableShards(of: []))
        return broker
    }

    /// The worker answers what it was asked last; the completion tells who could be asked.
    private func finish(_ broker: inout BrokerHarness, after seconds: Double = 0) throws {
        let sent = broker.messages(to: address(1, .worker))
        let task = try #require(sent.last { $0.verb == .subquery })
        let lane = address(1, .worker, .data)
        var found = WireFound()
        found.shards = [report(0, found: 0)]
        broker.receive(
            .found(found), task.envelope, payload: HitBatchWriter().bytes(), from: lane,
            after: seconds)
        var done = WirePartDone()
        done.shards = [report(0, found: 0)]
        broker.receive(.partDone(done), task.envelope, from: lane, after: seconds)
    }

    private func statuses(_ broker: BrokerHarness) -> [WireShardStatus] {
        let last = broker.messages(to: address(2, .client, .data)).last { $0.verb == .done }
        guard case .done(let done)? = last?.command else { return [] }
        return done.shards.map(\.status)
    }

    @Test("What a worker answers leaves what is known; a part, a pulse, a tick do not")
    func events() throws {
        var broker = try answered()
        // FOUND and PART_DONE came since it was looked at, and counts that nobody waits for.
        broker.receive(
            .statisticsReply(WireStatistics()), Envelope(id: RequestID(high: 0, low: 1)),
            from: address(1, .worker, .data))
        #expect(broker.core.standings.shards(of: []) != nil)
        func forgets(_ number: UInt64, _ move: () throws -> Void) throws {
            broker.receive(.query(search()), request(number), from: address(2), after: 0.2)
            #expect(broker.core.standings.shards(of: []) != nil)
            try move()
            #expect(broker.core.standings.shards(of: []) == nil)
        }
        try forgets(3) { broker.decide(.tick, after: 0.2) }
        try forgets(4) { broker.pong([1], after: 0.2) }
        try forgets(5) { try broker.put(2, batch: 2) }
        try forgets(6) {
            for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        }
    }

    @Test("Of replicas, and of long lists of indexes, nothing is known; the rest is bounded")
    func bounds() {
        var standings = ShardStandings()
        var shards = part(of: "a", shards: [0])
        standings.note(shards, of: Array(repeating: "a", count: 17))
        #expect(standings.remembered.shards.isEmpty)
        for number in 0..<3 * Limits.rememberedStandings {
            standings.note(shards, of: ["\(number)"])
        }
        #expect((1...Limits.rememberedStandings).contains(standings.remembered.shards.count))
        standings.noteEvent()
        #expect(standings.remembered.shards.isEmpty)
        shards[0].isReplicated = true
        standings.note(shards, of: [])
        #expect(standings.shards(of: []) == nil)
    }

    @Test("A worker whose session ends because of what it answered is asked no more")
    func blamed() throws {
        var broker = try answered()
        for _ in 0..<Limits.faultsPerSession {
            // An answer belongs on the data lane.
            broker.receive(
                .partDone(WirePartDone()), Envelope(id: RequestID(high: 0, low: 1)),
                from: address(1, .worker))
        }
        broker.receive(.query(search()), request(3), from: address(2))
        #expect(statuses(broker) == [.unreachable])
    }

    @Test("A silent worker that is heard again by an answer is asked again")
    func recovers() throws {
        var broker = try answered()
        let silent = 2.75
        for step in stride(from: 0.25, through: silent, by: 0.25) {
            broker.receive(.pong(WirePulse()), from: address(2), after: step)
            broker.decide(.tick, after: step)
        }
        broker.receive(.query(search()), request(3), from: address(2), after: silent)
        #expect(statuses(broker) == [.unreachable])
        try finish(&broker, after: silent)
        broker.receive(.query(search()), request(4), from: address(2), after: silent)
        #expect(broker.messages(to: address(1, .worker)).last?.verb == .subquery)
    }
}
