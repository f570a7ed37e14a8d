import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Client states, when documents are given up as lost")
struct ForsakenStateTests {
    /// A broker whose only replica has given up part 1, with which the state `one` was stored; the
    /// batches were sent before that and are under way.
    private func broker(sending batches: [UInt64]) throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1, state: "one")
        broker.host(1, identity: 7)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(broker.core.state.indexes[0].clientState == Array("one".utf8))
        broker.decide(.unreachable(address(1, .worker)))
        for batch in batches { try broker.put(2, batch: batch, state: "two") }
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 7, lastSequence: 0, acceptsLoss: true)
        #expect(broker.core.state.indexes[0].clientState == nil)
        return broker
    }

    private func answer(_ broker: inout BrokerHarness) {
        for part in broker.takeParts(3) { broker.answer(part, from: 3) }
    }

    @Test("S-24: a batch that was under way does not bring it back, the next import does")
    func underWay() throws {
        var broker = try broker(sending: [2])
        answer(&broker)
        let ack = try #require(broker.acks(2).last)
        #expect(broker.acks(2).count == 2)
        #expect(ack.error.code == ErrorCode.mismatchedClientState.number)
        #expect(ack.error.message.contains("begin anew"))
        #expect(broker.core.state.indexes[0].clientState == nil)
        try broker.put(2, batch: 3, state: "anew", expecting: "")
        answer(&broker)
        #expect(broker.acks(2).last?.hasError == false)
        #expect(broker.core.state.indexes[0].clientState == Array("anew".utf8))
    }

    @Test("S-24: a batch that had stored it is not acknowledged again as if it still did")
    func sentAgain() throws {
        var broker = try broker(sending: [])
        try broker.put(2, batch: 1, state: "one", request: request(1, attempt: 1))
        answer(&broker)
        #expect(broker.acks(2).count == 2)
        #expect(broker.acks(2).last?.error.code == ErrorCode.mismatchedClientState.number)
        #expect(broker.core.state.indexes[0].clientState == nil)
    }
}
