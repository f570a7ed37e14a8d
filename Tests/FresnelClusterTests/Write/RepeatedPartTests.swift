import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// A batch that is sent again after the broker died has a new number.
///
/// A replica that has it from before acknowledges it and journals nothing, so that it stands before
/// the part.
@Suite("W-10: Replicas that have a part from before")
struct RepeatedPartTests {
    private let shard = ShardKey(index: "items", shard: ShardID(0))

    /// Worker a comes back as 4 with what it had.
    private func comeBack(_ broker: inout BrokerHarness, after seconds: Double = 0.1) {
        broker.connect("a", 4, .worker, boot: 2)
        broker.host(4, identity: 7, lastSequence: 1, after: seconds)
    }

    /// Answers parts as a worker would that has part 1, and batch 2 in it; says what it refused.
    @discardableResult
    private func work(
        _ broker: inout BrokerHarness, _ number: UInt8, _ last: inout UInt64,
        after seconds: Double = 0.1
    ) -> Int {
        var refused = 0
        var parts = broker.takeParts(number)[...]
        while let part = parts.popFirst() {
            guard case .putPart(let put) = part.command else { continue }
            if put.batchNumber == 2 {
                broker.answer(part, from: number, last: last, applied: 1, after: seconds)
            } else if put.previousSequence == last {
                last = part.envelope.sequence
                broker.answer(part, from: number, after: seconds)
            } else {
                refused += 1
                broker.answer(part, from: number, error: .gap, last: last, after: seconds)
            }
            parts += broker.takeParts(number)
        }
        return refused
    }

    /// Lets workers work until they have no parts; says how many they refused.
    private func workAll(
        _ broker: inout BrokerHarness, _ numbers: [UInt8], after seconds: Double = 0.1
    ) -> Int {
        var lasts = Dictionary(uniqueKeysWithValues: numbers.map { ($0, 1 as UInt64) })
        var refused = 0
        for number in Array(repeating: numbers, count: 4).joined() {
            refused += work(&broker, number, &lasts[number, default: 1], after: seconds)
        }
        return refused
    }

    private func previous(_ parts: [Message]) -> [UInt64] {
        parts.compactMap { message in
            if case .putPart(let put) = message.command { put.previousSequence } else { nil }
        }
    }

    private func inSync(_ broker: BrokerHarness) -> [String] {
        (broker.core.writes.shards[shard]?.inSync ?? []).map(\.name).sorted()
    }

    @Test(
        "A part goes to all behind the same one, whoever was the first to say so",
        arguments: [[1, 2], [2, 1]] as [[UInt8]])
    func oneFirst(order: [UInt8]) throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2)
        var last: [UInt8: UInt64] = [1: 1, 2: 1]
        work(&broker, order[0], &last[order[0], default: 0])
        try broker.put(9, batch: 3)
        try broker.put(9, batch: 4)
        #expect(broker.takeParts(order[0]).isEmpty, "the other one may stand elsewhere")
        work(&broker, order[1], &last[order[1], default: 0])
        #expect(workAll(&broker, order) == 0)
        #expect(broker.acks(9).map(\.applied) == [5, 5, 5, 5])
        #expect(inSync(broker) == ["a", "b"])
    }

    @Test("So it does where three answer one after the other", arguments: [1, 2, 3] as [UInt8])
    func three(last: UInt8) throws {
        var broker = try BrokerHarness.withReplicas(workers: 3)
        try broker.put(9, batch: 2)
        let others = ([1, 2, 3] as [UInt8]).filter { $0 != last }
        for number in others {
            var stand: UInt64 = 1
            work(&broker, number, &stand)
        }
        try broker.put(9, batch: 3)
        #expect(others.allSatisfy { broker.takeParts($0).isEmpty })
        #expect(workAll(&broker, [1, 2, 3]) == 0)
        #expect(broker.acks(9).count == 3)
        #expect(inSync(broker) == ["a", "b", "c"])
    }

    @Test("Parts that were sent behind it are refused by all, and sent again")
    func behind() throws {
        var broker = try BrokerHarness.withReplicas()
        for batch in [2, 3, 4] as [UInt64] { try broker.put(9, batch: batch) }
        #expect(workAll(&broker, [2, 1]) > 0)
        #expect(broker.acks(9).count == 4)
        #expect(inSync(broker) == ["a", "b"])
    }

    @Test("A replica that does not say where it stands leaves, and the part is written without it")
    func silent() throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2, request: request(2, budget: .seconds(1)))
        var last: UInt64 = 1
        work(&broker, 2, &last)
        broker.decide(.tick, after: 2)
        #expect(broker.acks(9).count == 2, "it is given up")
        _ = broker.takeParts(1)
        try broker.put(9, batch: 3, request: request(3, budget: .seconds(60)), after: 2)
        #expect(broker.takeParts(2).isEmpty && broker.takeParts(1).isEmpty)
        for seconds in 2...8 {
            for peer in [address(1, .worker), address(2, .worker), address(9)] {
                broker.receive(.pong(WirePulse()), from: peer, after: Double(seconds))
            }
            broker.decide(.tick, after: Double(seconds))
            if seconds == 6 { #expect(inSync(broker) == ["a", "b"]) }
        }
        #expect(inSync(broker) == ["b"])
        work(&broker, 2, &last, after: 8)
        #expect(last == 3 && broker.acks(9).map(\.applied) == [5, 0, 5])
    }

    @Test("Who comes back before a part that the other one has from before is in step")
    func cameBack() throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2)
        broker.decide(.unreachable(address(1, .worker)))
        var last: UInt64 = 1
        work(&broker, 2, &last)
        try broker.put(9, batch: 3)
        #expect(previous(broker.takeParts(2)) == [1])
        comeBack(&broker)
        #expect(inSync(broker) == ["a", "b"])
    }

    @Test("So is who comes back before its answers to what was sent behind that part")
    func cameBackBetween() throws {
        var broker = try BrokerHarness.withReplicas()
        for batch in [2, 3] as [UInt64] { try broker.put(9, batch: batch) }
        broker.decide(.unreachable(address(1, .worker)))
        let parts = broker.takeParts(2)
        broker.answer(parts[0], from: 2, last: 1, applied: 1)
        comeBack(&broker)
        #expect(inSync(broker) == ["a", "b"])
        broker.answer(parts[1], from: 2, error: .gap, last: 1)
        _ = workAll(&broker, [4, 2])
        #expect(broker.acks(9).count == 3)
        #expect(inSync(broker) == ["a", "b"])
    }

    @Test(
        "And who comes back when what was sent behind that part was refused, given up or not",
        arguments: [false, true])
    func cameBackAfter(isGivenUp: Bool) throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(
            9, batch: 2, request: request(2, budget: isGivenUp ? .seconds(1) : .seconds(60)))
        try broker.put(9, batch: 3, request: request(3, budget: .seconds(60)))
        broker.decide(.unreachable(address(1, .worker)), after: 1)
        let parts = broker.takeParts(2)
        broker.decide(.tick, after: 1.1)
        broker.answer(parts[0], from: 2, last: 1, applied: 1, after: 1.2)
        broker.answer(parts[1], from: 2, error: .gap, last: 1, after: 1.2)
        #expect(broker.takeParts(2).isEmpty, "the other one may have it behind the part between")
        broker.connect("a", 4, .worker, boot: 2)
        broker.host(4, identity: 7, lastSequence: 1, after: 1.3)
        #expect(inSync(broker) == ["a", "b"])
        _ = workAll(&broker, [4, 2], after: 1.3)
        #expect(broker.acks(9).count == 3 && broker.acks(9).last?.refusals.isEmpty == true)
        #expect(inSync(broker) == ["a", "b"] && broker.core.writes.isAtRest)
    }

    @Test("Who comes back when the part was given up has it, wherever it stands")
    func givenUp() throws {
        var broker = try BrokerHarness.withReplicas()
        try broker.put(9, batch: 2, request: request(2, budget: .seconds(1)))
        let part = try #require(broker.takeParts(2).first)
        broker.decide(.unreachable(address(1, .worker)), after: 1)
        broker.decide(.tick, after: 1.1)
        #expect(broker.acks(9).count == 2)
        broker.answer(part, from: 2, last: 1, applied: 1, after: 1.2)
        comeBack(&broker, after: 1.3)
        #expect(inSync(broker) == ["a", "b"])
        try broker.put(9, batch: 3, after: 1.3)
        #expect(workAll(&broker, [4, 2], after: 1.3) == 0)
        #expect(broker.acks(9).count == 3 && inSync(broker) == ["a", "b"])
    }
}
