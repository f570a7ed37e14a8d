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
        finish(&broker)
        #expect(broker.core.standings.shards(of: []) == broker.core.searchableShards(of: []))
        return broker
    }

    /// The worker answers what it was asked last; the completion tells who could be asked.
    private func finish(_ broker: inout BrokerHarness, after seconds: Double = 0) {
        let sent = broker.messages(to: address(1, .worker))
        guard let task = sent.last(where: { $0.verb == .subquery }) else { return }
        var done = WirePartDone()
        done.shards = [report(0, found: 0)]
        broker.receive(
            .partDone(done), task.envelope, from: address(1, .worker, .data), after: seconds)
    }

    private func statuses(_ broker: BrokerHarness) -> [WireShardStatus] {
        let last = broker.messages(to: address(2, .client, .data)).last { $0.verb == .done }
        guard case .done(let done)? = last?.command else { return [] }
        return done.shards.map(\.status)
    }

    @Test("What a worker answers leaves what is known; a part, a pulse, a tick do not")
    func events() throws {
        var broker = try answered()
        #expect(broker.core.standings.shards(of: []) != nil, "an answer came since")
        broker.decide(.tick, after: 0.1)
        #expect(broker.core.standings.shards(of: []) == nil)
        broker.receive(.query(search()), request(3), from: address(2), after: 0.1)
        #expect(broker.core.standings.shards(of: []) != nil)
        broker.pong([1], after: 0.2)
        #expect(broker.core.standings.shards(of: []) == nil)
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
        finish(&broker, after: silent)
        broker.receive(.query(search()), request(4), from: address(2), after: silent)
        #expect(broker.messages(to: address(1, .worker)).last?.verb == .subquery)
    }
}
