import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A broker with followed queries")
struct BrokerFollowTests {
    /// A broker with a worker that holds one shard of one index, and a client.
    private func broker() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        return broker
    }

    /// Asks a query that is followed; whole when its worker has answered.
    private func follow(
        _ broker: inout BrokerHarness, _ number: UInt64, slot: String = "", isAnswered: Bool = true
    ) throws {
        var asked = search()
        (asked.follow, asked.slot) = (true, slot)
        broker.receive(.query(asked), request(number), from: address(2))
        guard isAnswered else { return }
        try finish(&broker, [report(0)])
    }

    /// The worker ends the newest task that it was given.
    private func finish(_ broker: inout BrokerHarness, _ reports: [WireShardReport]) throws {
        let task = try #require(
            broker.messages(to: address(1, .worker)).last { $0.verb == .subquery })
        var done = WirePartDone()
        done.shards = reports
        broker.receive(.partDone(done), task.envelope, from: address(1, .worker, .data))
    }

    private func isRefused(_ broker: BrokerHarness, _ number: UInt64) -> Bool {
        broker.messages(to: address(2)).contains {
            $0.envelope.id == request(number).id && $0.verb != .accepted
        }
    }

    @Test(
        "Q-60: a query on a slot may be followed at the limit when it ends one that is",
        arguments: [true, false])
    func slot(isAnswered: Bool) throws {
        var broker = try broker()
        let most = UInt64(Limits.followsPerClient)
        for number in 1..<most { try follow(&broker, 10 + number, slot: "s\(number)") }
        try follow(&broker, 10 + most, slot: "last", isAnswered: isAnswered)
        try follow(&broker, 30, isAnswered: false)
        #expect(isRefused(broker, 30))
        try follow(&broker, 31, slot: "other", isAnswered: false)
        #expect(isRefused(broker, 31))
        try follow(&broker, 32, slot: "last")
        #expect(!isRefused(broker, 32))
        #expect(broker.core.tails.count == Int(most))
    }

    @Test("Q-57: A worker's lie in a round of changes is counted, too")
    func faultCounter() throws {
        var broker = try broker()
        try follow(&broker, 10)
        #expect(broker.core.counters.faultyParts == 0)
        broker.decide(.tick, after: 0.1)
        try finish(&broker, [report(0, found: 3)])
        #expect(broker.core.counters.changeRounds == 1)
        #expect(broker.core.counters.faultyParts == 1)
        #expect(broker.core.counters.violations[.countsTrue] == 1)
    }
}
