import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Admission of queries")
struct BrokerQueryTests {
    private func completions(_ broker: BrokerHarness, _ number: UInt8) -> [(Envelope, WireDone)] {
        broker.messages(to: address(number, .client, .data)).compactMap { message in
            if case .done(let done) = message.command { (message.envelope, done) } else { nil }
        }
    }

    @Test("A query is scattered, and its answers name the request and the try they belong to")
    func scatter() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        broker.receive(.query(search()), request(7, attempt: 3), from: address(2))
        #expect(broker.last(address(1, .worker))?.verb == .subquery)
        broker.receive(.cancel, request(7), from: address(2))
        let ends = completions(broker, 2)
        #expect(ends.map(\.0.id) == [request(7).id] && ends.map(\.0.attempt) == [3])
        #expect(broker.last(address(1, .worker))?.verb == .cancel)
    }

    @Test(
        "Q-38: A cursor of another cluster, or of an index made anew, is refused; its own goes on",
        arguments: [(1, nil), (2, 415)] as [(UInt64, Int32?)])
    func otherIndexOfThatName(seed: UInt64, code: Int32?) throws {
        let former = try BrokerHarness.serving(shards: 2, seed: 1)
        let plan = try QueryPlan(
            search(), shards: former.core.searchableShards(of: []), schema: AttributeSchema(),
            at: moment())
        var page = search()
        page.afterBytes = plan.cursor(at: [1]).bytes
        var broker = try BrokerHarness.serving(shards: 2, seed: seed)
        broker.receive(.query(page), request(7), from: address(2))
        switch broker.last(address(2))?.command {
        case .accepted: #expect(code == nil)
        case .error(let failure):
            #expect(failure.code == code)
            #expect(failure.message.contains("made anew"), "\(failure.message)")
        default: Issue.record("the query got no answer")
        }
    }

    @Test("A client with too many queries is told to wait; another client is not")
    func perClient() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        broker.connect("d", 3)
        for number in 0..<UInt64(Limits.queriesPerClient) {
            broker.receive(.query(search()), request(number + 10), from: address(2))
        }
        broker.receive(.query(search()), request(5), from: address(2))
        #expect(broker.last(address(2))?.verb == .busy)
        broker.receive(.query(search()), request(6), from: address(3))
        #expect(broker.last(address(3))?.verb == .accepted)
    }

    @Test("A newer query on a slot cancels the former, of the same client only")
    func slots() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        broker.connect("d", 3)
        var typed = search()
        typed.slot = "typing"
        broker.receive(.query(typed), request(1), from: address(2))
        broker.receive(.query(typed), request(2), from: address(3))
        #expect(completions(broker, 2).isEmpty && completions(broker, 3).isEmpty)
        broker.receive(.query(typed), request(3), from: address(2))
        #expect(completions(broker, 2).map(\.1.status) == ["cancelled"])
        #expect(completions(broker, 3).isEmpty)
    }

    @Test("A client cannot touch another's query")
    func foreignQuery() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        broker.connect("d", 3)
        broker.receive(.query(search()), request(1), from: address(2))
        broker.receive(.cancel, request(1), from: address(3))
        #expect(completions(broker, 2).isEmpty && broker.core.queries.count == 1)
    }

    @Test("A query that runs already is not started again by a repetition")
    func repetition() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        for _ in 0..<2 { broker.receive(.query(search()), request(1), from: address(2)) }
        #expect(broker.core.queries.count == 1)
        #expect(broker.verbs(2).filter { $0 == .accepted }.count == 1)
    }

    @Test("The loss of a client stops its queries")
    func lostClient() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        broker.receive(.query(search()), request(1), from: address(2))
        broker.decide(.unreachable(address(2)))
        #expect(broker.core.queries.count == 0)
        #expect(broker.last(address(1, .worker))?.verb == .cancel)
    }

    @Test(
        "Unknown indexes and broken queries are refused at once",
        arguments: [
            ("nowhere", "rating >= 1", ErrorCode.unknownIndex),
            ("items", "rating >=", .invalidQuery),
        ])
    func refusals(index: String, query: String, code: ErrorCode) throws {
        var broker = try BrokerHarness.serving(shards: 2)
        var search = search(query)
        search.indexes = [index]
        broker.receive(.query(search), request(1, attempt: 2), from: address(2))
        let answer = try #require(broker.last(address(2)))
        guard case .error(let failure) = answer.command else {
            Issue.record("answered with \(answer.verb)")
            return
        }
        #expect(failure.code == code.number && answer.envelope.attempt == 2)
        #expect(broker.core.queries.count == 0)
    }

    @Test("A suspect worker gets no new queries, and gets them again when it is heard")
    func suspects() throws {
        var broker = try BrokerHarness.serving(shards: 2)
        for step in stride(from: 0, through: 2.75, by: 0.25) {
            broker.receive(.pong(WirePulse()), from: address(2), after: step)
            broker.decide(.tick, after: step)
        }
        broker.receive(.query(search()), request(1), from: address(2), after: 2.75)
        #expect(completions(broker, 2).map(\.1.status) == ["failed"])
        broker.receive(.pong(WirePulse()), from: address(1, .worker), after: 2.8)
        broker.receive(.query(search()), request(2), from: address(2), after: 2.8)
        #expect(broker.core.queries.count == 1)
    }

    @Test("A query without time of its own still ends", arguments: [nil, Duration.seconds(2)])
    func budgets(budget: Duration?) throws {
        var broker = try BrokerHarness.serving(shards: 2)
        broker.receive(.query(search()), request(1, budget: budget), from: address(2))
        let limit = budget ?? Limits.deadlineDefault
        let seconds = Double(limit.wholeNanoseconds) / 1_000_000_000
        for step in stride(from: 0.25, through: seconds, by: 0.25) {
            for peer in [address(2), address(1, .worker)] {
                broker.receive(.pong(WirePulse()), from: peer, after: step)
            }
            broker.decide(.tick, after: step)
        }
        #expect(completions(broker, 2).map(\.1.status) == ["deadline"])
    }
}
