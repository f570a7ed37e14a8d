import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Proofs before a replica is removed")
struct ReplicaProofTests {
    /// Worker 1 had the one shard, and worker 3 says that it has copied it; client 2.
    private func copied() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1)
        broker.provesAtOnce = false
        broker.connect("w1", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1, identity: 7)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        broker.connect("w3", 3, .worker)
        var request = WirePlanRequest()
        request.action = .drain
        request.worker = "w1"
        broker.receive(.plan(request), FresnelClusterTests.request(5), from: address(2))
        copy(&broker, after: 1)
        broker.decide(.tick, after: 2)
        return broker
    }

    /// Everybody who is here gives signs of life, once a second.
    private func live(
        _ broker: inout BrokerHarness, _ seconds: ClosedRange<Int>, _ workers: [UInt8] = [1, 3]
    ) {
        for second in seconds {
            for number in workers {
                broker.receive(
                    .pong(WirePulse()), from: address(number, .worker), after: Double(second))
            }
            broker.receive(.pong(WirePulse()), from: address(2), after: Double(second))
            broker.decide(.tick, after: Double(second))
        }
    }

    private func copy(_ broker: inout BrokerHarness, after seconds: Double) {
        broker.host(3, identity: 9)
        broker.decide(.tick, after: seconds)
        for message in broker.messages(to: address(3, .worker)) {
            guard case .catchUp(let order) = message.command, !order.withdrawn else { continue }
            let state = WireReplicaState(order, .caughtUp, last: 1, identity: 9)
            broker.receive(.replicaState(state), from: address(3, .worker), after: seconds)
        }
    }

    private func questions(_ broker: BrokerHarness, _ number: UInt8) -> [WireCheckReplica] {
        broker.messages(to: address(number, .worker)).compactMap {
            if case .checkReplica(let question) = $0.command, question.round >> 63 == 1 {
                question
            } else {
                nil
            }
        }
    }

    /// Workers 1 and 3 answer their newest questions.
    private func answer(
        _ broker: inout BrokerHarness, _ first: UInt64, _ second: UInt64, salt: UInt64? = nil,
        after seconds: Double
    ) throws {
        for (number, hash) in [(1, first), (3, second)] as [(UInt8, UInt64)] {
            broker.prove(
                try #require(questions(broker, number).last), from: address(number, .worker),
                hash: hash, salt: salt, after: seconds)
        }
    }

    private let key = ShardKey(index: "items", shard: ShardID(0))

    private func holders(_ broker: BrokerHarness) -> [String] {
        broker.core.state.indexes[0].shards[0].replicas.map(\.worker.name)
    }

    private func isDropped(_ broker: BrokerHarness) -> Bool {
        broker.verbs(1, .worker).contains(.dropReplica)
    }

    @Test("R-16: That a copy has everything is no reason to remove the other one: both prove it")
    func proven() throws {
        var broker = try copied()
        let (old, new) = (questions(broker, 1), questions(broker, 3))
        #expect(old.count == 1 && old[0].salt != 0 && old[0].salt == new.first?.salt)
        #expect(old[0].sequence == 1 && old[0].now == new.first?.now)
        live(&broker, 3...60)
        #expect(broker.core.searchableReplicas(of: key).count == 2)
        #expect(holders(broker) == ["w1", "w3"] && !isDropped(broker))
    }

    @Test("Equal contents end the move")
    func equal() throws {
        var broker = try copied()
        try answer(&broker, 8, 8, after: 2)
        #expect(holders(broker) == ["w3"])
        broker.decide(.tick, after: 3)
        #expect(isDropped(broker))
    }

    @Test("A copy that contains something else leaves, and is made anew; the old one stays")
    func different() throws {
        var broker = try copied()
        try answer(&broker, 8, 1, after: 2)
        #expect(broker.core.state.indexes[0].shards[0].inSync.count == 2, "once may be anything")
        broker.decide(.tick, after: 4)
        let salts = questions(broker, 1).map(\.salt)
        #expect(salts.count == 2 && Set(salts).count == 2, "another salt each time")
        try answer(&broker, 8, 1, after: 4)
        #expect(broker.core.state.indexes[0].shards[0].inSync == [WorkerID("w1")])
        #expect(broker.logged.contains { $0.level == .error && $0.text.contains("differ") })
        live(&broker, 5...7)
        #expect(!isDropped(broker) && holders(broker) == ["w1", "w3"])
    }

    @Test(
        "An older worker knows no salts: then nobody uses one, and contents are equal")
    func unsalted() throws {
        var broker = try copied()
        try broker.prove(
            #require(questions(broker, 3).last), from: address(3, .worker), hash: 8, salt: 0,
            after: 2)
        #expect(holders(broker).count == 2)
        broker.decide(.tick, after: 4.5)
        #expect(questions(broker, 1).last?.salt == 0 && questions(broker, 1).count == 2)
        try answer(&broker, 8, 8, after: 4.5)
        #expect(holders(broker) == ["w3"])
    }

    @Test(
        "Where the old one went before it proved anything, it is waited for; nothing is removed"
    )
    func away() throws {
        var broker = try copied()
        broker.receive(.goodbye, from: address(1, .worker), after: 2)
        live(&broker, 3...20, [3])
        #expect(holders(broker) == ["w1", "w3"])
        var request = WirePlanRequest()
        request.action = .show
        broker.receive(.plan(request), FresnelClusterTests.request(6), from: address(2), after: 21)
        guard case .planReply(let reply)? = broker.last(address(2))?.command else {
            Issue.record("no plan")
            return
        }
        #expect(reply.underWay.first?.waiting.contains("start worker w1") == true)
        broker.connect("w1", 4, .worker, boot: 2)
        broker.host(4, identity: 7, lastSequence: 1, after: 21)
        broker.decide(.tick, after: 22)
        #expect(questions(broker, 4).count == 1)
    }

    @Test("At most a few shards prove at once, and a round is over when its replicas are others")
    func rounds() {
        var proofs = ReplicaProofs()
        let keys = (0..<9).map { ShardKey(index: "items", shard: ShardID($0)) }
        let replicas = [(WorkerID("a"), Epoch(1)), (WorkerID("b"), Epoch(2))]
        let begun = keys.compactMap {
            proofs.begin($0, SequenceNumber(1), replicas, salt: 3, at: start)
        }
        #expect(begun.count == Limits.proofsAtOnce)
        let others = [(WorkerID("a"), Epoch(1)), (WorkerID("b"), Epoch(3))]
        let again = [replicas, others].map {
            proofs.begin(keys[0], SequenceNumber(1), $0, salt: 3, at: at(1))?.number
        }
        #expect(again[0] == nil && again[1] != nil && again[1] != begun[0].number)
        var late = WireReplicaDigest()
        late.index = "items"
        late.round = begun[0].number
        late.epoch = 1
        late.salt = 3
        #expect(proofs.take(late, from: WorkerID("a"), at: at(1)) == nil)
    }
}
