import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A batch number and the content it stands for")
struct BatchNameTests {
    /// A broker with four shards on worker 1, and client 2.
    private func broker() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 4)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1, ["a"])
        broker.host(1)
        return broker
    }

    private func errors(_ broker: BrokerHarness) -> [WireFailure] {
        (broker.messages(to: address(2)) + broker.messages(to: address(2, .client, .data)))
            .compactMap { if case .error(let failure) = $0.command { failure } else { nil } }
    }

    @Test(
        "W-13: Another content under a number is refused with 409, wherever it belongs",
        arguments: ["b", "c", "d", "e", "f", "g"])
    func finished(identifier: String) throws {
        var broker = try broker()
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(broker.acks(2).count == 1)
        try broker.put(2, batch: 1, [identifier])
        #expect(errors(broker).map(\.code) == [ErrorCode.batchNumberReused.number])
        #expect(broker.takeParts(1).isEmpty && broker.acks(2).count == 1)
        // The same again is answered as it was.
        try broker.put(2, batch: 1, ["a"])
        #expect(broker.acks(2).count == 2 && errors(broker).count == 1)
    }

    @Test("While the first is unanswered the second does not join it")
    func underWay() throws {
        var broker = try broker()
        let parts = broker.takeParts(1)
        try broker.put(2, batch: 1, ["b"], request: request(7))
        #expect(errors(broker).map(\.code) == [ErrorCode.batchNumberReused.number])
        for part in parts { broker.answer(part, from: 1) }
        #expect(broker.acks(2).count == 1)
        #expect(
            broker.messages(to: address(2, .client, .data)).filter { $0.verb == .putAck }
                .map(\.envelope.id) == [request(1).id], "the first one's request is answered")
    }

    @Test("A batch that failed keeps its name, and the same content may be sent again")
    func failed() throws {
        var broker = try broker()
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        try broker.put(2, batch: 2, ["a"], request: request(2, budget: .seconds(1)))
        #expect(broker.takeParts(1).count == 1)
        broker.decide(.tick, after: 1.5)
        #expect(broker.acks(2).last?.refusals.isEmpty == false)
        try broker.put(2, batch: 2, ["b"], after: 1.5)
        #expect(errors(broker).count == 1)
        try broker.put(2, batch: 2, ["a"], after: 1.5)
        #expect(errors(broker).count == 1 && broker.core.writes.pendingCount == 1)
    }

    @Test("What was refused before it got a number binds no name")
    func refused() throws {
        var broker = try broker()
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        try broker.put(2, batch: 2, ["a"], expecting: "nothing like this")
        #expect(errors(broker).count == 1)
        try broker.put(2, batch: 2, ["b"])
        #expect(errors(broker).count == 1 && broker.takeParts(1).count == 1)
    }

    @Test("Every part says of which whole batch it is, for the shards to keep")
    func parts() throws {
        var broker = try broker()
        let digests = broker.takeParts(1).map { message -> UInt64 in
            if case .putPart(let put) = message.command { put.batchDigest } else { 0 }
        }
        let (put, payload) = try put(batch: 1, ["a"])
        #expect(digests == [BatchCoding.digest(of: put, payload: payload)])
    }

    @Test("Everything a batch asks for is part of what its number stands for")
    func contents() throws {
        let (put, payload) = try put(batch: 1, ["a", "b"])
        var key = WireCustomKey()
        key.name = "mass"
        var puts = [put, put, put, put]
        puts[1].customKeys = [key]
        puts[2].clientStateBytes = []
        puts[3].clientStateBytes = [1]
        var digests = puts.map { BatchCoding.digest(of: $0, payload: payload) }
        var other = put
        other.operations[1].kind = .update
        digests.append(BatchCoding.digest(of: other, payload: payload))
        var bodies = payload
        bodies[bodies.count - 1] ^= 1
        digests.append(BatchCoding.digest(of: put, payload: bodies))
        #expect(Set(digests).count == 6 && !digests.contains(0))
        // A resend may come under another clock, and does not say again what it expected.
        var again = put
        again.context.now = 5
        again.expectedClientStateBytes = [7]
        #expect(BatchCoding.digest(of: again, payload: payload) == digests[0])
    }

    @Test("A batch that is under way while documents are given up as lost keeps its name")
    func givenUp() throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1, ["a"])
        broker.host(1, identity: 7)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        try broker.put(2, batch: 2, ["b"])
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, identity: 17, replacesLost: true)
        #expect(broker.logged.contains { $0.text.contains("given up as lost") })
        // Whoever has what is lost may send it again.
        try broker.put(2, batch: 1, ["c"])
        #expect(errors(broker).isEmpty)
        try broker.put(2, batch: 2, ["d"])
        #expect(errors(broker).map(\.code) == [ErrorCode.batchNumberReused.number])
        for part in broker.takeParts(3) { broker.answer(part, from: 3) }
        #expect(broker.acks(2).count == 3)
        try broker.put(2, batch: 2, ["d"])
        #expect(errors(broker).count == 2 && broker.acks(2).count == 3)
    }

    @Test("Names are bounded, and forgotten with an index that is given up")
    func bounded() throws {
        var names = BatchNames()
        let (put, _) = try put(batch: 1, ["a"])
        for number in 0..<UInt64(Limits.rememberedBatchNames * 2) {
            var put = put
            put.batchNumber = number
            names.bind(BatchKey(put), to: number + 1)
        }
        #expect(names.count <= Limits.rememberedBatchNames)
        var newest = put
        newest.batchNumber = UInt64(Limits.rememberedBatchNames * 2 - 1)
        #expect(names.isTaken(BatchKey(newest), from: 7))
        names.forget(index: "items") { $0 == BatchKey(newest) }
        #expect(names.isTaken(BatchKey(newest), from: 7) && names.count == 1)
        names.forget(index: "items") { _ in false }
        #expect(!names.isTaken(BatchKey(newest), from: 7) && names.count == 0)
    }
}
