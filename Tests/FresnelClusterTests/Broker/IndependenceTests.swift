import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// What one client does or leaves undone costs the others nothing, counted in steps.
@Suite("Clients beside each other")
struct IndependenceTests {
    /// A broker with two workers, a client that may be slow, and one that reads.
    private func broker() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 2, expectedWorkers: 2)
        broker.connect("v", 1, .worker)
        broker.connect("w", 2, .worker)
        broker.connect("slow", 3)
        broker.connect("quick", 4)
        try broker.put(4, batch: 1)
        for worker in [1, 2] as [UInt8] {
            broker.host(worker)
            for part in broker.takeParts(worker) { broker.answer(part, from: worker) }
        }
        return broker
    }

    private func send(
        _ keys: [String], sequence: UInt64 = 0, to query: Message, from worker: UInt8,
        _ broker: inout BrokerHarness
    ) {
        var found = WireFound()
        found.items = UInt64(keys.count)
        var envelope = query.envelope
        envelope.sequence = sequence
        broker.receive(
            .found(found), envelope, payload: hitBatch(keys), from: address(worker, .worker, .data))
    }

    private func subquery(_ worker: UInt8, _ broker: BrokerHarness) throws -> Message {
        try #require(
            broker.messages(to: address(worker, .worker)).last { $0.verb == .subquery })
    }

    /// Lets the slow client ask queries and read nothing of what their workers send.
    private func stall(_ broker: inout BrokerHarness, queries: Int) throws {
        for number in 0..<UInt64(queries) {
            broker.receive(.query(search()), request(100 + number), from: address(3))
            for worker in [1, 2] as [UInt8] {
                let query = try subquery(worker, broker)
                send((0..<300).map { "\(1000 + $0)" }, to: query, from: worker, &broker)
            }
        }
        broker.decide(.stalled(address(3, .client, .data)))
    }

    /// Steps that each event of the quick client's query costs, and what it is sent.
    private func run(beside queries: Int) throws -> (steps: [UInt64], verbs: [Verb]) {
        var broker = try broker()
        try stall(&broker, queries: queries)
        var steps: [UInt64] = []
        let former = broker.verbs(4).count
        func note(_ before: UInt64) { steps.append(broker.core.queries.stepCount - before) }
        var before = broker.core.queries.stepCount
        broker.receive(.query(search(limit: 20)), request(1), from: address(4))
        note(before)
        let parts = [try subquery(1, broker), try subquery(2, broker)]
        for sequence in 0..<5 {
            for (number, part) in parts.enumerated() {
                before = broker.core.queries.stepCount
                let first = 10 * sequence + 5 * number
                let keys = (0..<4).map { "\(100 + first + $0)" }
                send(keys, sequence: UInt64(sequence), to: part, from: UInt8(number + 1), &broker)
                note(before)
            }
        }
        for (number, part) in parts.enumerated() {
            before = broker.core.queries.stepCount
            var done = WirePartDone()
            done.shards = [report(UInt32(number), found: 50)]
            let shards = broker.core.queries.stream(numbered: part.envelope.id.low)?
                .parts[Int(part.envelope.part)].targets.map(\.shard.number)
            done.shards[0].shard = shards?.first ?? 0
            broker.receive(
                .partDone(done), part.envelope, from: address(UInt8(number + 1), .worker, .data))
            note(before)
        }
        return (steps, Array(broker.verbs(4).dropFirst(former)))
    }

    @Test("A query takes the same steps, however many queries stand still for a slow client")
    func steps() throws {
        let alone = try run(beside: 0)
        #expect(alone.verbs.first == .accepted && alone.verbs.last == .done)
        #expect(alone.verbs.contains(.found) && alone.steps.allSatisfy { $0 == 1 })
        for queries in [1, 30] {
            let beside = try run(beside: queries)
            #expect(beside.steps == alone.steps && beside.verbs == alone.verbs)
        }
    }

    @Test("What is held for a client that reads nothing is at most the windows of its workers")
    func memory() throws {
        var broker = try broker()
        broker.decide(.stalled(address(3, .client, .data)))
        broker.receive(.query(search(credit: 1_000_000)), request(1), from: address(3))
        let parts = [try subquery(1, broker), try subquery(2, broker)]
        let number = parts[0].envelope.id.low
        let granted = broker.sent.count { $0.message.verb == .credit }
        var sequence = 0
        while let stream = broker.core.queries.stream(numbered: number),
            stream.parts.allSatisfy({ $0.window.items >= 8 && $0.window.bytes > 1000 })
        {
            for (worker, part) in parts.enumerated() {
                let keys = (0..<8).map { "\(100_000 + sequence * 8 + $0)" }
                send(keys, sequence: UInt64(sequence), to: part, from: UInt8(worker + 1), &broker)
            }
            sequence += 1
        }
        let stream = try #require(broker.core.queries.stream(numbered: number))
        let held = stream.parts.flatMap(\.hits.batches).reduce(0) { $0 + $1.batch.bytes.count }
        #expect(stream.faultCount == 0 && stream.delivered == 0)
        #expect(held > 0 && UInt64(held) <= stream.reservedBytes)
        #expect(broker.sent.count { $0.message.verb == .credit } == granted)
        // A cancel waits behind none of it.
        broker.receive(.cancel, request(1), from: address(3))
        #expect(broker.core.queries.count == 0)
        for worker in [1, 2] as [UInt8] {
            #expect(broker.last(address(worker, .worker))?.verb == .cancel)
        }
    }
}
