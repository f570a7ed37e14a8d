import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Replicas that come back without what was acknowledged")
struct StaleReplicaTests {
    /// A broker with the replica 7 of the only shard, which has acknowledged part 1.
    private func broker() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1, identity: 7)
        for part in broker.takeParts(1) { broker.answer(part, from: 1, documents: 5) }
        #expect(broker.acks(2).count == 1)
        return broker
    }

    private func shard(_ broker: BrokerHarness) throws -> WireShardPlacement {
        try #require(broker.core.status(at: moment()).indexes.first?.shards.first)
    }

    @Test("They are not opened: answers are incomplete and say why, and writes wait")
    func stale() throws {
        var broker = try broker()
        broker.decide(.unreachable(address(1, .worker)))
        broker.connect("w", 3, .worker, boot: 2)
        for _ in 0..<3 { broker.host(3, identity: 7, lastSequence: 0) }
        #expect(try shard(broker).state == "stale")
        #expect(try shard(broker).message.contains("--accept-loss"))
        let errors = broker.logged.filter { $0.level == .error }
        #expect(errors.count == 1 && errors[0].text.contains("1 was acknowledged"))
        #expect(broker.verbs(3, .worker).filter { $0 == .error }.count == 1)
        #expect(broker.core.counters.staleReplicas == 1)
        broker.receive(.query(search()), request(9), from: address(2))
        let answers = broker.messages(to: address(2, .client, .data))
        guard case .done(let done)? = answers.last?.command else {
            Issue.record("no completion")
            return
        }
        #expect(!done.complete && done.owned == 5)
        #expect(done.shards.first?.status == .unreachable)
        #expect(done.shards.first?.message.contains("is stale") == true)
        try broker.put(2, batch: 2)
        #expect(broker.takeParts(3).isEmpty)
        // The newer directory is found.
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 7, lastSequence: 1)
        #expect(try shard(broker).state == "whole" && broker.takeParts(4).count == 1)
    }

    @Test("A broker that has just started knows it too")
    func restart() throws {
        var former = try broker()
        former.decide(.unreachable(address(1, .worker)))
        let state = try ClusterState(decoding: former.core.state.encoded)
        #expect(state.indexes[0].shards[0].acknowledged == SequenceNumber(1))
        var broker = BrokerHarness(shards: 1, state: state)
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 0)
        #expect(try shard(broker).state == "stale")
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 7, lastSequence: 1)
        #expect(try shard(broker).state == "whole")
    }

    @Test("What is acknowledged is written down every few seconds")
    func noted() throws {
        var broker = try broker()
        #expect(broker.core.state.indexes[0].shards[0].acknowledged == .zero)
        let version = broker.core.state.version
        broker.decide(.tick, after: 1)
        #expect(broker.core.state.indexes[0].shards[0].acknowledged == SequenceNumber(1))
        #expect(broker.core.state.version == version + 1)
        broker.decide(.tick, after: 30)
        #expect(broker.core.state.version == version + 1, "nothing is written for nothing")
    }

    @Test("What is acknowledged is written down by a broker that is stopped")
    func stopped() throws {
        var broker = try broker()
        broker.writesAtOnce = false
        broker.decide(.stopping)
        let state = try #require(broker.unwritten.last)
        #expect(state.indexes[0].shards[0].acknowledged == SequenceNumber(1))
        broker.write()
        broker.decide(.stopping)
        #expect(broker.unwritten.isEmpty)
    }

    @Test("The operator's word makes what is there all there is, for good")
    func accepting() throws {
        var broker = try broker()
        broker.decide(.unreachable(address(1, .worker)))
        broker.connect("w", 3, .worker, boot: 2)
        broker.writesAtOnce = false
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true)
        #expect(try shard(broker).state == "opening", "nothing is opened before it is durable")
        broker.write()
        broker.writesAtOnce = true
        #expect(try shard(broker).state == "whole")
        #expect(broker.logged.contains { $0.level == .warning && $0.text.contains("given up") })
        #expect(broker.core.state.indexes[0].shards[0].acknowledged == .zero)
        try broker.put(2, batch: 2)
        let parts = broker.takeParts(3)
        #expect(parts.count == 1)
        for part in parts { broker.answer(part, from: 3) }
        #expect(broker.acks(2).count == 2)
        // Said once: from now on it is the known state of things.
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 7, lastSequence: 2)
        #expect(try shard(broker).state == "whole")
    }

    @Test("A replica that a live process held is not accepted with less")
    func displaced() throws {
        var broker = try broker()
        broker.displace("w", 3, boot: 2)
        #expect(broker.verbs(1, .worker).last == .goodbye)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true)
        #expect(try shard(broker).state == "stale")
    }

    @Test("A replica that took the place of a lost one is not measured by what that one had")
    func replacing() throws {
        var broker = try broker()
        broker.decide(.unreachable(address(1, .worker)))
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 8, replacesLost: true)
        #expect(try shard(broker).state == "whole")
        broker.connect("w", 4, .worker, boot: 3)
        broker.host(4, identity: 8)
        #expect(try shard(broker).state == "whole")
    }
}
