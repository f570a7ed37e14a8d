import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("What is left when the last replica in sync is lost")
struct LostReplicaTests {
    /// A broker with one shard, both of whose workers are away.
    ///
    /// Replica 7 of worker a (1) has parts 1 to 3 and is alone in sync; replica 8 of worker b (2)
    /// left the set behind part 1.
    private func broker() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1, replication: 2, expectedWorkers: 2)
        broker.connect("a", 1, .worker)
        broker.connect("b", 2, .worker)
        broker.connect("c", 9)
        try broker.put(9, batch: 1)
        broker.host(1, identity: 7)
        broker.host(2, identity: 8)
        for number in [1, 2] as [UInt8] {
            for part in broker.takeParts(number) { broker.answer(part, from: number) }
        }
        broker.decide(.unreachable(address(2, .worker)))
        for batch in [2, 3] as [UInt64] {
            try broker.put(9, batch: batch)
            for part in broker.takeParts(1) { broker.answer(part, from: 1) }
            broker.decide(.tick, after: 2)
        }
        #expect(broker.acks(9).count == 3)
        #expect(try replica("b", broker).reason == "away")
        broker.decide(.unreachable(address(1, .worker)))
        return broker
    }

    private func replica(_ name: String, _ broker: BrokerHarness) throws -> WireReplicaStatus {
        let shard = try #require(broker.core.status(at: moment()).indexes.first?.shards.first)
        return try #require(shard.replicas.first { $0.worker == name })
    }

    /// Worker b comes back with what it has, acknowledges what it is asked to, and copies to a.
    private func expectSuccession(_ broker: inout BrokerHarness) throws {
        #expect(try replica("b", broker).state == "whole" && replica("b", broker).inSync)
        let other = try replica("a", broker)
        #expect(!other.inSync && other.reason == "lossAccepted")
        let said = broker.logged.last { $0.text.contains("given up as lost") }
        let text = try #require(said).text
        #expect(text.contains("behind part 1, up to 3"), "\(text)")
        #expect(text.contains("worker b has it up to part 1 (not in sync)"), "\(text)")
        #expect(broker.core.state.indexes[0].shards[0].acknowledged == SequenceNumber(1))
        try broker.put(9, batch: 4)
        let parts = broker.takeParts(4)
        #expect(parts.count == 1)
        for part in parts { broker.answer(part, from: 4) }
        #expect(broker.acks(9).count == 4)
        broker.decide(.tick, after: 1)
        guard
            case .catchUp(let order)? = broker.messages(to: address(3, .worker))
                .last(where: { $0.verb == .catchUp })?.command
        else {
            Issue.record("the other replica is not copied")
            return
        }
        #expect(order.donorWorker == "b")
    }

    @Test("An empty replica does not take a lost one's place while another holds documents")
    func replacing() throws {
        var broker = try broker()
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        #expect(try replica("b", broker).state == "behind", "nobody has accepted anything")
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 17, replacesLost: true)
        try expectSuccession(&broker)
    }

    @Test("An empty replica waits for one that may have documents, and then no longer")
    func waiting() throws {
        var broker = try broker()
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 17, replacesLost: true)
        #expect(try replica("a", broker).state == "refused")
        #expect(broker.logged.contains { $0.text.contains("waits 10 s for worker b") })
        broker.host(3, identity: 17, replacesLost: true, after: 9)
        #expect(try replica("a", broker).state == "refused")
        var late = broker
        late.host(3, identity: 17, replacesLost: true, after: 11)
        #expect(try replica("a", late).state == "whole" && replica("a", late).inSync)
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        broker.host(3, identity: 17, replacesLost: true, after: 10)
        try expectSuccession(&broker)
    }

    @Test("An older directory does not become all there is while another replica has more")
    func accepting() throws {
        var broker = try broker()
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true)
        #expect(try replica("a", broker).state == "stale", "the other one may have more")
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true, after: 1)
        try expectSuccession(&broker)
    }

    @Test("A replica that had left the set and has less is made equal to the older directory")
    func acceptingMore() throws {
        var broker = try broker()
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 2, acceptsLoss: true)
        #expect(try replica("a", broker).state == "whole" && !replica("b", broker).inSync)
        #expect(broker.logged.contains { $0.text.contains("worker b has it up to part 1") })
    }

    @Test("A replica that is not there is copied from one in sync; alone it is refused")
    func missing() throws {
        var broker = try broker()
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 0)
        #expect(try replica("a", broker).state == "refused", "b is not in sync")
        let told = broker.messages(to: address(3, .worker)).count { $0.verb == .error }
        broker.host(3, identity: 0)
        #expect(broker.messages(to: address(3, .worker)).count { $0.verb == .error } == told)
        broker.connect("a", 5, .worker, boot: 3)
        broker.host(5, identity: 7, lastSequence: 3)
        #expect(try replica("a", broker).state == "whole")
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 0)
        #expect(try replica("b", broker).state == "behind")
        broker.decide(.tick, after: 1)
        guard
            case .catchUp(let order)? = broker.messages(to: address(4, .worker))
                .last(where: { $0.verb == .catchUp })?.command
        else {
            Issue.record("the missing replica is not copied")
            return
        }
        #expect(order.donorWorker == "a" && !order.afresh && !order.keepsReplaced)
    }

    /// A broker with one shard whose replicas, 7 of worker a and 8 of worker b, both have part 1
    /// and are in sync; both workers are away.
    private func pair() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1, replication: 2, expectedWorkers: 2)
        broker.connect("a", 1, .worker)
        broker.connect("b", 2, .worker)
        broker.connect("c", 9)
        try broker.put(9, batch: 1, state: "far")
        broker.host(1, identity: 7)
        broker.host(2, identity: 8)
        for number in [1, 2] as [UInt8] {
            for part in broker.takeParts(number) { broker.answer(part, from: number) }
        }
        broker.decide(.unreachable(address(1, .worker)))
        broker.decide(.unreachable(address(2, .worker)))
        #expect(try replica("a", broker).inSync && replica("b", broker).inSync)
        return broker
    }

    @Test(
        "A missing replica keeps its place until another one in sync is open", arguments: [0, 17])
    func keepsPlace(found: UInt64) throws {
        var broker = try pair()
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: found)
        #expect(try replica("a", broker).state == "refused" && replica("a", broker).inSync)
        let said = broker.messages(to: address(3, .worker)).compactMap { message in
            if case .error(let failure) = message.command { failure.message } else { nil }
        }
        #expect(said.last?.contains("as soon as worker b is here") == true, "\(said)")
        var back = broker
        back.connect("a", 5, .worker, boot: 3)
        back.host(5, identity: 7, lastSequence: 1)
        #expect(try replica("a", back).state == "whole" && replica("a", back).inSync)
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        #expect(try replica("b", broker).state == "whole")
        #expect(try !replica("a", broker).inSync && replica("a", broker).reason == "foreign")
        broker.decide(.tick, after: 1)
        let copies = broker.messages(to: address(3, .worker)).filter { $0.verb == .catchUp }
        #expect(!copies.isEmpty, "it is copied from b")
    }

    @Test("Both directories are missing, and either of them that comes back is enough")
    func bothMissing() throws {
        var broker = try pair()
        for (number, name) in [(3, "a"), (4, "b")] as [(UInt8, String)] {
            broker.connect(name, number, .worker, boot: 2)
            broker.host(number, identity: 0)
        }
        #expect(try replica("a", broker).state == "refused")
        #expect(try replica("b", broker).state == "refused")
        broker.connect("b", 5, .worker, boot: 3)
        broker.host(5, identity: 8, lastSequence: 1)
        #expect(try replica("b", broker).state == "whole" && !replica("a", broker).inSync)
    }

    @Test("Where documents are given up as lost, how far imports were is not believed any more")
    func clientState() throws {
        var broker = try pair()
        #expect(broker.core.state.indexes[0].clientState == Array("far".utf8))
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 0, acceptsLoss: true)
        broker.host(4, identity: 8, lastSequence: 0, acceptsLoss: true, after: 11)
        #expect(try replica("b", broker).state == "whole")
        #expect(broker.core.state.indexes[0].clientState == nil)
        #expect(broker.logged.contains { $0.text.contains("imports begin anew") })
    }

    @Test("Who accepts a loss where that changes nothing is told who is waited for, and what to do")
    func unheeded() throws {
        var broker = try broker()
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1, acceptsLoss: true)
        #expect(try replica("b", broker).state == "behind")
        let shard = try #require(broker.core.status(at: moment()).indexes.first?.shards.first)
        #expect(shard.worker == "a" && shard.state == "unreachable")
        #expect(shard.message.contains("--accept-loss on worker b changes nothing"))
        #expect(shard.message.contains("waits for worker a"))
        #expect(shard.message.contains("start worker a once with --replace-lost"))
        #expect(shard.message.contains("worker b has it up to part 1"))
        for second in [1.0, 5, 9] {
            broker.receive(.pong(WirePulse()), from: address(4, .worker), after: second)
            broker.decide(.tick, after: second)
        }
        #expect(!broker.verbs(4, .worker).contains(.error), "the other one may still come")
        for second in [10.0, 11.1, 12] {
            broker.receive(.pong(WirePulse()), from: address(4, .worker), after: second)
            broker.decide(.tick, after: second)
        }
        let said = broker.logged.filter { $0.text.contains("changes nothing") }
        #expect(said.count == 1 && said.allSatisfy { $0.text.contains("shard 0 of index items") })
        #expect(broker.verbs(4, .worker).filter { $0 == .error }.count == 1)
        // Worker a comes back: nobody needs to be told anything.
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 3, after: 13)
        let whole = try #require(broker.core.status(at: moment(13)).indexes.first?.shards.first)
        #expect(whole.state == "whole" && whole.message.isEmpty)
    }

    @Test("A directory that nobody knows takes no place, whatever it holds")
    func foreign() throws {
        var broker = try broker()
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 18, lastSequence: 1)
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 17, replacesLost: true)
        #expect(try replica("a", broker).state == "whole" && !replica("b", broker).inSync)
    }

    @Test("Who is told of a lost replica is told which other one has documents")
    func advice() throws {
        var broker = try broker()
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 17)
        let text = "worker b has it up to part 1 (not in sync)"
        #expect(broker.logged.contains { $0.level == .error && $0.text.contains(text) })
        broker.connect("a", 5, .worker, boot: 3)
        broker.host(5, identity: 7, lastSequence: 0)
        let stale = broker.logged.last { $0.level == .error }
        #expect(stale?.text.contains(text) == true && stale?.text.contains("older") == true)
    }

    @Test("Documents count before none, doubtless ones before more, then the newest part")
    func order() {
        func replica(
            _ name: String, _ last: UInt64, inSync: Bool = false, doubtful: Bool = false
        ) -> SurvivingReplica {
            SurvivingReplica(
                worker: WorkerID(name), last: SequenceNumber(last), isInSync: inSync,
                isDoubtful: doubtful)
        }
        let ranked = [
            replica("f", 90), replica("a", 50, inSync: true), replica("b", 50), replica("c", 50),
            replica("d", 99, doubtful: true), replica("e", 0, inSync: true), replica("g", 0),
        ]
        for first in ranked.indices {
            let rest = Array(ranked[first...])
            #expect(SurvivingReplica.best(of: rest) == ranked[first])
            #expect(SurvivingReplica.best(of: rest.reversed()) == ranked[first])
        }
        #expect(SurvivingReplica.best(of: []) == nil)
    }
}
