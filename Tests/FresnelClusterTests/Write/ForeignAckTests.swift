import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Acknowledgements that nobody may give")
struct ForeignAckTests {
    /// Workers 1 and 3 hold one shard each; client 2 sent a batch for both.
    private func broker() throws -> (BrokerHarness, part: Message) {
        var broker = BrokerHarness(shards: 2, expectedWorkers: 2)
        broker.connect("w1", 1, .worker)
        broker.connect("w3", 3, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1, (0..<30).map { "document \($0)" })
        broker.host(1)
        broker.host(3)
        let other = try #require(broker.takeParts(3).first)
        broker.answer(other, from: 3)
        let part = try #require(broker.takeParts(1).first)
        return (broker, part)
    }

    @Test("W-10: a worker cannot acknowledge what another has to journal")
    func foreign() throws {
        var (broker, part) = try broker()
        broker.answer(part, from: 3)
        #expect(broker.acks(2).isEmpty && broker.core.counters.lateAnswers == 1)
        broker.answer(part, from: 1)
        #expect(broker.acks(2).map(\.applied) == [30])
    }

    @Test("A number that nobody gave out, and an index that nobody made, are not remembered")
    func future() throws {
        var (broker, part) = try broker()
        guard case .putPart(let put) = part.command else { return }
        var ack = WirePartAck()
        ack.index = put.index
        ack.shard = put.shard
        ack.appliedSequence = .max
        var envelope = part.envelope
        envelope.sequence = .max
        broker.receive(.partAck(ack), envelope, from: address(1, .worker, .data))
        ack.index = "another"
        broker.receive(.partAck(ack), part.envelope, from: address(1, .worker, .data))
        ack.index = put.index
        ack.shard = 9
        broker.receive(.partAck(ack), part.envelope, from: address(1, .worker, .data))
        #expect(broker.core.counters.lateAnswers == 3 && broker.acks(2).isEmpty)
        broker.answer(part, from: 1)
        #expect(broker.acks(2).map(\.applied) == [30])
    }
}
