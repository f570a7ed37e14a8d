import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

private let day = 86_400.0
private let hour = 3600.0

@Suite("A broker and clocks that are wrong")
struct BrokerClockTests {
    /// A broker with one shard on workers 1 to `workers`, which have part 1, and client 9.
    private func broker(workers: Int = 1) throws -> BrokerHarness {
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

    /// A worker answers a PING; its replica dropped what had expired by then.
    private func pong(
        _ broker: inout BrokerHarness, from number: UInt8 = 1, ahead: Double = 0,
        droppedUntil dropped: Double? = nil, after seconds: Double
    ) {
        var pulse = WirePulse()
        pulse.wallClock = moment(seconds).wall.seconds + ahead
        var shard = WireShardInventory()
        shard.index = "items"
        shard.identity = UInt64(number) + 6
        shard.lastSequence = 1
        if let dropped { shard.droppedUntil = dropped }
        pulse.shards = [shard]
        broker.receive(.pong(pulse), from: address(number, .worker), after: seconds)
    }

    /// The newest PING to a worker.
    private func ping(_ broker: BrokerHarness, _ number: UInt8 = 1) -> WirePulse? {
        for message in broker.messages(to: address(number, .worker)).reversed() {
            if case .ping(let pulse) = message.command { return pulse }
        }
        return nil
    }

    /// Lets time pass in which everybody is heard, so that the broker's clock is proven.
    private func prove(_ broker: inout BrokerHarness, workers: Int = 1, until end: Double) {
        for seconds in stride(from: 1.0, through: end, by: 1) {
            broker.decide(.tick, after: seconds)
            for number in 1...workers { pong(&broker, from: UInt8(number), after: seconds) }
            broker.receive(.pong(WirePulse()), from: address(9), after: seconds)
        }
    }

    private func put(_ part: Message?) -> WirePutPart? {
        if case .putPart(let put)? = part?.command { put } else { nil }
    }

    @Test("PING allows dropping after an hour, and not while a worker's clock differs")
    func permission() throws {
        var broker = try broker()
        broker.decide(.tick, after: 1)
        #expect(ping(broker)?.hasExpiredBy == false)
        #expect(ping(broker)?.wallClock == moment(1).wall.seconds)
        prove(&broker, until: hour + 1)
        #expect(ping(broker)?.expiredBy == moment(hour + 1).wall.seconds - hour)
        #expect(broker.core.status(at: moment(hour + 1)).clocks.isEmpty)
        pong(&broker, ahead: 40 * day, after: hour + 1.5)
        broker.decide(.tick, after: hour + 2.5)
        #expect(ping(broker)?.hasExpiredBy == false)
        let status = broker.core.status(at: moment(hour + 2.5))
        #expect(status.clocks.contains("worker w1 is 40 days ahead") && !status.hasExpiredBy)
        #expect(status.workers[0].clockAhead == 40 * day)
        pong(&broker, ahead: 40 * day, after: hour + 4.5)
        broker.decide(.tick, after: hour + 5)
        #expect(broker.logged.contains { $0.level == .error && $0.text.contains("40 days ahead") })
        pong(&broker, after: hour + 5.5)
        broker.decide(.tick, after: hour + 6)
        #expect(ping(broker)?.hasExpiredBy == true)
        #expect(broker.logged.last?.text.contains("agree") ?? false)
    }

    @Test(
        "What is written while the clock is wrong has the longer life, and finds what was there",
        arguments: [40 * day, -40 * day])
    func stamps(error: Double) throws {
        var broker = try broker()
        prove(&broker, until: 60)
        broker.clockError = error
        try broker.put(9, batch: 2, after: 61)
        let part = try #require(put(broker.takeParts(1).first))
        let truth = moment(61).wall.seconds
        #expect(part.stampedAt == max(truth, truth + error))
        #expect(part.expiredBy == min(truth, truth + error))
        #expect(broker.logged.contains { $0.text.contains("clock was set 40 days") })
    }

    @Test("A right clock stamps one time")
    func rightClock() throws {
        var broker = try broker()
        prove(&broker, until: 60)
        try broker.put(9, batch: 2, after: 61)
        let part = try #require(put(broker.takeParts(1).first))
        #expect(part.stampedAt == moment(61).wall.seconds && !part.hasExpiredBy)
    }

    @Test(
        "A deletion by $time is refused while the broker does not know the time",
        arguments: [
            ("contentCreationDate < $time.today(-30)", true),
            ("InRange(contentCreationDate, $time.now(-9), $time.now)", true),
            ("!(title == \"a\" && contentCreationDate > $time.yesterday)", true),
            ("contentCreationDate < $time.iso(2026-01-01)", false), ("title == \"a\"", false),
        ])
    func deletion(query: String, readsClock: Bool) throws {
        for (error, isPinned) in [(0.0, false), (40 * day, false), (40 * day, true)] {
            var broker = try broker()
            prove(&broker, until: 60)
            broker.clockError = error
            var head = WirePut()
            head.index = "items"
            head.clientLow = 5
            head.batchNumber = 2
            if isPinned { head.context.now = 1000 }
            var builder = PutBuilder(head)
            _ = try builder.append(.deleteQuery(query))
            broker.receive(
                .put(builder.message), request(2), payload: builder.payload,
                from: address(9, .client, .data), after: 61)
            let isRefused = readsClock && error != 0 && !isPinned
            #expect(broker.takeParts(1).isEmpty == isRefused, "\(error) \(isPinned)")
            guard isRefused else { continue }
            let answers =
                broker.messages(to: address(9, .client))
                + broker.messages(to: address(9, .client, .data))
            let failures = answers.compactMap { message -> WireFailure? in
                if case .error(let failure) = message.command { failure } else { nil }
            }
            #expect(failures.last?.code == ErrorCode.clockInDoubt.number)
        }
    }

    @Test("Replicas are compared within seconds after one of them dropped something")
    func comparison() throws {
        var broker = try broker(workers: 2)
        var asked = 0
        func rounds() -> Int { broker.verbs(1, .worker).count { $0 == .checkReplica } }
        broker.decide(.tick, after: 1)
        try answer(&broker, [3, 3], after: 1)
        broker.decide(.tick, after: 100)
        asked = rounds()
        pong(&broker, from: 2, droppedUntil: 500, after: 100.5)
        broker.decide(.tick, after: 101)
        #expect(rounds() == asked + 1, "nothing was written, and nothing else is due")
        try answer(&broker, [3, 3], after: 101)
        pong(&broker, from: 2, droppedUntil: 500, after: 102)
        broker.decide(.tick, after: 105)
        #expect(rounds() == asked + 1, "the same drop is no news")
    }

    @Test("Replicas that differ are not whole, nor are answers, until one is out")
    func differing() throws {
        var broker = try broker(workers: 2)
        broker.decide(.tick, after: 1)
        try answer(&broker, [3, 4], after: 1)
        let shard = try #require(broker.core.status(at: moment(1)).indexes[0].shards.first)
        #expect(shard.state == "differing")
        #expect(shard.message.contains("w1 5 documents") && shard.message.contains("w2 5"))
        #expect(shard.replicas.allSatisfy { $0.state == "differing" && $0.inSync })
        #expect(broker.core.searchableShards(of: []).allSatisfy { !$0.doubt.isEmpty })
        broker.decide(.tick, after: 3.5)
        try answer(&broker, [3, 4], after: 3.5)
        #expect(broker.core.state.indexes[0].shards[0].inSync.count == 1)
        #expect(broker.core.searchableShards(of: []).allSatisfy { $0.doubt.isEmpty })
        #expect(broker.core.status(at: moment(4)).indexes[0].shards.first?.state == "whole")
    }

    @Test("A difference that is none the second time is over")
    func passing() throws {
        var broker = try broker(workers: 2)
        broker.decide(.tick, after: 1)
        try answer(&broker, [3, 4], after: 1)
        broker.decide(.tick, after: 3.5)
        try answer(&broker, [4, 4], after: 3.5)
        #expect(broker.core.state.indexes[0].shards[0].inSync.count == 2)
        #expect(broker.core.status(at: moment(4)).indexes[0].shards.first?.state == "whole")
    }

    @Test("Of two that differ the one that dropped less counts", arguments: [UInt8(1), 2])
    func leastDropped(dropper: UInt8) throws {
        var broker = try broker(workers: 2)
        pong(&broker, from: dropper, droppedUntil: 900, after: 0.5)
        for seconds in [1, 3.5] {
            broker.decide(.tick, after: seconds)
            try answer(&broker, [3, 4], after: seconds)
        }
        let left = broker.core.state.indexes[0].shards[0].inSync.map(\.name)
        #expect(left == ["w\(3 - dropper)"])
    }

    @Test("A replica that dropped what has not expired leaves, and is not whole where it is alone")
    func early() throws {
        var broker = try broker(workers: 2)
        pong(&broker, from: 1, droppedUntil: moment(2).wall.seconds + 30 * day, after: 2)
        #expect(broker.core.state.indexes[0].shards[0].inSync.map(\.name) == ["w2"])
        var alone = try self.broker()
        pong(&alone, droppedUntil: moment(2).wall.seconds + 30 * day, after: 2)
        let shard = try #require(alone.core.status(at: moment(2)).indexes[0].shards.first)
        #expect(shard.state == "dropped" && shard.message.contains("not over"))
    }

    @Test("By when a replica dropped says nothing of the copy that takes its place")
    func replaced() throws {
        var broker = try broker(workers: 2)
        broker.provesAtOnce = false
        let far = moment(2).wall.seconds + 30 * day
        pong(&broker, from: 1, droppedUntil: far, after: 2)
        broker.decide(.tick, after: 2)
        let order = try #require(broker.catchUpOrder(of: 1))
        #expect(order.afresh)
        // It is the former one until the copy is there.
        pong(&broker, from: 1, droppedUntil: far, after: 3)
        let state = WireReplicaState(order, .caughtUp, last: 1, identity: 20)
        broker.receive(.replicaState(state), from: address(1, .worker), after: 3)
        broker.decide(.tick, after: 3.5)
        func questions(_ number: UInt8) -> [WireCheckReplica] {
            broker.messages(to: address(number, .worker)).compactMap { message in
                if case .checkReplica(let question) = message.command { question } else { nil }
            }
        }
        for number in [UInt8(1), 2] {
            let proof = try #require(questions(number).last { $0.salt != 0 })
            #expect(proof.now <= moment(3.5).wall.seconds)
            broker.prove(proof, from: address(number, .worker), hash: 5, after: 4)
        }
        #expect(broker.core.state.indexes[0].shards[0].inSync.count == 2)
        for second in stride(from: 4.0, through: 70, by: 1) {
            broker.decide(.tick, after: second)
            for number in [UInt8(1), 2] {
                broker.receive(.pong(WirePulse()), from: address(number, .worker), after: second)
            }
        }
        let asked = questions(1).filter { $0.salt == 0 }
        #expect(!asked.isEmpty && asked.allSatisfy { $0.now < far }, "\(asked.map(\.now))")
    }

    @Test("A worker of another cluster has no say in the time, nor of replicas under its name")
    func foreign() throws {
        var broker = try broker(workers: 2)
        broker.receive(.goodbye, from: address(1, .worker), after: 1)
        var greeting = hello("w1", .worker, boot: 2)
        greeting.cluster = 99
        greeting.holdsReplicas = true
        broker.receive(.hello(greeting), from: address(3, .worker), after: 1)
        broker.join(3, .worker)
        var pulse = WirePulse()
        pulse.wallClock = moment(2).wall.seconds + 40 * day
        var shard = WireShardInventory()
        shard.index = "items"
        shard.identity = 7
        shard.lastSequence = 1
        shard.droppedUntil = moment(2).wall.seconds + 30 * day
        pulse.shards = [shard]
        broker.receive(.pong(pulse), from: address(3, .worker), after: 2)
        #expect(broker.core.state.indexes[0].shards[0].inSync.map(\.name) == ["w1", "w2"])
        #expect(broker.core.status(at: moment(2)).clocks.isEmpty)
        #expect(broker.core.clocks.doubt == nil)
    }

    /// Lets workers answer the newest question with these hashes, in order.
    private func answer(
        _ broker: inout BrokerHarness, _ hashes: [UInt64], after seconds: Double
    ) throws {
        for (place, hash) in hashes.enumerated() {
            let number = UInt8(place + 1)
            let questions = broker.messages(to: address(number, .worker)).compactMap { message in
                if case .checkReplica(let question) = message.command { question } else { nil }
            }
            let question = try #require(questions.last)
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
}
