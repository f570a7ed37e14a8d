import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// A broker whose own disk takes nothing.
@Suite("A broker whose disk is full")
struct FullDiskTests {
    @Test("Batches that wait for the state to be on disk are told why, and a resend finds it there")
    func committing() throws {
        var broker = try clusterWithIndex()
        broker.writesAtOnce = false
        try broker.put(1, batch: 2, state: "two")
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        let due = answers(broker).count
        fail(&broker, until: 1.9)
        #expect(answers(broker).count == due, "told before the patience ended")
        fail(&broker, until: 2.5)
        #expect(answers(broker).last?.error.code == ErrorCode.diskFull.number)

        broker.writesAtOnce = true
        broker.decide(.tick, after: 3)
        #expect(broker.core.state.index(named: "items")?.clientState == Array("two".utf8))
        try broker.put(1, batch: 2, state: "two")
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        #expect(answers(broker).last?.hasError == false)
    }

    @Test("A batch that makes its index is refused before any part is sent, and works later")
    func preparing() throws {
        var broker = cluster()
        broker.writesAtOnce = false
        try broker.put(1, batch: 1)
        fail(&broker, until: 2.5)
        #expect(answers(broker).last?.error.code == ErrorCode.diskFull.number)
        #expect(broker.takeParts(2).isEmpty && broker.core.writes.pendingCount == 0)

        broker.writesAtOnce = true
        broker.decide(.tick, after: 6)
        broker.host(2)
        try broker.put(1, batch: 1)
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        #expect(answers(broker).last?.hasError == false)
    }

    /// Every state that is tried until then is refused.
    private func fail(_ broker: inout BrokerHarness, until end: Double) {
        for second in stride(from: 0, through: end, by: 0.25) {
            broker.decide(.tick, after: second)
            broker.refuseToWrite(after: second)
        }
    }

    private func cluster() -> BrokerHarness {
        var broker = BrokerHarness()
        broker.connect("c", 1)
        broker.connect("w", 2, .worker)
        return broker
    }

    private func clusterWithIndex() throws -> BrokerHarness {
        var broker = cluster()
        try broker.put(1, batch: 1, state: "one")
        broker.host(2)
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        #expect(answers(broker).last?.hasError == false)
        return broker
    }

    private func answers(_ broker: BrokerHarness) -> [WirePutAck] {
        broker.messages(to: address(1, .client, .data)).compactMap {
            guard case .putAck(let ack) = $0.command else { return nil }
            return ack
        }
    }
}
