import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A broker with followed queries")
struct BrokerFollowTests {
    /// Asks a query that is followed; whole when its worker has answered.
    private func follow(
        _ broker: inout BrokerHarness, _ number: UInt64, slot: String = "", isAnswered: Bool = true,
        _ isFollowed: Bool = true
    ) throws {
        var asked = search()
        (asked.follow, asked.slot) = (isFollowed, slot)
        broker.receive(.query(asked), request(number), from: address(2))
        guard isAnswered else { return }
        try finish(&broker, [report(0)])
    }

    /// A worker ends the newest task that it was given, whole and without hits.
    private func finish(_ broker: inout BrokerHarness, _ worker: UInt8) throws {
        let task = try #require(
            broker.messages(to: address(worker, .worker)).last { $0.verb == .subquery })
        guard case .subquery(let subquery) = task.command else { return }
        var done = WirePartDone()
        done.shards = subquery.targets.map { report($0.shard) }
        broker.receive(.partDone(done), task.envelope, from: address(worker, .worker, .data))
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
        var broker = try BrokerHarness.serving()
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

    @Test("Q-67: a followed count does not wait for the windows of the client's other queries")
    func countNeedsNoWindow() throws {
        var broker = BrokerHarness(shards: 2, expectedWorkers: 2)
        broker.connect("v", 1, .worker)
        broker.connect("w", 3, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        for worker in [1, 3] as [UInt8] {
            broker.host(worker)
            for part in broker.takeParts(worker) { broker.answer(part, from: worker) }
        }
        for (number, isCount) in [(10, true), (11, false)] as [(UInt64, Bool)] {
            var asked = search()
            (asked.follow, asked.countOnly) = (true, isCount)
            broker.receive(.query(asked), request(number), from: address(2))
            for worker in [1, 3] as [UInt8] { try finish(&broker, worker) }
        }
        #expect(broker.core.tails.count == 2)
        let most = Limits.sessionWindowBytes / (2 * Limits.workerWindowBytes)
        for number in 0..<most { try follow(&broker, 100 + number, isAnswered: false, false) }
        #expect(broker.core.queries.count == Int(most))
        broker.decide(.tick, after: 0.1)
        #expect(broker.core.tails.roundCount == 1)
        let task = broker.messages(to: address(1, .worker)).last { $0.verb == .subquery }
        guard case .subquery(let subquery)? = task?.command else {
            Issue.record("nobody was asked")
            return
        }
        #expect(subquery.hasChanges && subquery.search.countOnly)
    }

    @Test("Q-62: a query that is asked again, its session lost, is followed from its new answer")
    func askedAgain() throws {
        var broker = try BrokerHarness.serving()
        try follow(&broker, 10)
        broker.decide(.tick, after: 0.1)
        try finish(&broker, 1)
        let former = broker.core.tails.position(of: request(10).id, attempt: 0)
        #expect(former?.values.map(\.value) == [1])
        broker.receive(.goodbye, from: address(2), after: 0.2)
        #expect(broker.core.tails.count == 0)
        broker.connect("c", 3)
        try broker.put(3, batch: 2)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        var asked = search()
        asked.follow = true
        var again = request(10)
        again.attempt = 1
        broker.receive(.query(asked), again, from: address(3), after: 0.3)
        try finish(&broker, 1)
        #expect(broker.core.tails.position(of: again.id, attempt: 0) == nil)
        let position = broker.core.tails.position(of: again.id, attempt: 1)
        #expect(position?.values.map(\.value) == [2])
        broker.decide(.tick, after: 0.4)
        try finish(&broker, 1)
        try broker.put(3, batch: 3)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        broker.decide(.tick, after: 1)
        try finish(&broker, 1)
        let told = broker.messages(to: address(3, .client, .data)).compactMap { message in
            if case .changes(let changes) = message.command { (message, changes) } else { nil }
        }
        #expect(told.map(\.0.envelope.attempt) == [1])
        #expect(told.map(\.0.envelope.sequence) == [0])
        #expect(told.first?.1.reached.from.map(\.sequence) == [2])
        #expect(told.first?.1.reached.to.map(\.sequence) == [3])
    }

    @Test("Q-62: a part that was given up on its way, and is journaled all the same, is told")
    func journaledLate() throws {
        var broker = try BrokerHarness.serving()
        try broker.put(2, batch: 2, request: request(2, budget: .seconds(1)))
        let late = try #require(broker.takeParts(1).first)
        broker.decide(.tick, after: 1.5)
        #expect(broker.core.writes.committed["items"]?.value == 2)
        // The answer is read while nobody knows whether the part will come.
        try follow(&broker, 10)
        broker.decide(.tick, after: 1.6)
        try finish(&broker, 1)
        broker.answer(late, from: 1)
        broker.decide(.tick, after: 2)
        let task = broker.messages(to: address(1, .worker)).last { $0.verb == .subquery }
        guard case .subquery(let subquery)? = task?.command else {
            Issue.record("nobody was asked")
            return
        }
        #expect(subquery.targets.map(\.since) == [1])
        #expect(subquery.targets.map(\.snapshot) == [2])
    }

    @Test("A followed query ends with its index, and says so")
    func removed() throws {
        var broker = try BrokerHarness.serving()
        try follow(&broker, 10)
        #expect(broker.core.tails.count == 1)
        broker.change(.remove, index: "items", number: 11)
        #expect(broker.core.tails.count == 0)
        let told = broker.messages(to: address(2, .client, .data)).compactMap { message in
            if case .changes(let changes) = message.command { changes.end.message } else { nil }
        }
        #expect(told.last == "index items was removed")
    }

    @Test("Q-57: A worker's lie in a round of changes is counted, too")
    func faultCounter() throws {
        var broker = try BrokerHarness.serving()
        try follow(&broker, 10)
        #expect(broker.core.counters.faultyParts == 0)
        broker.decide(.tick, after: 0.1)
        try finish(&broker, [report(0, found: 3)])
        #expect(broker.core.counters.changeRounds == 1)
        #expect(broker.core.counters.faultyParts == 1)
        #expect(broker.core.counters.violations[.countsTrue] == 1)
    }
}
