import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Moves of replicas")
struct BrokerMoveTests {
    /// Worker 1 with both shards of one index, and worker 3, which came later; client 2.
    private func grown() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 2)
        broker.connect("w1", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1, identity: 7)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        broker.connect("w3", 3, .worker)
        return broker
    }

    private func plan(
        _ action: WirePlanAction, _ worker: String = "", isDry: Bool = false
    ) -> Command {
        var request = WirePlanRequest()
        request.action = action
        request.worker = worker
        request.dryRun = isDry
        return .plan(request)
    }

    private func reply(_ broker: BrokerHarness) -> WirePlanReply? {
        guard case .planReply(let reply)? = broker.last(address(2))?.command else { return nil }
        return reply
    }

    private func refusal(_ broker: BrokerHarness) -> WireFailure? {
        guard case .error(let failure)? = broker.last(address(2))?.command else { return nil }
        return failure
    }

    /// The orders of a kind that worker `number` got.
    private func drops(_ broker: BrokerHarness, _ number: UInt8) -> [WireDropReplica] {
        broker.messages(to: address(number, .worker)).compactMap {
            if case .dropReplica(let drop) = $0.command { drop } else { nil }
        }
    }

    /// Worker 3 opens what it was assigned, copies it, and says that it has everything.
    private func copy(_ broker: inout BrokerHarness, after seconds: Double) {
        broker.host(3, identity: 9)
        broker.decide(.tick, after: seconds)
        for message in broker.messages(to: address(3, .worker)) {
            guard case .catchUp(let order) = message.command, !order.withdrawn else { continue }
            let shard = ShardKey(index: order.index, shard: ShardID(order.shard))
            let last = broker.core.writes.agreedSequence(of: shard)
            let state = WireReplicaState(order, .caughtUp, last: last.value, identity: 9)
            broker.receive(
                .replicaState(state), from: address(3, .worker), after: seconds)
        }
    }

    private func dropped(_ order: WireDropReplica) -> Command {
        var state = WireReplicaState()
        state.index = order.index
        state.shard = order.shard
        state.epoch = order.epoch
        state.phase = .dropped
        return .replicaState(state)
    }

    @Test(
        "A plan shows what would move, changes nothing, and a worker that came is said to be idle")
    func shows() throws {
        var broker = try grown()
        let version = broker.core.state.version
        broker.receive(plan(.show), request(5), from: address(2))
        let plan = try #require(reply(broker))
        #expect(plan.moves.map(\.from) == ["w1"] && plan.moves.map(\.to) == ["w3"])
        #expect(plan.moves.map(\.reason) == [.balance] && plan.moveCount == 1)
        #expect(plan.workers.map(\.replicasBefore) == [2, 0])
        #expect(plan.workers.map(\.replicasAfter) == [1, 1])
        #expect(broker.core.state.version == version)
        broker.decide(.tick, after: 2.2)
        #expect(broker.logged.contains { $0.text.contains("`fresnel rebalance`") })
        #expect(broker.core.status(at: moment(2.2)).plannedMoves == 1)
    }

    @Test("A replica moves by a copy, a new epoch and a drop that is repeated until it is answered")
    func moves() throws {
        var broker = try grown()
        broker.writesAtOnce = false
        broker.receive(plan(.rebalance), request(5), from: address(2))
        #expect(reply(broker) == nil, "the plan is not durable yet")
        broker.writesAtOnce = true
        broker.write()
        let move = try #require(reply(broker)?.moves.first)
        let key = ShardKey(index: "items", shard: ShardID(move.shard))
        let shard = { (broker: BrokerHarness) in
            broker.core.state.index(named: "items")?[key.shard]
        }
        #expect(shard(broker)?.moving?.successor == WorkerID("w3"))
        #expect(broker.core.searchableReplicas(of: key).map(\.worker) == [WorkerID("w1")])
        copy(&broker, after: 1)
        #expect(shard(broker)?.inSync == [WorkerID("w1"), WorkerID("w3")])
        #expect(drops(broker, 1).isEmpty)
        broker.decide(.tick, after: 2)
        #expect(shard(broker)?.inSync == [WorkerID("w3")])
        #expect(broker.core.searchableReplicas(of: key).map(\.worker) == [WorkerID("w3")])
        broker.decide(.tick, after: 3)
        let drop = try #require(drops(broker, 1).first)
        #expect(drop.shard == move.shard && drop.epoch == shard(broker)?.epoch.value)
        broker.decide(.tick, after: 4)
        #expect(drops(broker, 1).count == 1)
        broker.decide(.tick, after: 9)
        #expect(drops(broker, 1).count == 2)
        broker.receive(dropped(drop), from: address(1, .worker), after: 9)
        #expect(shard(broker)?.dropped.isEmpty == true)
        broker.decide(.tick, after: 20)
        #expect(drops(broker, 1).count == 2)
        broker.receive(plan(.show), request(6), from: address(2), after: 21)
        #expect(reply(broker)?.moves.isEmpty == true)
    }

    @Test("What a worker told of a replica is over when it has removed it")
    func told() throws {
        var broker = try grown()
        broker.receive(plan(.rebalance), request(5), from: address(2))
        let move = try #require(reply(broker)?.moves.first)
        copy(&broker, after: 1)
        for second in [2.0, 3] { broker.decide(.tick, after: second) }
        let drop = try #require(drops(broker, 1).first)
        // It has a part that was acknowledged to nobody.
        var found = WireFoundReplica()
        found.index = "items"
        (found.shard, found.shardCount, found.lastSequence) = (move.shard, 2, 99)
        for message in WireHosted.messages(found: [found]) {
            broker.receive(.hosted(message), from: address(1, .worker), after: 4)
        }
        #expect(broker.core.unknownReplicas.isEmpty, "it is to be removed")
        broker.receive(dropped(drop), from: address(1, .worker), after: 5)
        #expect(broker.core.state.indexes[0].shards.allSatisfy { $0.dropped.isEmpty })
        #expect(broker.core.unknownReplicas.isEmpty)
    }

    @Test("A write waits for both replicas while one moves, and for the new one alone after that")
    func writes() throws {
        var broker = try grown()
        broker.receive(plan(.rebalance), request(5), from: address(2))
        copy(&broker, after: 1)
        try broker.put(2, batch: 2)
        let (old, new) = (broker.takeParts(1), broker.takeParts(3))
        #expect(old.count == 2 && new.count == 1)
        for part in old { broker.answer(part, from: 1) }
        #expect(broker.acks(2).count == 1)
        for part in new { broker.answer(part, from: 3) }
        #expect(broker.acks(2).count == 2)
        broker.decide(.tick, after: 2)
        try broker.put(2, batch: 3)
        #expect(broker.takeParts(1).count == 1 && broker.takeParts(3).count == 1)
    }

    @Test("A drop waits for queries that are to be answered from the replica, though not for ever")
    func queries() throws {
        var broker = try grown()
        broker.receive(plan(.rebalance), request(5), from: address(2))
        broker.receive(.query(search()), request(6, budget: .seconds(600)), from: address(2))
        copy(&broker, after: 1)
        broker.decide(.tick, after: 2)
        broker.decide(.tick, after: 3)
        #expect(broker.core.queries.count == 1 && drops(broker, 1).isEmpty)
        broker.receive(.cancel, request(6), from: address(2), after: 4)
        broker.decide(.tick, after: 4)
        #expect(drops(broker, 1).count == 1)
    }

    @Test("A drained worker gives everything away, also after a restart of the broker")
    func drains() throws {
        var broker = try grown()
        broker.receive(plan(.drain, "w1"), request(5), from: address(2))
        #expect(reply(broker)?.moves.count == 2)
        let state = try ClusterState(decoding: broker.core.state.encoded)
        #expect(state.drained == [WorkerID("w1")])
        broker = BrokerHarness(shards: 2, state: state, seed: 4)
        broker.connect("w1", 1, .worker)
        broker.connect("w3", 3, .worker)
        broker.connect("c", 2)
        broker.host(1, identity: 7, lastSequence: 1)
        copy(&broker, after: 1)
        for second in 2...4 { broker.decide(.tick, after: Double(second)) }
        let shards = broker.core.state.index(named: "items")?.shards ?? []
        #expect(shards.allSatisfy { $0.replicas.map(\.worker) == [WorkerID("w3")] })
        for drop in drops(broker, 1) {
            broker.receive(dropped(drop), from: address(1, .worker), after: 5)
        }
        broker.decide(.tick, after: 6)
        #expect(broker.logged.contains { $0.text.contains("w1 is drained") })
        let worker = broker.core.status(at: moment(6)).workers.first
        #expect(worker?.drained == true && worker?.replicas == 0 && worker?.removing == 0)
        // New indexes avoid it, and nothing goes back to it.
        broker.receive(plan(.rebalance), request(7), from: address(2), after: 7)
        #expect(reply(broker)?.moves.isEmpty == true)
    }

    @Test("A plan says what its moves wait for, and who is away or silent")
    func waiting() throws {
        var broker = try grown()
        broker.receive(plan(.rebalance), request(5), from: address(2))
        let move = try #require(reply(broker)?.moves.first)
        #expect(move.waiting.isEmpty && reply(broker)?.workers.map(\.state) == ["live", "live"])
        for second in [1.0, 2, 3] {
            broker.receive(.pong(WirePulse()), from: address(1, .worker), after: second)
            broker.decide(.tick, after: second)
        }
        broker.receive(plan(.show), request(6), from: address(2), after: 3)
        #expect(reply(broker)?.workers.map(\.state) == ["live", "suspect"])
        #expect(reply(broker)?.underWay.first?.waiting.contains("w3, which gets it") == true)
        broker.receive(.goodbye, from: address(3, .worker), after: 3)
        broker.receive(plan(.show), request(7), from: address(2), after: 3)
        #expect(reply(broker)?.workers.map(\.state) == ["live", "lost"])
        let text = reply(broker)?.underWay.first?.waiting ?? ""
        #expect(text.contains("is away") && text.contains("`fresnel drain w3`"), "\(text)")
        #expect(reply(broker)?.underWay.first?.sourceless == false, "its source is here")
        broker.connect("w3", 3, .worker, boot: 2)
        broker.receive(.goodbye, from: address(1, .worker), after: 3)
        broker.receive(plan(.show), request(8), from: address(2), after: 3)
        let source = reply(broker)?.underWay.first?.waiting ?? ""
        #expect(source.contains("nobody who is here can give it"), "\(source)")
        #expect(reply(broker)?.underWay.first?.sourceless == true)
    }

    @Test("A drained worker that is gone for good is drained when nothing of it is needed any more")
    func gone() throws {
        var broker = try grown()
        broker.receive(plan(.drain, "w1"), request(5), from: address(2))
        copy(&broker, after: 1)
        broker.decide(.tick, after: 2)
        #expect(!drops(broker, 1).isEmpty || broker.core.state.indexes[0].shards[0].moving == nil)
        broker.receive(.goodbye, from: address(1, .worker), after: 3)
        for second in 4...6 { broker.decide(.tick, after: Double(second)) }
        #expect(broker.logged.contains { $0.text.contains("nothing of it is needed any more") })
        let worker = broker.core.status(at: moment(6)).workers.first
        #expect(worker?.state == "ended" && worker?.replicas == 0 && worker?.removing == 2)
        // Should it come back it removes what it has, and is drained then.
        broker.connect("w1", 4, .worker, boot: 2)
        broker.receive(.pong(WirePulse()), from: address(4, .worker), after: 8)
        broker.decide(.tick, after: 8)
        #expect(drops(broker, 4).count == 2)
        for drop in drops(broker, 4) {
            broker.receive(dropped(drop), from: address(4, .worker), after: 9)
        }
        broker.decide(.tick, after: 10)
        #expect(broker.logged.contains { $0.text.contains("nothing is left on it") })
    }

    @Test("A worker of another cluster under the name of a drained one is not that one")
    func foreign() throws {
        var broker = try grown()
        broker.receive(plan(.drain, "w1"), request(5), from: address(2))
        copy(&broker, after: 1)
        broker.decide(.tick, after: 2)
        broker.receive(.goodbye, from: address(1, .worker), after: 3)
        var greeting = hello("w1", .worker, boot: 2)
        greeting.cluster = 99
        greeting.holdsReplicas = true
        broker.receive(.hello(greeting), from: address(4, .worker), after: 3)
        broker.join(4, .worker)
        for second in 4...6 { broker.decide(.tick, after: Double(second)) }
        #expect(drops(broker, 4).isEmpty)
        #expect(broker.logged.contains { $0.text.contains("drained and away") })
        for shard in broker.core.state.indexes[0].shards.enumerated() {
            var order = WireDropReplica()
            order.index = "items"
            order.shard = UInt32(shard.offset)
            order.epoch = shard.element.epoch.value
            broker.receive(dropped(order), from: address(4, .worker), after: 7)
        }
        let left = broker.core.state.indexes[0].shards.map { $0.dropped.map(\.worker.name) }
        #expect(left == [["w1"], ["w1"]])
    }

    @Test("A drain that is taken back keeps what has not moved yet")
    func undrains() throws {
        var broker = try grown()
        broker.receive(plan(.drain, "w1"), request(5), from: address(2))
        broker.receive(plan(.undrain, "w1"), request(6), from: address(2))
        #expect(reply(broker) != nil && broker.core.state.drained.isEmpty)
        let shards = broker.core.state.index(named: "items")?.shards ?? []
        #expect(shards.allSatisfy { $0.replicas.map(\.worker) == [WorkerID("w1")] })
        #expect(shards.allSatisfy { $0.dropped.map(\.worker) == [WorkerID("w3")] })
        broker.decide(.tick, after: 1)
        #expect(drops(broker, 3).count == 2)
    }

    @Test("What cannot be drained is refused with what to do, and changes nothing")
    func refusals() throws {
        var broker = try grown()
        let placed = broker.core.state.indexes.flatMap(\.shards).map {
            $0.replicas.map(\.worker)
        }
        broker.receive(plan(.drain, "nobody"), request(5), from: address(2))
        #expect(refusal(broker)?.code == ErrorCode.unknownWorker.number)
        #expect(refusal(broker)?.message.hasSuffix("w1, w3 are known") == true)
        for (typed, meant) in [("v3", "; did you mean w3"), ("w2", "w1, w3 are known")] {
            broker.receive(plan(.drain, typed), request(5), from: address(2))
            #expect(refusal(broker)?.message.hasSuffix(meant) == true, "\(typed)")
        }
        broker.receive(plan(.undrain, "w1"), request(6), from: address(2))
        #expect(refusal(broker)?.code == ErrorCode.unknownWorker.number)
        broker.receive(.goodbye, from: address(3, .worker))
        broker.receive(plan(.drain, "w1"), request(7), from: address(2))
        #expect(refusal(broker)?.code == ErrorCode.tooFewWorkers.number)
        #expect(refusal(broker)?.message.contains("start another worker first") == true)
        broker.connect("w3", 3, .worker, boot: 2)
        broker.receive(.goodbye, from: address(1, .worker))
        broker.receive(plan(.drain, "w1"), request(8), from: address(2))
        #expect(refusal(broker)?.code == ErrorCode.shardUnavailable.number)
        #expect(refusal(broker)?.message.contains("bring back the worker") == true)
        broker.receive(plan(.unspecified), request(9), from: address(2))
        #expect(refusal(broker)?.code == ErrorCode.invalidArgument.number)
        // What is acknowledged may be written down meanwhile; nobody moves, nobody is drained.
        #expect(broker.core.state.drained.isEmpty)
        #expect(
            broker.core.state.indexes.flatMap(\.shards).map { $0.replicas.map(\.worker) } == placed)
    }
}
