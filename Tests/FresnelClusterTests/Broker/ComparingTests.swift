import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Contents of replicas that are compared")
struct ComparingTests {
    /// A broker with one shard, whose replicas on workers 1 to `workers` have part 1.
    private func broker(workers: Int = 2) throws -> BrokerHarness {
        var broker = BrokerHarness(
            shards: 1, replication: UInt32(workers), expectedWorkers: workers)
        for number in 1...workers { broker.connect("w\(number)", UInt8(number), .worker) }
        broker.connect("c", 9)
        try broker.put(9, batch: 1)
        for number in 1...workers { broker.host(UInt8(number), identity: UInt64(number) + 6) }
        for number in 1...workers {
            for part in broker.takeParts(UInt8(number)) { broker.answer(part, from: UInt8(number)) }
        }
        return broker
    }

    /// The newest question to a worker.
    private func question(_ number: UInt8, _ broker: BrokerHarness) -> WireCheckReplica? {
        for message in broker.messages(to: address(number, .worker)).reversed() {
            if case .checkReplica(let question) = message.command { return question }
        }
        return nil
    }

    /// Lets workers answer the newest question with these hashes, in order.
    private func answer(
        _ broker: inout BrokerHarness, _ hashes: [UInt64], after seconds: Double
    ) throws {
        for (place, hash) in hashes.enumerated() {
            let number = UInt8(place + 1)
            let question = try #require(self.question(number, broker))
            var digest = WireReplicaDigest()
            digest.index = question.index
            digest.shard = question.shard
            digest.epoch = question.epoch
            digest.round = question.round
            digest.sequence = question.sequence
            digest.documents = 5
            digest.hashLow = hash
            broker.receive(.replicaDigest(digest), from: address(number, .worker), after: seconds)
        }
    }

    private func inSync(_ broker: BrokerHarness) -> [String] {
        broker.core.state.indexes[0].shards[0].inSync.map(\.name)
    }

    @Test("All in sync are asked for the same part and instant, one shard at a time")
    func asking() throws {
        var broker = try broker()
        broker.decide(.tick, after: 1)
        let (first, second) = (question(1, broker), question(2, broker))
        #expect(first?.sequence == 1 && first?.now == second?.now)
        #expect(first?.round == second?.round)
        try answer(&broker, [3, 3], after: 1)
        #expect(broker.core.counters.comparisons == 1 && inSync(broker).count == 2)
        let asked = broker.verbs(1, .worker).count { $0 == .checkReplica }
        broker.decide(.tick, after: 100)
        #expect(broker.verbs(1, .worker).count { $0 == .checkReplica } == asked, "nothing changed")
    }

    @Test(
        "Of two that differ twice the one that is longer in sync stays, the other is copied whole")
    func two() throws {
        var broker = try broker()
        let before = broker.core.state.indexes[0].shards[0].replicas.map(\.worker.name)
        broker.decide(.tick, after: 1)
        try answer(&broker, [3, 4], after: 1)
        #expect(inSync(broker).count == 2, "once may be anything")
        broker.decide(.tick, after: 20)
        try answer(&broker, [3, 4], after: 20)
        #expect(inSync(broker) == [before[0]])
        let status = broker.core.status(at: moment(20))
        let left = try #require(status.indexes[0].shards[0].replicas.first { !$0.inSync })
        #expect(left.reason == "contentDiffers" && left.message.contains("cannot be known"))
        #expect(broker.core.counters.differingReplicas == 1)
        #expect(broker.core.counters.violations[.replicasConverge] == 1)
        #expect(broker.core.counters.faultyParts == 0)
        broker.decide(.tick, after: 21)
        let number: UInt8 = left.worker == "w1" ? 1 : 2
        let orders = broker.messages(to: address(number, .worker)).compactMap { message in
            if case .catchUp(let order) = message.command { order } else { nil }
        }
        #expect(orders.last?.afresh == true)
    }

    @Test("Of three the one that differs from the others leaves", arguments: [0, 1, 2])
    func three(odd: Int) throws {
        var broker = try broker(workers: 3)
        var hashes: [UInt64] = [3, 3, 3]
        hashes[odd] = 4
        for seconds in [1.0, 20] {
            broker.decide(.tick, after: seconds)
            try answer(&broker, hashes, after: seconds)
        }
        #expect(Set(inSync(broker)) == Set(["w1", "w2", "w3"]).subtracting(["w\(odd + 1)"]))
    }

    @Test("A worker that cannot say, or goes, ends a comparison without any consequence")
    func noAnswer() throws {
        var broker = try broker()
        broker.decide(.tick, after: 1)
        let question = try #require(self.question(1, broker))
        var digest = WireReplicaDigest()
        digest.index = question.index
        digest.shard = question.shard
        digest.epoch = question.epoch
        digest.round = question.round
        digest.failure = WireFailure(.gap, "merged away")
        broker.receive(.replicaDigest(digest), from: address(1, .worker), after: 1)
        digest.clearFailure()
        broker.receive(.replicaDigest(digest), from: address(2, .worker), after: 1)
        #expect(broker.core.counters.comparisons == 0 && inSync(broker).count == 2)
        broker.decide(.tick, after: 20)
        #expect(self.question(1, broker)?.round != question.round)
        broker.decide(.unreachable(address(2, .worker)), after: 21)
        broker.decide(.tick, after: 22)
        #expect(broker.core.comparisons.round == nil && inSync(broker).count == 2)
    }

    @Test("A worker that was gone for a moment is not waited for, and its shard is compared soon")
    func interrupted() throws {
        var broker = try broker()
        broker.decide(.tick, after: 1)
        let asked = try #require(question(1, broker)?.round)
        broker.connect("w2", 3, .worker, boot: 2)
        broker.host(3, identity: 8, lastSequence: 1)
        for second in [2.0, 12] { broker.decide(.tick, after: second) }
        #expect(inSync(broker).count == 2)
        #expect(try #require(question(1, broker)?.round) > asked)
        #expect(question(3, broker)?.round == question(1, broker)?.round)
    }

    @Test("A shard that was found equal is compared again with a replica that was away then")
    func absent() {
        let shard = ShardKey(index: "items", shard: ShardID(0))
        let (start, epoch) = (Instant(nanoseconds: 0), Epoch(1))
        let workers = ["a", "b", "c"].map { WorkerID($0) }
        var comparisons = Comparisons()
        _ = comparisons.begin(
            shard, SequenceNumber(1), workers.prefix(2).map { ($0, epoch) }, at: start)
        comparisons.finish(epoch: epoch, as: .settled, at: start)
        let later = start + Limits.comparisonInterval
        let due = { (present: [WorkerID]) in
            comparisons.due(shard, SequenceNumber(1), epoch, of: { present }, at: later)
        }
        #expect(due(Array(workers.prefix(2))) == nil && due([workers[0]]) == nil)
        #expect(due([workers[0], workers[2]]) == start)
    }
}
