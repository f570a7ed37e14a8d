import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("How long, and how often, others wait for a replica that comes back")
struct ReplicaPatienceTests {
    @Test("A part that waited leaves other replicas all of their time")
    func patience() throws {
        var broker = try BrokerHarness.behind(workers: 3)
        for seconds in [0.1, 1.15] { broker.decide(.tick, after: seconds) }
        try broker.put(9, batch: 4, after: 1.2)
        #expect(broker.takeParts(1).isEmpty && broker.takeParts(3).isEmpty)
        for tenth in 12...75 {
            let seconds = Double(tenth) / 10
            broker.pong([1, 2, 3], after: seconds)
            broker.decide(.tick, after: seconds)
            for part in broker.takeParts(1) { broker.answer(part, from: 1, after: seconds) }
        }
        #expect(broker.takeParts(3).count == 1)
        #expect(!broker.logged.contains { $0.text.contains("worker c is not in sync") })
    }

    @Test("A part that was sent before the others wait has no more time than any")
    func sentBefore() throws {
        var broker = try BrokerHarness.behind(workers: 3)
        try broker.put(9, batch: 4, after: 0.5)
        for step in 11...109 {
            let seconds = Double(step) * 0.05
            broker.pong([1, 2, 3], after: seconds)
            broker.decide(.tick, after: seconds)
            for part in broker.takeParts(1) { broker.answer(part, from: 1, after: seconds) }
        }
        #expect(broker.core.counters.pausesForReplicas == 1)
        #expect(!broker.logged.contains { $0.text.contains("worker c is not in sync") })
        broker.decide(.tick, after: 5.6)
        #expect(broker.logged.contains { $0.text.contains("worker c is not in sync") })
    }

    @Test("What the first step of a batch took is not taken from the replicas of the second")
    func secondStep() throws {
        var broker = BrokerHarness(shards: 2, replication: 2, expectedWorkers: 2)
        broker.connect("a", 1, .worker)
        broker.connect("b", 2, .worker)
        broker.connect("client", 9)
        broker.found()
        try broker.put(9, batch: 1, ["moved"], about: "elsewhere")
        for number in [1, 2] as [UInt8] { broker.host(number, identity: UInt64(number) + 6) }
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        for step in 1...98 {
            let seconds = Double(step) * 0.05
            broker.pong([1, 2], after: seconds)
            broker.decide(.tick, after: seconds)
        }
        for _ in 1...2 {
            for part in broker.takeParts(1) { broker.answer(part, from: 1, after: 4.95) }
        }
        #expect(broker.takeParts(2).count == 1 && broker.acks(9).isEmpty, "b has the second step")
        for seconds in [5, 5.05, 5.1] { broker.decide(.tick, after: seconds) }
        #expect(!broker.logged.contains { $0.text.contains("is not in sync any more") })
    }

    @Test("Replicas that both come back have all of their time for a part that is sent again")
    func sentAgain() throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2)
        for number in [1, 2] as [UInt8] {
            #expect(broker.takeParts(number).count == 1)
            broker.decide(.unreachable(address(number, .worker)), after: 1)
        }
        for step in 20...200 { broker.decide(.tick, after: Double(step) * 0.05) }
        for (number, name) in [(1, "a"), (2, "b")] as [(UInt8, String)] {
            broker.connect(name, number, .worker)
            broker.host(number, identity: UInt64(number) + 6, lastSequence: 1, after: 10)
        }
        let parts = broker.takeParts(1)
        for part in parts { broker.answer(part, from: 1, after: 10) }
        broker.decide(.tick, after: 10.05)
        #expect(parts.count == 1 && broker.takeParts(2).count == 1)
        #expect(!broker.logged.contains { $0.text.contains("is not in sync any more") })
    }

    @Test("One that tells the same for ever is not waited for for ever, and takes no donor's time")
    func hangs() throws {
        var broker = try BrokerHarness.behind(.tailing)
        let shard = ShardKey(index: "items", shard: ShardID(0))
        let name = ReplicaName(shard: shard, worker: WorkerID("b"))
        let told = try #require(broker.core.catchUps[name])
        var state = WireReplicaState()
        (state.index, state.phase, state.lastSequence) = ("items", .tailing, 2)
        (state.ticketHigh, state.ticketLow) = (told.ticket.high, told.ticket.low)
        state.identity = 8
        for step in 1...400 {
            let seconds = Double(step) * 0.5
            broker.pong([1, 2], after: seconds)
            broker.receive(.replicaState(state), from: address(2, .worker), after: seconds)
            broker.decide(.tick, after: seconds)
            let copies = broker.core.catchUps.copies(of: WorkerID("a"), at: moment(seconds).instant)
            #expect(copies == (seconds < 30.5 ? 1 : 0), "after \(seconds) s")
        }
        let counters = broker.core.counters
        #expect(counters.pausesForReplicas == 2, "\(counters.pausesForReplicas) in 200 s")
    }

    @Test("One that lacks what nobody keeps is not near, however quiet it is")
    func lacksMuch() throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        for part in broker.takeParts(2) { broker.answer(part, from: 2, error: .diskFull, last: 1) }
        for batch in 3...1200 as ClosedRange<UInt64> { try broker.write(batch, at: 0) }
        let order = try #require(broker.catchUpOrder(of: 2))
        // As a broker that has just begun to keep parts.
        let shard = ShardKey(index: "items", shard: ShardID(0))
        broker.core.writes.keepBacklog(of: shard, false)
        broker.core.writes.keepBacklog(of: shard, true)
        let state = WireReplicaState(order, .tailing, last: 1, identity: 8)
        broker.receive(.replicaState(state), from: address(2, .worker))
        for seconds in [0.1, 1.2, 1.3] { broker.decide(.tick, after: seconds) }
        #expect(broker.core.counters.pausesForReplicas == 0)
    }

    @Test("Waiting that let a replica join costs no later one its turn")
    func succeeded() {
        var pause = PauseSchedule()
        var begun: [Int] = []
        for second in 0..<130 where pause.beginIfDue(at: start + .seconds(second)) {
            begun.append(second)
            pause.noteJoined()
        }
        #expect(begun == Array(stride(from: 0, to: 130, by: 10)))
        var idle = PauseSchedule()
        let times = (0..<130).filter { idle.beginIfDue(at: start + .seconds($0)) }
        #expect(times == [0, 10, 30, 70])
    }
}
