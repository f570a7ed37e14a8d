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

    private func orders(_ broker: BrokerHarness) -> [WireCatchUp] {
        broker.messages(to: address(3, .worker)).compactMap {
            if case .catchUp(let order) = $0.command, !order.withdrawn { order } else { nil }
        }
    }

    private func inSync(_ broker: BrokerHarness) -> [String] {
        broker.core.state.indexes[0].shards[0].inSync.map(\.name)
    }

    @Test("R-21: That a copy has everything is a word: it joins, and replaces, once both prove it")
    func unproven() throws {
        var broker = try copied()
        let (old, new) = (questions(broker, 1), questions(broker, 3))
        #expect(old.count == 1 && old[0].salt != 0 && old[0].salt == new.first?.salt)
        #expect(old[0].sequence == 1 && old[0].now == new.first?.now)
        live(&broker, 3...60)
        #expect(broker.core.searchableReplicas(of: key).map(\.worker) == [WorkerID("w1")])
        #expect(holders(broker) == ["w1", "w3"] && !isDropped(broker) && orders(broker).count == 1)
    }

    @Test("Equal contents let it join, and end the move")
    func equal() throws {
        var broker = try copied()
        try answer(&broker, 8, 8, after: 2)
        live(&broker, 3...4)
        #expect(holders(broker) == ["w3"] && questions(broker, 1).count == 1)
        #expect(isDropped(broker))
    }

    @Test("While replicas in sync are found to differ, no move takes one of them away")
    func doubted() throws {
        var broker = try BrokerHarness.withReplicas()
        broker.connect("w3", 3, .worker)
        var request = WirePlanRequest()
        request.action = .drain
        request.worker = "a"
        broker.receive(.plan(request), FresnelClusterTests.request(5), from: address(9))
        copy(&broker, after: 1)
        #expect(inSync(broker).count == 3)
        broker.core.comparisons.doubt(key, because: "they differ")
        for second in 2...4 {
            for number in [1, 2, 3] as [UInt8] {
                broker.receive(
                    .pong(WirePulse()), from: address(number, .worker), after: Double(second))
            }
            broker.receive(.pong(WirePulse()), from: address(9), after: Double(second))
            broker.decide(.tick, after: Double(second))
        }
        #expect(holders(broker).count == 3 && !isDropped(broker))
        request.action = .show
        broker.receive(.plan(request), FresnelClusterTests.request(6), from: address(9), after: 4)
        guard case .planReply(let reply)? = broker.last(address(9))?.command else {
            Issue.record("no plan")
            return
        }
        #expect(reply.underWay.first?.waiting == "they differ")
        for number in [1, 2, 3] as [UInt8] {
            let comparison = broker.messages(to: address(number, .worker)).last { message in
                if case .checkReplica(let question) = message.command {
                    question.salt == 0
                } else {
                    false
                }
            }
            guard case .checkReplica(let question)? = comparison?.command else { continue }
            broker.prove(question, from: address(number, .worker), hash: 5, after: 4)
        }
        #expect(broker.core.comparisons.doubts.isEmpty)
        broker.decide(.tick, after: 5)
        #expect(holders(broker) == ["b", "w3"])
    }

    @Test("A copy that contains something else never joins, and is made anew, whole")
    func different() throws {
        var broker = try copied()
        try answer(&broker, 8, 1, after: 2)
        live(&broker, 3...4)
        let salts = questions(broker, 1).map(\.salt)
        #expect(salts.count == 2 && Set(salts).count == 2, "another salt each time")
        #expect(orders(broker).count == 1, "once may be anything")
        try answer(&broker, 8, 1, after: 4)
        #expect(broker.logged.contains { $0.level == .error && $0.text.contains("differ") })
        live(&broker, 5...8)
        #expect(inSync(broker) == ["w1"] && holders(broker).count == 2 && !isDropped(broker))
        #expect(orders(broker).map(\.afresh) == [false, true])
        // A right copy then ends the move.
        let order = try #require(orders(broker).last)
        let state = WireReplicaState(order, .caughtUp, last: 1, identity: 10)
        broker.receive(.replicaState(state), from: address(3, .worker), after: 8)
        try answer(&broker, 8, 8, after: 8)
        live(&broker, 9...10)
        #expect(holders(broker) == ["w3"])
    }

    @Test("An older worker knows no salts: then nobody uses one, and contents are equal")
    func unsalted() throws {
        var broker = try copied()
        try broker.prove(
            #require(questions(broker, 3).last), from: address(3, .worker), hash: 8, salt: 0,
            after: 2)
        #expect(inSync(broker) == ["w1"])
        live(&broker, 3...5)
        #expect(questions(broker, 1).last?.salt == 0 && questions(broker, 1).count == 2)
        try answer(&broker, 8, 8, after: 5)
        live(&broker, 6...7)
        #expect(holders(broker) == ["w3"])
    }

    @Test("A former broker's successor in sync proves it before the old one goes, or waits for it")
    func restarted() throws {
        var former = try copied()
        try answer(&former, 8, 8, after: 2)
        let state = try ClusterState(decoding: former.core.state.encoded)
        #expect(state.indexes[0].shards[0].inSync.count == 2)
        var broker = BrokerHarness(shards: 1, state: state, seed: 4)
        broker.provesAtOnce = false
        broker.connect("c", 2)
        broker.connect("w3", 3, .worker)
        broker.host(3, identity: 9, lastSequence: 1)
        live(&broker, 1...8, [3])
        #expect(holders(broker) == ["w1", "w3"])
        var request = WirePlanRequest()
        request.action = .show
        broker.receive(.plan(request), FresnelClusterTests.request(6), from: address(2), after: 8)
        guard case .planReply(let reply)? = broker.last(address(2))?.command else {
            Issue.record("no plan")
            return
        }
        let waiting = reply.underWay.first?.waiting ?? ""
        #expect(waiting.contains("start worker w1"), "\(waiting)")
        broker.connect("w1", 1, .worker)
        broker.host(1, identity: 7, lastSequence: 1, after: 8)
        live(&broker, 9...9)
        #expect(questions(broker, 1).count == 1 && holders(broker).count == 2)
        try answer(&broker, 8, 8, after: 9)
        #expect(holders(broker) == ["w3"])
    }

    @Test("One that was in sync before and goes on with its journal joins without a proof")
    func returning() throws {
        var broker = BrokerHarness(shards: 1, replication: 2, expectedWorkers: 2)
        broker.provesAtOnce = false
        broker.connect("w1", 1, .worker)
        broker.connect("w3", 3, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1, identity: 7)
        broker.host(3, identity: 9)
        let name = ReplicaName(shard: key, worker: WorkerID("w3"))
        _ = broker.core.exclude(name.worker, from: key, as: .away, because: "")
        #expect(broker.core.mayJoin(name))
        broker.core.workers[name.worker]?.behind[key]?.identity = 10
        #expect(!broker.core.mayJoin(name), "that is another directory")
    }

    @Test("At most a few copies prove at once, and a round is over when its replicas are others")
    func rounds() {
        var proofs = ReplicaProofs()
        let names = (0..<9).map {
            ReplicaName(
                shard: ShardKey(index: "items", shard: ShardID($0)), worker: WorkerID("b"))
        }
        let identity = ReplicaIdentity(5)
        let replicas = [(WorkerID("a"), Epoch(1)), (WorkerID("b"), Epoch(2))]
        let begun = names.compactMap {
            proofs.begin($0, identity, SequenceNumber(1), replicas, salt: 3, at: start)
        }
        #expect(begun.count == Limits.proofsAtOnce)
        let others = [(WorkerID("a"), Epoch(1)), (WorkerID("b"), Epoch(3))]
        let again = [replicas, others].map {
            proofs.begin(names[0], identity, SequenceNumber(1), $0, salt: 3, at: at(1))?.number
        }
        #expect(again[0] == nil && again[1] != nil && again[1] != begun[0].number)
        var late = WireReplicaDigest()
        late.index = "items"
        late.round = begun[0].number
        late.epoch = 1
        late.salt = 3
        #expect(proofs.take(late, from: WorkerID("a"), at: at(1)) == nil)
    }

    @Test("A proof is of one directory, and ends with its replica")
    func directories() {
        var proofs = ReplicaProofs()
        let name = ReplicaName(shard: key, worker: WorkerID("b"))
        let replicas = [(WorkerID("a"), Epoch(1)), (WorkerID("b"), Epoch(2))]
        let round = proofs.begin(
            name, ReplicaIdentity(5), SequenceNumber(1), replicas, salt: 3, at: start)
        for (worker, since) in replicas {
            var digest = WireReplicaDigest()
            digest.index = "items"
            digest.round = round?.number ?? 0
            digest.epoch = since.value
            digest.salt = 3
            _ = proofs.take(digest, from: worker, at: start)
        }
        #expect(proofs.isProven(name, ReplicaIdentity(5)))
        #expect(!proofs.isProven(name, ReplicaIdentity(6)))
        proofs.forget(name)
        #expect(!proofs.isProven(name, ReplicaIdentity(5)))
    }
}
