import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Batches on their way")
struct WriteTests {
    private func order(_ parts: [Message]) -> [[UInt64]] {
        parts.map { message in
            guard case .putPart(let part) = message.command else { return [] }
            return [part.batchNumber, message.envelope.sequence, part.previousSequence]
        }
    }

    @Test("Parts of a shard go out in order, each naming its predecessor")
    func order() throws {
        var broker = try BrokerHarness.serving()
        for batch in 2...4 as ClosedRange<UInt64> { try broker.put(2, batch: batch) }
        #expect(order(broker.takeParts(1)) == [[2, 2, 1], [3, 3, 2], [4, 4, 3]])
    }

    @Test("A batch is acknowledged when every shard has journaled it, and not before")
    func everyShard() throws {
        var broker = BrokerHarness(shards: 3)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1, (0..<30).map { "document \($0)" })
        broker.host(1)
        let parts = broker.takeParts(1)
        #expect(parts.count == 3)
        for part in parts {
            #expect(broker.acks(2).isEmpty)
            broker.answer(part, from: 1)
        }
        #expect(broker.acks(2).map(\.applied) == [30])
        #expect(broker.core.writes.isAtRest)
    }

    @Test("Q-37: A shard that an older part is on its way to is read just below that part")
    func readableSequences() throws {
        var broker = BrokerHarness(shards: 2)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        try broker.put(2, batch: 1, (0..<30).map { "document \($0)" })
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        func readable() -> [UInt64] {
            ([0, 1] as [UInt32]).map { shard in
                let key = ShardKey(index: "items", shard: ShardID(shard))
                return broker.core.writes.readableSequence(of: key).value
            }
        }
        #expect(readable() == [1, 1])
        // Batch 2 goes to both shards, batch 3 to one of them.
        try broker.put(2, batch: 2, (0..<30).map { "document \($0)" })
        try broker.put(2, batch: 3, ["document 1"])
        let parts = broker.takeParts(1)
        #expect(parts.count == 3)
        let only = try #require(parts.last.flatMap { Self.shard(of: $0) })
        for part in parts where Self.shard(of: part) == only { broker.answer(part, from: 1) }
        // Batch 3 is acknowledged; batch 2 waits for the other shard.
        #expect(broker.acks(2).count == 2)
        var expected: [UInt64] = [1, 1]
        expected[Int(only)] = 3
        #expect(readable() == expected)
        for part in parts where Self.shard(of: part) != only { broker.answer(part, from: 1) }
        #expect(readable() == [3, 3])
    }

    /// What becomes of a part whose batch was given up while it was on its way.
    enum Fate: CaseIterable {
        case isJournaledLate
        case isLost
        case isJournaledUnheard
    }

    @Test(
        "Q-37: A part that was given up on its way is waited for until a newer one is applied",
        arguments: Fate.allCases)
    func doubt(fate: Fate) throws {
        var broker = try BrokerHarness.serving()
        let shard = ShardKey(index: "items", shard: ShardID(0))
        try broker.put(2, batch: 2, request: request(2, budget: .seconds(1)))
        let late = try #require(broker.takeParts(1).first)
        broker.decide(.tick, after: 1.5)
        #expect(broker.acks(2).last?.refusals.isEmpty == false)
        #expect(broker.core.writes.committed["items"]?.value == 2)
        #expect(broker.core.writes.readableSequence(of: shard).value == 1)
        switch fate {
        case .isJournaledLate:
            broker.answer(late, from: 1)
            #expect(broker.core.writes.readableSequence(of: shard).value == 2)
        case .isLost, .isJournaledUnheard:
            broker.receive(.goodbye, from: address(1, .worker))
            broker.connect("w", 1, .worker)
            broker.host(1, lastSequence: fate == .isLost ? 1 : 2)
            let readable: UInt64 = fate == .isLost ? 1 : 2
            #expect(broker.core.writes.readableSequence(of: shard).value == readable)
        }
        try broker.put(2, batch: 3)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        #expect(broker.core.writes.readableSequence(of: shard).value == 3)
    }

    @Test("Q-37: A part that was given up and never sent is in nobody's way")
    func neverSent() throws {
        var broker = try BrokerHarness.serving()
        broker.receive(.goodbye, from: address(1, .worker))
        try broker.put(2, batch: 2, request: request(2, budget: .seconds(1)))
        broker.decide(.tick, after: 1.5)
        let shard = ShardKey(index: "items", shard: ShardID(0))
        #expect(broker.core.writes.readableSequence(of: shard).value == 2)
    }

    private static func shard(of message: Message) -> UInt32? {
        if case .putPart(let part) = message.command { part.shard } else { nil }
    }

    @Test("No part is sent before the new index and its sequence numbers are durable")
    func preparing() throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        broker.writesAtOnce = false
        try broker.put(2, batch: 1)
        broker.host(1)
        // The session's first ASSIGN names nothing.
        #expect(broker.verbs(1, .worker) == [.welcome, .joined, .assign])
        #expect(broker.takeParts(1).isEmpty)
        broker.write()
        #expect(broker.verbs(1, .worker).last == .assign)
        broker.host(1)
        #expect(broker.takeParts(1).count == 1)
    }

    @Test("After a gap everything unsettled goes again, in order, behind what the worker has")
    func gap() throws {
        var broker = try BrokerHarness.serving()
        for batch in 2...4 as ClosedRange<UInt64> { try broker.put(2, batch: batch) }
        let parts = broker.takeParts(1)
        broker.answer(parts[0], from: 1, error: .gap, last: 0)
        #expect(order(broker.takeParts(1)) == [[2, 2, 0], [3, 3, 2], [4, 4, 3]])
        // The refusals of the first tries come late and cause nothing more.
        broker.answer(parts[1], from: 1, error: .gap, last: 0)
        broker.answer(parts[2], from: 1, error: .gap, last: 0)
        #expect(broker.takeParts(1).isEmpty)
    }

    @Test("A part that a disk refuses fails alone; nothing sent later gets in between")
    func refusedByDisk() throws {
        var broker = try BrokerHarness.serving()
        for batch in 2...3 as ClosedRange<UInt64> { try broker.put(2, batch: batch) }
        let parts = broker.takeParts(1)
        broker.answer(parts[0], from: 1, error: .storageFailed, last: 1)
        #expect(broker.acks(2).last?.refusals.count == 5)
        // Batch 3 was sent behind the refused part, so it goes again, before batch 4.
        try broker.put(2, batch: 4)
        #expect(order(broker.takeParts(1)) == [[3, 3, 1], [4, 4, 3]])
        broker.answer(parts[1], from: 1, error: .gap, last: 1)
        #expect(broker.takeParts(1).isEmpty)
    }

    @Test("What was on its way to a lost worker is sent again when it is back, behind what it has")
    func lostWorker() throws {
        var broker = try BrokerHarness.serving()
        for batch in 2...3 as ClosedRange<UInt64> { try broker.put(2, batch: batch) }
        _ = broker.takeParts(1)
        broker.decide(.unreachable(address(1, .worker)))
        try broker.put(2, batch: 4)
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, lastSequence: 2)
        #expect(order(broker.takeParts(3)) == [[2, 2, 2], [3, 3, 2], [4, 4, 3]])
    }

    @Test("A batch whose time is up says which operations are not journaled, and holds up no other")
    func deadline() throws {
        var broker = try BrokerHarness.serving()
        try broker.put(2, batch: 2, request: request(2, budget: .seconds(1)))
        try broker.put(2, batch: 3)
        broker.decide(.unreachable(address(1, .worker)))
        broker.decide(.tick, after: 1)
        #expect(
            broker.acks(2).last?.refusals.map(\.code).first == ErrorCode.shardUnavailable.number)
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, lastSequence: 1)
        #expect(order(broker.takeParts(3)) == [[3, 3, 1]])
    }

    @Test("A batch that is sent again joins the one under way, and its ack names the newest try")
    func rejoin() throws {
        var broker = try BrokerHarness.serving()
        try broker.put(2, batch: 2)
        try broker.put(2, batch: 2, request: request(2, attempt: 1))
        let parts = broker.takeParts(1)
        #expect(parts.count == 1)
        for part in parts { broker.answer(part, from: 1) }
        let answer = broker.last(address(2, .client, .data))
        #expect(answer?.verb == .putAck && answer?.envelope.attempt == 1)
        #expect(broker.acks(2).count == 2)
        #expect(broker.core.writes.isAtRest)
    }

    @Test("A batch that ended is answered from memory")
    func replay() throws {
        var broker = try BrokerHarness.serving()
        try broker.put(2, batch: 1, request: request(1, attempt: 1))
        #expect(broker.acks(2).count == 2 && broker.takeParts(1).isEmpty)
        #expect(broker.acks(2)[0] == broker.acks(2)[1])
    }

    @Test("A client beyond its write credit is told to wait")
    func writeCredit() throws {
        var broker = try BrokerHarness.serving()
        let bulk = [UInt8](repeating: 120, count: 700 * 1024)
        var refused: UInt64?
        for batch in 2...20 as ClosedRange<UInt64> where refused == nil {
            var document = Document(uniqueIdentifier: "big \(batch)")
            document.attributes["title"] = .string(String(decoding: bulk, as: UTF8.self))
            var head = WirePut()
            head.index = "items"
            head.clientLow = 5
            head.batchNumber = batch
            var builder = PutBuilder(head)
            _ = try builder.append(.index(document))
            broker.receive(
                .put(builder.message), request(batch), payload: builder.payload,
                from: address(2, .client, .data))
            if broker.last(address(2))?.verb == .busy { refused = batch }
        }
        #expect(refused == 2 + UInt64(Limits.writeCreditBytes / (700 * 1024)))
    }

    @Test("While a batch was told to wait, no later one of its client overtakes it")
    func postponed() throws {
        var broker = BrokerHarness(shards: 1)
        broker.connect("c", 2)
        try broker.put(2, batch: 1)
        broker.connect("w", 1, .worker)
        try broker.put(2, batch: 2)
        #expect(broker.verbs(2).suffix(2) == [.busy, .busy])
        try broker.put(2, batch: 1)
        try broker.put(2, batch: 2)
        broker.host(1)
        #expect(order(broker.takeParts(1)).map(\.first) == [1, 2])
        #expect(broker.core.postponed.isEmpty)
    }

    @Test("A worker that is back gets its shards although client states keep being written")
    func assignmentsDoNotStarve() throws {
        var broker = try BrokerHarness.serving()
        broker.writesAtOnce = false
        broker.core.state.touch()
        broker.decide(.tick)
        broker.connect("w", 3, .worker, boot: 2)
        #expect(broker.verbs(3, .worker).last == .assign)
    }
}
