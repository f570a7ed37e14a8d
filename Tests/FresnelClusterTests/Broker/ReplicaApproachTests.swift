import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A slow replica comes back beside steady writing")
struct ReplicaApproachTests {
    private func isInSync(_ broker: BrokerHarness) throws -> Bool {
        let shard = try #require(broker.core.status(at: moment()).indexes.first?.shards.first)
        return try #require(shard.replicas.first { $0.worker == "b" }).inSync
    }

    @Test("New parts wait until it has the older ones, and then for its answers as for others'")
    func joins() throws {
        var broker = try BrokerHarness.behind()
        var owed: [Message] = []
        var batch: UInt64 = 3
        // It answers each part when the next one is settled.
        for step in 1...18 {
            batch += 1
            let seconds = Double(step) * 0.05
            try broker.write(batch, at: seconds)
            for part in owed { broker.answer(part, from: 2, after: seconds) }
            owed = broker.takeParts(2)
        }
        #expect(broker.acks(9).count == Int(batch) && !owed.isEmpty)
        #expect(try !isInSync(broker), "somewhat slow, and always behind")

        broker.decide(.tick, after: 1.06)
        #expect(broker.core.counters.pausesForReplicas == 1)
        try broker.write(batch + 1, at: 1.07)
        #expect(broker.takeParts(2).isEmpty)
        #expect(broker.acks(9).count == Int(batch), "it waits")
        for part in owed { broker.answer(part, from: 2, after: 1.1) }
        #expect(try isInSync(broker))
        let parts = broker.takeParts(1)
        #expect(parts.count == 1, "sent on at once")
        for part in parts { broker.answer(part, from: 1, after: 1.1) }
        #expect(broker.acks(9).count == Int(batch), "both have to say so now")
        for part in broker.takeParts(2) { broker.answer(part, from: 2, after: 1.1) }
        #expect(broker.acks(9).count == Int(batch) + 1)
    }

    @Test("One that says nothing is waited for as long as was promised, and ever more seldom")
    func bounded() throws {
        var broker = try BrokerHarness.behind()
        var batch: UInt64 = 4
        try broker.write(batch, at: 0.1)
        var waited: [Double] = []
        var sentAt = 0.1
        for step in 3...550 {
            let seconds = Double(step) * 0.05
            // Its loop is alive, its writing thread is not.
            broker.pong([2], after: seconds)
            broker.decide(.tick, after: seconds)
            let parts = broker.takeParts(1)
            for part in parts { broker.answer(part, from: 1, after: seconds) }
            guard broker.acks(9).count == Int(batch), seconds - sentAt > 0.24 else { continue }
            if seconds - sentAt > 0.3 { waited.append(seconds - sentAt) }
            batch += 1
            sentAt = seconds
            try broker.put(9, batch: batch, after: seconds)
            for part in broker.takeParts(1) { broker.answer(part, from: 1, after: seconds) }
        }
        #expect(waited.count == 2, "\(waited)")
        #expect(waited.allSatisfy { $0 < 2.2 }, "\(waited)")
        #expect(broker.acks(9).allSatisfy { !$0.hasError })
    }

    @Test("One that reads what it lacks from another replica is waited for, too, if that is little")
    func tailing() throws {
        var broker = try BrokerHarness.behind(.tailing)
        for seconds in [0.1, 1.15] { broker.decide(.tick, after: seconds) }
        try broker.write(4, at: 1.2)
        #expect(broker.acks(9).count == 3)
        broker.decide(.tick, after: 3.3)
        for part in broker.takeParts(1) { broker.answer(part, from: 1, after: 3.3) }
        #expect(broker.acks(9).count == 4)
    }

    @Test("A replica that takes part after part does not stand still")
    func goesOn() throws {
        var broker = try BrokerHarness.behind()
        var owed: [Message] = []
        for step in 1...90 {
            let seconds = Double(step)
            broker.pong([2], after: seconds)
            try broker.put(9, batch: UInt64(step) + 3, after: seconds)
            for tenth in [0, 0.5, 0.9] {
                for part in broker.takeParts(1) { broker.answer(part, from: 1, after: seconds) }
                broker.decide(.tick, after: seconds + tenth)
            }
            // One part is always on its way.
            let parts = broker.takeParts(2)
            owed += parts
            while owed.count > 1 { broker.answer(owed.removeFirst(), from: 2, after: seconds) }
        }
        #expect(!broker.logged.contains { $0.text.contains("it stood still") })
    }

    @Test("One that falls ever further behind begins again with its donor")
    func falls() throws {
        var broker = try BrokerHarness.behind()
        var batch: UInt64 = 3
        var owed: [Message] = []
        for step in 1...50 {
            let seconds = Double(step)
            broker.pong([2], after: seconds)
            for _ in 0..<(step <= 15 ? 90 : 2) {
                batch += 1
                try broker.write(batch, at: seconds)
            }
            for part in broker.takeParts(1) { broker.answer(part, from: 1, after: seconds) }
            owed += broker.takeParts(2)
            // It takes one where it is sent many.
            if !owed.isEmpty { broker.answer(owed.removeFirst(), from: 2, after: seconds) }
        }
        #expect(broker.logged.contains { $0.text.contains("it stood still") })
    }

    @Test("Nobody waits for one whose worker goes", arguments: [false, true])
    func goes(isGone: Bool) throws {
        var broker = try BrokerHarness.behind()
        for seconds in [0.1, 1.15] { broker.decide(.tick, after: seconds) }
        try broker.write(4, at: 1.2)
        #expect(broker.acks(9).count == 3)
        if isGone {
            broker.decide(.unreachable(address(2, .worker)), after: 1.3)
        } else {
            for part in broker.takeParts(2) {
                broker.answer(part, from: 2, error: .diskFull, last: 2, after: 1.3)
            }
        }
        broker.decide(.tick, after: 1.35)
        for part in broker.takeParts(1) { broker.answer(part, from: 1, after: 1.35) }
        #expect(broker.acks(9).count == 4)
    }

    @Test("One that cannot be opened begins again at once")
    func fails() throws {
        var broker = try BrokerHarness.behind()
        let shard = ShardKey(index: "items", shard: ShardID(0))
        let name = ReplicaName(shard: shard, worker: WorkerID("b"))
        #expect(broker.core.catchUps[name]?.phase == .following)
        broker.host(2, damage: "a bit", after: 0.1)
        #expect(broker.core.catchUps[name]?.phase != .following)
    }

    @Test("One that owes answers again is not taken in for what it had before")
    func owesAgain() throws {
        var broker = try BrokerHarness.behind()
        let shard = ShardKey(index: "items", shard: ShardID(0))
        // Said before part 3 was settled, and acted upon after that.
        _ = broker.core.perform([WriteTable.Action.caughtUp(WorkerID("b"), shard)], at: moment())
        #expect(try !isInSync(broker))
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        #expect(try isInSync(broker))
    }
}
