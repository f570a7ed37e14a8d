import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Workers whose data lane is replaced")
struct WorkerLaneTests {
    @Test(
        "What a worker answered on the former lane is lost, not a lie: it is cancelled and missing",
        arguments: [true, false])
    func replaced(isAnotherLane: Bool) throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        broker.receive(.query(search()), request(2), from: address(2))
        let asked = broker.messages(to: address(1, .worker)).count
        #expect(broker.core.queries.count == 1)
        let first = broker.messages(to: address(1, .worker)).first
        guard case .welcome(let welcome)? = first?.command else {
            Issue.record("no welcome")
            return
        }
        var join = WireJoin()
        join.sessionToken = welcome.sessionToken
        broker.receive(.join(join), from: address(isAnotherLane ? 9 : 1, .worker, .data))
        let since = broker.messages(to: address(1, .worker)).dropFirst(asked).map(\.verb)
        #expect(since.contains(.cancel) == isAnotherLane)
        #expect(broker.core.queries.count == (isAnotherLane ? 0 : 1))
        #expect(broker.core.counters.faultyParts == 0)
        let ends = broker.messages(to: address(2)) + broker.messages(to: address(2, .client, .data))
        #expect(ends.contains { $0.verb == .done } == isAnotherLane)
    }
}
