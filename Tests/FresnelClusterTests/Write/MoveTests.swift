import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Documents that move between shards")
struct MoveTests {
    /// A worker that holds both shards, and a client whose batches are about moves.
    private func broker() -> BrokerHarness {
        var broker = BrokerHarness(shards: 2)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.found()
        return broker
    }

    private func put(
        _ broker: inout BrokerHarness, batch: UInt64, _ identifiers: [String],
        about related: String? = "elsewhere", budget: Duration = .seconds(10)
    ) throws {
        try broker.put(2, batch: batch, identifiers, about: related, budget: budget)
    }

    private func parts(_ broker: inout BrokerHarness) -> [(message: Message, put: WirePutPart)] {
        broker.takeParts(1).compactMap { message in
            guard case .putPart(let put) = message.command else { return nil }
            return (message, put)
        }
    }

    private var refusal: WireItemResult { refusal(of: 0) }

    private func refusal(of position: UInt32) -> WireItemResult {
        var result = WireItemResult()
        result.position = position
        result.code = ErrorCode.invalidItem.number
        return result
    }

    @Test("A former version is superseded only after the new one was accepted")
    func order() throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved"])
        broker.host(1)
        let first = parts(&broker)
        #expect(first.map(\.put.superseding) == [false])
        broker.answer(first[0].message, from: 1)
        #expect(broker.acks(2).isEmpty)
        let second = parts(&broker)
        #expect(second.map(\.put.superseding) == [true])
        #expect(second[0].put.shard != first[0].put.shard)
        #expect(
            second[0].put.operations.map(\.supersededBy) == [first[0].message.envelope.sequence])
        broker.answer(second[0].message, from: 1)
        #expect(broker.acks(2).map(\.applied) == [1])
        #expect(broker.acks(2).map(\.sequence) == [second[0].message.envelope.sequence])
        #expect(broker.core.writes.isAtRest)
    }

    @Test("A new version that is refused supersedes nothing, and the batch ends")
    func refused() throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved"])
        broker.host(1)
        broker.answer(parts(&broker)[0].message, from: 1, refusals: [refusal])
        #expect(parts(&broker).isEmpty)
        #expect(broker.acks(2).map(\.applied) == [0])
        #expect(broker.acks(2).first?.refusals.map(\.code) == [ErrorCode.invalidItem.number])
        #expect(broker.core.writes.isAtRest)
    }

    @Test("No later batch reaches a shard between the two steps of an earlier one")
    func strict() throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved"])
        broker.host(1)
        try put(&broker, batch: 2, ["a", "b", "c", "d", "e", "f"], about: nil)
        let first = parts(&broker)
        #expect(first.map(\.put.batchNumber) == [1])
        broker.answer(first[0].message, from: 1)
        let next = parts(&broker)
        // The shard of the new version has nothing to forget and goes on; the other forgets first.
        let sent = next.map {
            [$0.put.batchNumber, UInt64($0.put.shard), $0.put.superseding ? 1 : 0]
        }
        let home = UInt64(first[0].put.shard)
        #expect(Set(sent) == [[2, home, 0], [1, 1 - home, 1], [2, 1 - home, 0]])
        let other = next.filter { UInt64($0.put.shard) != home }
        #expect(other.map(\.put.superseding) == [true, false])
    }

    @Test("A repeated part's version is known by the sequence it was first applied under")
    func repeated() throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved"])
        broker.host(1)
        broker.answer(parts(&broker)[0].message, from: 1)
        broker.answer(parts(&broker)[0].message, from: 1)
        try put(&broker, batch: 2, ["moved"])
        let part = parts(&broker)[0].message
        broker.answer(part, from: 1, applied: 1)
        #expect(part.envelope.sequence > 1)
        #expect(parts(&broker).flatMap { $0.put.operations.map(\.supersededBy) } == [1])
    }

    @Test("A sequence number that cannot be is not believed: it would remove newer versions")
    func impossible() throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved"])
        broker.host(1)
        let first = parts(&broker)[0].message
        broker.answer(first, from: 1, applied: .max)
        let sequences = parts(&broker).flatMap { $0.put.operations.map(\.supersededBy) }
        #expect(sequences == [first.envelope.sequence])
    }

    @Test("A shard that could not forget a moved document is reported: it would be found twice")
    func failedSupersede() throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved"])
        broker.host(1)
        broker.answer(parts(&broker)[0].message, from: 1)
        broker.answer(parts(&broker)[0].message, from: 1, error: .storageFailed, last: 0)
        #expect(broker.acks(2).first?.refusals.map(\.position) == [0])
        #expect(broker.core.writes.isAtRest)
    }

    /// Why a shard keeps what it should forget.
    enum Remembrance: CaseIterable {
        case partFails
        case operationIsRefused
        case timeIsUp
    }

    @Test(
        "W-17: A batch's versions of a document are all reported when a shard keeps a former one",
        arguments: Remembrance.allCases)
    func indexedTwice(reason: Remembrance) throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved", "other", "moved"], budget: .seconds(1))
        broker.host(1)
        broker.answer(parts(&broker)[0].message, from: 1)
        let second = parts(&broker)[0]
        #expect(second.put.operations.map(\.position) == [1, 2])
        switch reason {
        case .partFails: broker.answer(second.message, from: 1, error: .storageFailed, last: 0)
        case .operationIsRefused:
            broker.answer(second.message, from: 1, refusals: [refusal(of: 2)])
        case .timeIsUp: broker.decide(.tick, after: 1)
        }
        let ack = try #require(broker.acks(2).first)
        let reported: [UInt32] = reason == .operationIsRefused ? [0, 2] : [0, 1, 2]
        #expect(ack.refusals.map(\.position) == reported)
        #expect(ack.applied == UInt64(3 - reported.count))
        #expect(broker.core.writes.isAtRest)
    }

    @Test("A batch whose time is up before its second step says so of what it moved")
    func deadline() throws {
        var broker = broker()
        try put(&broker, batch: 1, ["moved"], budget: .seconds(1))
        broker.host(1)
        broker.answer(parts(&broker)[0].message, from: 1)
        _ = parts(&broker)
        broker.decide(.tick, after: 1)
        #expect(
            broker.acks(2).first?.refusals.map(\.code) == [ErrorCode.shardUnavailable.number])
        #expect(broker.core.writes.isAtRest)
        try put(&broker, batch: 2, ["moved"], about: nil)
        #expect(!parts(&broker).isEmpty)
    }
}
