import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Shards that are not read before what they show is on every disk")
struct UnprovenShardTests {
    /// A broker that starts again after part 1, of which nothing is written down, with a client and
    /// the first worker, which has it; what it writes waits.
    private func restarted(acknowledged: UInt64 = 0) throws -> BrokerHarness {
        var former = BrokerHarness(shards: 1, replication: 2, expectedWorkers: 2)
        former.connect("a", 1, .worker)
        former.connect("b", 2, .worker)
        former.connect("c", 9)
        try former.put(9, batch: 1)
        former.host(1, identity: 7)
        former.host(2, identity: 8)
        var state = try ClusterState(decoding: former.core.state.encoded)
        var index = try #require(state.indexes.first)
        index.shards[0].acknowledged = SequenceNumber(acknowledged)
        state.change(index)
        var broker = BrokerHarness(shards: 1, replication: 2, expectedWorkers: 2, state: state)
        broker.connect("c", 9)
        broker.connect("a", 1, .worker, boot: 2)
        broker.host(1, identity: 7, lastSequence: 1)
        broker.writesAtOnce = false
        return broker
    }

    /// What a search says of the shard: nil when a worker was asked.
    private func refusal(_ broker: inout BrokerHarness, _ number: UInt64) -> WireShardReport? {
        let before = broker.messages(to: address(9, .client, .data)).count
        let asked = subqueries(broker)
        broker.receive(.query(search()), request(number), from: address(9))
        let answers = broker.messages(to: address(9, .client, .data)).dropFirst(before)
        guard case .done(let done)? = answers.last?.command else {
            #expect(subqueries(broker) == asked + 1)
            return nil
        }
        #expect(subqueries(broker) == asked)
        return done.shards.first
    }

    private func subqueries(_ broker: BrokerHarness) -> Int {
        ([1, 2] as [UInt8]).reduce(0) { sum, number in
            sum + broker.verbs(number, .worker).count { $0 == .subquery || $0 == .statistics }
        }
    }

    private func placement(_ broker: BrokerHarness) throws -> WireShardPlacement {
        try #require(broker.core.status(at: moment()).indexes.first?.shards.first)
    }

    @Test("A replica that has more than was written down waits for the other one")
    func waiting() throws {
        var broker = try restarted()
        let report = try #require(refusal(&broker, 1))
        #expect(report.status == .unreachable)
        #expect(report.message.contains("once worker b has shown the same"), "\(report.message)")
        #expect(try placement(broker).state == "opening")
        #expect(try placement(broker).message == report.message)
        broker.connect("b", 2, .worker, boot: 2)
        broker.host(2, identity: 8, lastSequence: 1)
        #expect(refusal(&broker, 2) == nil)
        #expect(try placement(broker).state == "whole")
    }

    @Test("One that has what was written down is asked at once")
    func known() throws {
        var broker = try restarted(acknowledged: 1)
        #expect(refusal(&broker, 1) == nil)
    }

    @Test("Where the other one lacks the part, its leaving has to be on disk first")
    func lacking() throws {
        var broker = try restarted()
        broker.connect("b", 2, .worker, boot: 2)
        broker.host(2, identity: 8, lastSequence: 0)
        #expect(try placement(broker).replicas.first { $0.worker == "b" }?.inSync == false)
        #expect(refusal(&broker, 1) != nil)
        broker.write()
        #expect(refusal(&broker, 2) == nil)
    }

    @Test("A shard waits five seconds for one that stays away, and goes on without it")
    func absent() throws {
        var broker = try restarted()
        for second in 1...4 {
            broker.host(1, identity: 7, lastSequence: 1, after: Double(second))
            broker.decide(.tick, after: Double(second))
        }
        #expect(try placement(broker).replicas.first { $0.worker == "b" }?.inSync == true)
        broker.decide(.tick, after: 5)
        broker.connect("c", 9, boot: 2)
        let left = try #require(placement(broker).replicas.first { $0.worker == "b" })
        #expect(!left.inSync && left.reason == "away")
        #expect(refusal(&broker, 1) != nil, "that it left is not on disk")
        broker.write()
        #expect(refusal(&broker, 2) == nil)
        // It comes back with the same, and is made equal as any other.
        broker.connect("b", 2, .worker, boot: 2)
        broker.host(2, identity: 8, lastSequence: 1)
        #expect(try placement(broker).replicas.first { $0.worker == "b" }?.state == "behind")
    }

    @Test("Where the first one goes again, the other one is judged by what it has")
    func changing() throws {
        var broker = try restarted()
        broker.decide(.unreachable(address(1, .worker)))
        broker.write()
        broker.connect("b", 2, .worker, boot: 2)
        broker.host(2, identity: 8, lastSequence: 0)
        #expect(refusal(&broker, 1) == nil, "it has nothing that somebody may lack")
    }

    @Test("What all have shown is known from then on: the next one that opens alone is asked")
    func remembering() throws {
        var broker = try restarted()
        broker.connect("b", 2, .worker, boot: 2)
        broker.host(2, identity: 8, lastSequence: 1)
        broker.decide(.stopping)
        #expect(broker.unwritten.last?.indexes.first?.shards[0].acknowledged == SequenceNumber(1))
        broker.write()
        for number in [1, 2] as [UInt8] { broker.decide(.unreachable(address(number, .worker))) }
        broker.connect("a", 1, .worker, boot: 3)
        broker.host(1, identity: 7, lastSequence: 1)
        #expect(refusal(&broker, 1) == nil)
    }

    @Test("One that is silent itself takes nobody out")
    func silent() throws {
        var broker = try restarted()
        for quarter in 1...24 { broker.decide(.tick, after: Double(quarter) / 4) }
        #expect(try placement(broker).replicas.allSatisfy(\.inSync))
    }

    @Test("A broker that was away itself takes nobody out before it has looked into its sockets")
    func paused() throws {
        var broker = try restarted()
        broker.decide(.tick, after: 0.25)
        broker.decide(.tick, after: 9)
        broker.connect("b", 2, .worker, boot: 2)
        broker.host(2, identity: 8, lastSequence: 1, after: 9)
        broker.decide(.tick, after: 9.75)
        #expect(try placement(broker).replicas.allSatisfy(\.inSync))
        #expect(try placement(broker).state == "whole")
    }

    @Test("While the leaving is written down, it is said that this is what is waited for")
    func writing() throws {
        var broker = try restarted()
        broker.connect("b", 2, .worker, boot: 2)
        broker.host(2, identity: 8, lastSequence: 0)
        let report = try #require(refusal(&broker, 1))
        #expect(report.message.hasSuffix("written down who left the replicas in sync"))
    }

    @Test("A state that could not be written gets its last chance at the stop")
    func lastChance() throws {
        var broker = try restarted(acknowledged: 1)
        try broker.put(9, batch: 2)
        broker.decide(.stopping)
        broker.refuseToWrite()
        broker.decide(.stopping)
        #expect(!broker.unwritten.isEmpty)
    }
}
