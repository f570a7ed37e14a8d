import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Replicas that are wrong, and what becomes of them")
struct ReplicaFaultTests {
    private func replica(_ name: String, _ broker: BrokerHarness) throws -> WireReplicaStatus {
        let shard = try #require(broker.core.status(at: moment()).indexes.first?.shards.first)
        return try #require(shard.replicas.first { $0.worker == name })
    }

    /// The newest CATCH_UP that a worker was sent.
    private func order(_ number: UInt8, _ broker: BrokerHarness) -> WireCatchUp? {
        for message in broker.messages(to: address(number, .worker)).reversed() {
            if case .catchUp(let order) = message.command { return order }
        }
        return nil
    }

    @Test("A stale replica waits for another one in sync, and is then made equal to it")
    func stale() throws {
        var broker = try BrokerHarness.withReplicas()
        for number in [1, 2] as [UInt8] { broker.decide(.unreachable(address(number, .worker))) }
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 0)
        #expect(try replica("a", broker).state == "stale" && replica("a", broker).inSync)
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        let left = try replica("a", broker)
        #expect(!left.inSync && left.reason == "stale" && left.message.contains("part 0"))
        broker.decide(.tick, after: 1)
        let order = try #require(self.order(3, broker))
        #expect(order.donorWorker == "b" && !order.afresh && order.leastSequence == 1)
    }

    @Test("Accepting what one replica holds takes out the others that stay away")
    func accepting() throws {
        var broker = try BrokerHarness.withReplicas()
        for number in [1, 2] as [UInt8] { broker.decide(.unreachable(address(number, .worker))) }
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true)
        #expect(try replica("a", broker).state == "stale", "the other one may have everything")
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true, after: 9)
        #expect(try replica("a", broker).state == "stale" && replica("b", broker).inSync)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true, after: 11)
        #expect(try replica("a", broker).state == "whole")
        let other = try replica("b", broker)
        #expect(!other.inSync && other.reason == "lossAccepted")
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1, after: 11)
        broker.decide(.tick, after: 11.5)
        let order = try #require(self.order(4, broker))
        #expect(order.keepsReplaced && !order.afresh, "it may hold what the other one lacks")
    }

    /// Both workers go with parts 2 and 3 on their way, the second is given up, and replica 7 of
    /// worker a (3 now) opens with part 1.
    private func givenUpBetween() throws -> BrokerHarness {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2, request: request(2, budget: .seconds(1)))
        try broker.put(9, batch: 3)
        for number in [1, 2] as [UInt8] {
            #expect(broker.takeParts(number).count == 2)
            broker.decide(.unreachable(address(number, .worker)))
        }
        broker.decide(.tick, after: 2)
        let code = broker.acks(9).last?.refusals.first?.code
        #expect(code == ErrorCode.shardUnavailable.number, "the second batch is given up")
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 1, after: 2)
        return broker
    }

    /// Behind which parts worker a (3) was sent others.
    private func previous(_ broker: inout BrokerHarness) -> [UInt64] {
        broker.takeParts(3).compactMap { message in
            guard case .putPart(let put) = message.command else { return nil }
            return put.previousSequence
        }
    }

    @Test("A replica that has a part behind one that was given up is not in step by its number")
    func outOfStepByNumber() throws {
        var broker = try givenUpBetween()
        #expect(previous(&broker).isEmpty, "the other one may have part 3 behind part 2")
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 3, after: 2)
        let other = try replica("b", broker)
        #expect(!other.inSync && other.reason == "outOfStep")
        #expect(try replica("a", broker).inSync)
        #expect(previous(&broker) == [1])
    }

    @Test("No part is sent behind another one than a replica in sync may have it behind")
    func placesAgree() throws {
        var broker = try givenUpBetween()
        broker.writesAtOnce = false
        broker.decide(.tick, after: 3)
        #expect(try !replica("b", broker).inSync, "it is away and holds the part back")
        #expect(previous(&broker).isEmpty, "nobody would know after the broker died")
        broker.write()
        #expect(previous(&broker) == [1])
    }

    @Test("What comes back without the parts it was sent keeps nothing back")
    func forgottenPlaces() throws {
        var broker = try givenUpBetween()
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1, after: 2)
        #expect(try replica("b", broker).inSync)
        #expect(previous(&broker) == [1])
        #expect(broker.takeParts(4).count == 1)
    }

    @Test(
        "Replicas that both went with a part on its way are in step, whoever has it",
        arguments: [1, 2, 3] as [UInt64], [1, 2, 3] as [UInt64])
    func bothWent(first: UInt64, second: UInt64) throws {
        var broker = try BrokerHarness.withReplicas()
        for batch in [2, 3] as [UInt64] { try broker.put(9, batch: batch) }
        for number in [1, 2] as [UInt8] { broker.decide(.unreachable(address(number, .worker))) }
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: first)
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: second)
        #expect(try replica("a", broker).inSync && replica("b", broker).inSync)
        for number in [3, 4] as [UInt8] {
            for part in broker.takeParts(number) {
                broker.answer(part, from: number, last: max(part.envelope.sequence, 3))
            }
        }
        #expect(broker.acks(9).count == 3)
        #expect(try replica("a", broker).inSync && replica("b", broker).inSync)
    }

    @Test("A replica that is missing leaves as soon as the other one is heard of again")
    func missingBesideSilent() throws {
        var broker = try BrokerHarness.withReplicas()
        broker.decide(.unreachable(address(2, .worker)))
        broker.decide(.tick, after: 3)
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 0, after: 3)
        #expect(try replica("b", broker).inSync, "the other one does not answer")
        broker.receive(.pong(WirePulse()), from: address(1, .worker), after: 3.1)
        #expect(try !replica("b", broker).inSync && replica("a", broker).inSync)
    }

    @Test("A directory that somebody put in the place of a replica out of sync is set aside")
    func stranger() throws {
        for (identity, last, isKept) in [(99, 3, true), (99, 0, false), (8, 1, false)]
            as [(UInt64, UInt64, Bool)]
        {
            var broker = try BrokerHarness.withReplicas()
            broker.decide(.unreachable(address(2, .worker)))
            for batch in [2, 3] as [UInt64] {
                try broker.put(9, batch: batch)
                for part in broker.takeParts(1) { broker.answer(part, from: 1) }
                broker.decide(.tick, after: 2)
            }
            #expect(try replica("b", broker).reason == "away")
            broker.connect("b", 4, .worker, boot: 2)
            broker.host(4, identity: identity, lastSequence: last, after: 3)
            broker.decide(.tick, after: 4)
            let order = try #require(self.order(4, broker))
            #expect(order.keepsReplaced == isKept, "\(identity), \(last)")
        }
    }

    @Test("A replica that comes in time with everything is no loss, whatever was accepted")
    func acceptingTooEarly() throws {
        var broker = try BrokerHarness.withReplicas()
        for number in [1, 2] as [UInt8] { broker.decide(.unreachable(address(number, .worker))) }
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true)
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1, acceptsLoss: true, after: 5)
        #expect(try replica("b", broker).state == "whole")
        #expect(try replica("a", broker).reason == "stale")
        #expect(!broker.logged.contains { $0.text.contains("given up") })
    }

    @Test("Of several replicas that lack something the one with most is accepted")
    func acceptingTheBest() throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2)
        for number in [1, 2] as [UInt8] {
            for part in broker.takeParts(number) { broker.answer(part, from: number) }
        }
        for number in [1, 2] as [UInt8] { broker.decide(.unreachable(address(number, .worker))) }
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true)
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        #expect(try replica("b", broker).state == "stale", "nobody has said so of this one")
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true, after: 1)
        #expect(try replica("b", broker).state == "whole")
        #expect(try replica("a", broker).reason == "lossAccepted")
        let text = "behind part 1, up to 2, is given up"
        #expect(broker.logged.contains { $0.text.contains(text) })
    }

    @Test("A damaged replica leaves the set while another is open, and is copied from that")
    func damaged() throws {
        var broker = try BrokerHarness.withReplicas()
        broker.decide(.unreachable(address(1, .worker)))
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, damage: "/d/MANIFEST is damaged")
        let left = try replica("a", broker)
        #expect(!left.inSync && left.reason == "damaged")
        #expect(left.message.contains("/d/MANIFEST is damaged"))
        #expect(broker.logged.contains { $0.level == .error && $0.text.contains("is damaged") })
        #expect(broker.core.counters.damagedReplicas == 1)
        broker.decide(.tick, after: 1)
        #expect(order(3, broker)?.donorWorker == "b")
        #expect(try replica("a", broker).state == "copying")
        // Repeated by the next ASSIGN: nothing new.
        let errors = broker.logged.count { $0.level == .error }
        broker.host(3, damage: "/d/MANIFEST is damaged")
        #expect(broker.logged.count { $0.level == .error } == errors)
    }

    @Test("The last replica that is damaged keeps its place, and status tells the way out")
    func lastDamaged() throws {
        var broker = try BrokerHarness.withReplicas()
        for number in [1, 2] as [UInt8] { broker.decide(.unreachable(address(number, .worker))) }
        broker.connect("a", 3, .worker, boot: 2)
        broker.host(3, damage: "/d/MANIFEST is damaged; restore it")
        let kept = try replica("a", broker)
        #expect(kept.inSync && kept.state == "damaged" && kept.message.contains("restore it"))
        broker.decide(.tick, after: 1)
        #expect(order(3, broker) == nil)
        // The other one opens: now it can be copied.
        broker.connect("b", 4, .worker, boot: 2)
        broker.host(4, identity: 8, lastSequence: 1)
        #expect(try !replica("a", broker).inSync)
        broker.decide(.tick, after: 1)
        #expect(order(3, broker)?.donorWorker == "b")
    }

    @Test(
        "Why a replica left is told apart, and kept by a broker that starts again",
        arguments: [
            (ErrorCode.diskFull, "diskFull"), (.storageFailed, "storageFailed"),
            (.gap, "refusing"),
        ])
    func reasons(code: ErrorCode, reason: String) throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        for part in broker.takeParts(2) { broker.answer(part, from: 2, error: code, last: 1) }
        let left = try replica("b", broker)
        #expect(!left.inSync && left.reason == reason, "\(left)")
        #expect(broker.logged.contains { $0.text.contains("(\(reason))") })
        let state = try ClusterState(decoding: broker.core.state.encoded)
        let again = BrokerHarness(shards: 1, replication: 2, state: state)
        #expect(try replica("b", again).reason == reason)
        #expect(try !replica("b", again).message.isEmpty)
    }

    @Test("Counts of a replica whose worker is away are those that it had, not another one's")
    func counts() throws {
        var broker = try BrokerHarness.withReplicas()
        broker.decide(.unreachable(address(2, .worker)))
        try broker.put(9, batch: 2)
        for part in broker.takeParts(1) { broker.answer(part, from: 1, documents: 50) }
        broker.decide(.tick, after: 2)
        #expect(broker.acks(9).count == 2)
        let (here, away) = (try replica("a", broker), try replica("b", broker))
        #expect(here.documents == 50 && here.lastSequence == 2)
        #expect(away.state == "unreachable" && away.lastSequence == 1 && away.documents == 0)
    }

    @Test("A donor that could not give what is missing is not the next one, and the log says so")
    func donors() throws {
        var broker = try BrokerHarness.withReplicas(workers: 3)
        try broker.put(9, batch: 2)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        for part in broker.takeParts(3) { broker.answer(part, from: 3, error: .gap, last: 1) }
        broker.decide(.tick, after: 1)
        let first = try #require(self.order(3, broker))
        #expect(first.leastSequence == 2)
        var state = WireReplicaState()
        state.index = first.index
        state.shard = first.shard
        state.epoch = first.epoch
        state.ticketHigh = first.ticketHigh
        state.ticketLow = first.ticketLow
        state.phase = .failed
        state.failure = WireFailure(.gap, "worker has parts up to 1, and 2 was acknowledged")
        broker.receive(.replicaState(state), from: address(3, .worker), after: 1)
        #expect(broker.logged.contains { $0.text.contains("could not be copied") })
        broker.decide(.tick, after: 10)
        broker.decide(.tick, after: 10)
        let second = try #require(self.order(3, broker))
        #expect(second.donorWorker != first.donorWorker)
    }
}
