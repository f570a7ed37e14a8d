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
        #expect(broker.core.state.indexes.isEmpty, "nothing was made")
        try broker.put(1, batch: 1)
        broker.host(2)
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        #expect(answers(broker).last?.hasError == false)
    }

    @Test("A broker that starts on a full disk answers from what was written and changes nothing")
    func starting() throws {
        let written = try clusterWithIndex().core.state
        var broker = BrokerHarness(state: written, writesAtOnce: false)
        broker.connect("c", 1)
        #expect(broker.messages(to: address(1)).isEmpty, "answered before a state was tried")
        broker.refuseToWrite()
        broker.connect("c", 1)
        broker.connect("w", 2, .worker)
        broker.host(2, lastSequence: 1)
        broker.receive(.query(search()), request(5), from: address(1))
        #expect(broker.last(address(2, .worker))?.verb == .subquery)

        try broker.put(1, batch: 7)
        #expect(broker.last(address(1))?.verb == .busy)
        fail(&broker, until: 2.5)
        try broker.put(1, batch: 7, after: 2.5)
        guard case .error(let failure)? = broker.last(address(1))?.command else {
            Issue.record("a batch was not refused")
            return
        }
        #expect(failure.code == ErrorCode.diskFull.number)
        #expect(broker.takeParts(2).isEmpty && broker.core.writes.pendingCount == 0)

        broker.writesAtOnce = true
        broker.decide(.tick, after: 3)
        #expect(broker.logged.last?.text == "the cluster state is written again")
        try broker.put(1, batch: 7, after: 3)
        let parts = broker.takeParts(2)
        #expect(!parts.isEmpty)
        for part in parts { broker.answer(part, from: 2, after: 3) }
        #expect(answers(broker).last?.hasError == false)
    }

    @Test("What is not written for long is told at once and then every ten seconds")
    func telling() {
        var broker = BrokerHarness(writesAtOnce: false)
        fail(&broker, until: 25)
        #expect(broker.logged.count { $0.text.contains("was not written") } == 3)
        broker.writesAtOnce = true
        broker.decide(.tick, after: 26)
        broker.decide(.tick, after: 27)
        #expect(broker.logged.count { $0.text.contains("is written again") } == 1)
    }

    @Test("A broker that starts on a full disk opens no replica that it does not know")
    func strangers() throws {
        let written = try clusterWithIndex().core.state
        var broker = BrokerHarness(state: written, writesAtOnce: false)
        broker.refuseToWrite()
        broker.connect("w", 2, .worker)
        broker.host(2, identity: 77, lastSequence: 1)
        #expect(broker.core.workers.all.allSatisfy { $0.whole.isEmpty })
    }

    @Test("Status says why the state is not written, for as long as it is not")
    func status() throws {
        var broker = try clusterWithIndex()
        #expect(broker.core.status(at: moment()).unwritten.isEmpty)
        broker.writesAtOnce = false
        try broker.put(1, batch: 2, state: "two")
        for part in broker.takeParts(2) { broker.answer(part, from: 2) }
        fail(&broker, until: 3)
        #expect(broker.core.status(at: moment(3)).unwritten == "full")
        broker.writesAtOnce = true
        broker.decide(.tick, after: 4)
        broker.decide(.tick, after: 5)
        #expect(broker.core.status(at: moment(5)).unwritten.isEmpty)
    }

    @Test("Who makes an index anew hears that the disk is in the way of the removal, not a worker")
    func removing() throws {
        var broker = BrokerHarness()
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.host(1)
        broker.writesAtOnce = false
        broker.change(.remove, index: "items", number: 10)
        fail(&broker, until: 2.5)
        let removal = try #require(broker.indexRefusal)
        #expect(removal.code == ErrorCode.diskFull.number)
        #expect(removal.message.contains("counts already"), "\(removal.message)")
        broker.change(.create, index: "items", number: 11, after: 2.5)
        let refusal = try #require(broker.indexRefusal)
        #expect(refusal.code == ErrorCode.busy.number && refusal.retryAfterMs > 0)
        #expect(refusal.message.contains("disk yet, which refuses: full"), "\(refusal.message)")
        #expect(broker.removals(1).isEmpty)
        broker.writesAtOnce = true
        broker.decide(.tick, after: 3)
        broker.decide(.tick, after: 3.5)
        #expect(broker.removals(1).count == 2, "both shards")
        broker.change(.create, index: "items", number: 12, after: 3.5)
        #expect(broker.indexRefusal?.message.contains("worker w still removes") == true)
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
