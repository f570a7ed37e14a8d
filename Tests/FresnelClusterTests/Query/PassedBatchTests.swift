import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Batches without an order")
struct PassedBatchTests {
    @Test("Q-6: Whole batches are passed on as they came")
    func whole() throws {
        var harness = try StreamHarness(search(delivery: .found))
        harness.find(["b", "a"], part: 1)
        harness.find(["c"], part: 0)
        harness.finishAll()
        let found = harness.toClient.filter { $0.verb == .found }
        #expect(found.map(\.payload) == [hitBatch(["b", "a"]), hitBatch(["c"])])
        #expect(found.map(\.envelope.sequence) == [0, 1])
        #expect(try harness.delivered == ["b", "a", "c"])
        #expect(harness.completions.first?.delivered == 3)
        #expect(harness.completions.first?.complete == true)
    }

    @Test("Q-7: Of a batch that goes beyond the limit only the first hits are sent")
    func limited() throws {
        var harness = try StreamHarness(search(delivery: .found, limit: 3))
        harness.find(["a", "b"], part: 0)
        harness.find(["c", "d"], part: 1)
        #expect(try harness.delivered == ["a", "b", "c"])
        harness.finish(part: 0, [report(0, found: 2), report(1)])
        harness.finish(part: 1, [report(2, found: 2)])
        #expect(harness.completions.map(\.delivered) == [3])
    }

    @Test("C-1: A batch that goes beyond the credit waits, and its rest follows")
    func credit() throws {
        var few = search(delivery: .found)
        few.creditItems = 3
        var harness = try StreamHarness(few)
        harness.find(["a", "b"], part: 0)
        harness.find(["c", "d"], part: 1)
        #expect(try harness.delivered == ["a", "b", "c"])
        harness.take(harness.stream.grant(items: 10, bytes: 1 << 30, at: at(1)))
        #expect(try harness.delivered == ["a", "b", "c", "d"])
        let sent = harness.toClient.filter { $0.verb == .found }
        #expect(sent.map(\.envelope.sequence) == Array(0..<UInt64(sent.count)))
    }

    private static func frontCoded(_ names: [String]) throws -> [UInt8] {
        var (offsets, blob): ([UInt32], [UInt8]) = ([0], [])
        for name in names {
            blob += Array(name.utf8)
            offsets.append(UInt32(blob.count))
        }
        let documents = (0..<UInt32(names.count)).map { $0 }
        let batch = BareHits(index: Array("items".utf8), head: [1, 1, 0]).batch(
            documents.span, offsets: offsets.span, blob: blob.span, below: 1 << 20)
        return try #require(batch).payload
    }

    private static func asking(
        limit: UInt64? = nil, delivery: WireDelivery = .found, isFrontCoded: Bool = true
    ) -> WireSearch {
        var asked = search(delivery: delivery, limit: limit)
        asked.frontCoded = isFrontCoded
        return asked
    }

    private static func identifiers(_ harness: StreamHarness) throws -> [String] {
        try harness.toClient.filter { $0.verb == .found }.flatMap { message in
            let batch = try HitBatch(message.payload ?? []).whole
            return try (0..<batch.count).map {
                try HitBody(batch.bytes, in: batch.bodyRange($0)).decodeDocument()
                    .uniqueIdentifier
            }
        }
    }

    private static func names(_ count: Int, _ worker: String) -> [String] {
        (0..<count).map { "\(worker)-\($0)" }
    }

    private static func send(
        _ names: [String], part: Int, sequence: UInt64 = 0, to harness: inout StreamHarness
    ) throws -> [UInt8] {
        var found = WireFound()
        found.items = UInt64(names.count)
        let payload = try frontCoded(names)
        harness.receive(.found(found), part: part, sequence: sequence, payload: payload)
        return payload
    }

    @Test("B-7: Front-coded batches are passed on as they came")
    func frontCoded() throws {
        var harness = try StreamHarness(Self.asking())
        let first = try Self.send(Self.names(70, "b"), part: 1, to: &harness)
        let second = try Self.send(Self.names(3, "a"), part: 0, to: &harness)
        let found = harness.toClient.filter { $0.verb == .found }
        #expect(found.map(\.payload) == [first, second])
        #expect(try Self.identifiers(harness) == Self.names(70, "b") + Self.names(3, "a"))
    }

    @Test("B-7: Of one that goes beyond the credit the first hits are sent, and the rest later")
    func cutByCredit() throws {
        var few = Self.asking()
        few.creditItems = 65
        var harness = try StreamHarness(few)
        _ = try Self.send(Self.names(50, "a"), part: 0, to: &harness)
        let late = try Self.send(Self.names(50, "b"), part: 1, to: &harness)
        let all = Self.names(50, "a") + Self.names(50, "b")
        for granted: UInt64 in [65, 66, 1000] {
            harness.take(harness.stream.grant(items: granted, bytes: 1 << 30, at: at(1)))
            #expect(try Self.identifiers(harness) == Array(all.prefix(Int(granted))))
        }
        // A worker may send as much anew as it sent, not as much as was made of that.
        #expect(harness.stream.parts[1].hits.consumedBytes == UInt64(late.count))
    }

    @Test("B-7: Of one that goes beyond the limit only the first hits are sent")
    func cutByLimit() throws {
        var harness = try StreamHarness(Self.asking(limit: 90))
        _ = try Self.send(Self.names(50, "a"), part: 0, to: &harness)
        _ = try Self.send(Self.names(50, "b"), part: 1, to: &harness)
        harness.finish(part: 0, [report(0, found: 50), report(1)])
        harness.finish(part: 1, [report(2, found: 50)])
        #expect(
            try Self.identifiers(harness) == Self.names(50, "a") + Self.names(40, "b"))
        #expect(harness.completions.map(\.delivered) == [90])
        #expect(harness.completions.map(\.complete) == [true])
    }

    @Test(
        "B-7: A worker that sends one unasked, or where hits have an order, is not believed",
        arguments: [
            asking(isFrontCoded: false), asking(delivery: .settled), asking(delivery: .final),
        ])
    func unasked(asked: WireSearch) throws {
        var harness = try StreamHarness(asked)
        _ = try Self.send(Self.names(3, "a"), part: 0, to: &harness)
        harness.finish(part: 1, [report(2)])
        #expect(try Self.identifiers(harness).isEmpty)
        #expect(harness.statuses == [.failed, .failed, .complete])
    }
}
