import FresnelModel
import FresnelWire
import TestChance
import Testing

@testable import FresnelCluster

@Suite("Front-coded batches on their way")
struct FrontCodedBatchTests {
    static func frontCoded(_ names: [String]) throws -> [UInt8] {
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
            let batch = try HitBatch(message.payload ?? [], mayBeFrontCoded: true).whole
            return try (0..<batch.count).map {
                try HitBody(batch.bytes, in: batch.bodyRange($0)).decodeDocument()
                    .uniqueIdentifier
            }
        }
    }

    private static func names(_ count: Int, _ worker: String) -> [String] {
        (0..<count).map { "\(worker)-\($0)" }
    }

    @discardableResult
    private static func send(
        _ names: [String], part: Int, sequence: UInt64 = 0, isCoded: Bool = true,
        to harness: inout StreamHarness
    ) throws -> [UInt8] {
        var found = WireFound()
        found.items = UInt64(names.count)
        let coded = try frontCoded(names)
        let payload =
            try isCoded ? coded : HitBatch(coded, mayBeFrontCoded: true).whole.bytes
        harness.receive(.found(found), part: part, sequence: sequence, payload: payload)
        return payload
    }

    private static func areFrontCoded(_ harness: StreamHarness) -> Bool {
        harness.toClient.filter { $0.verb == .found }
            .allSatisfy { FrontCodedHits.isOne($0.payload ?? []) }
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
        try Self.send(Self.names(50, "a"), part: 0, to: &harness)
        let late = try Self.send(Self.names(50, "b"), part: 1, to: &harness)
        let all = Self.names(50, "a") + Self.names(50, "b")
        for granted: UInt64 in [65, 66, 1000] {
            harness.take(harness.stream.grant(items: granted, bytes: 1 << 30, at: at(1)))
            #expect(try Self.identifiers(harness) == Array(all.prefix(Int(granted))))
        }
        #expect(Self.areFrontCoded(harness))
        // A worker may send as much anew as it sent, not as much as was made of that.
        #expect(harness.stream.parts[1].hits.consumedBytes == UInt64(late.count))
    }

    @Test("B-7: Of one that goes beyond the limit only the first hits are sent")
    func cutByLimit() throws {
        var harness = try StreamHarness(Self.asking(limit: 90))
        try Self.send(Self.names(50, "a"), part: 0, to: &harness)
        try Self.send(Self.names(50, "b"), part: 1, to: &harness)
        harness.finish(part: 0, [report(0, found: 50), report(1)])
        harness.finish(part: 1, [report(2, found: 50)])
        #expect(
            try Self.identifiers(harness) == Self.names(50, "a") + Self.names(40, "b"))
        #expect(Self.areFrontCoded(harness))
        #expect(harness.completions.map(\.delivered) == [90])
        #expect(harness.completions.map(\.complete) == [true])
    }

    /// Batches of both forms, two workers, grants and limits by chance.
    @Test(
        "B-7: Every hit comes once, part by part in its order, and within credit and limit",
        arguments: 1...200 as ClosedRange<UInt64>)
    func anyCredit(seed: UInt64) throws {
        var chance = SplitMix64(seed: seed)
        var asked = Self.asking(limit: chance.chance(30) ? UInt64(1 + chance.below(150)) : nil)
        var granted = (items: UInt64(1 + chance.below(40)), bytes: UInt64(60 + chance.below(900)))
        (asked.creditItems, asked.creditBytes) = granted
        var harness = try StreamHarness(asked)
        var sent: [[String]] = [[], []]
        var sequences: [UInt64] = [0, 0]
        for _ in 0..<30 {
            let part = chance.below(2)
            // A worker sends what it was granted, and nothing once it was told that it is enough.
            let room = Int(harness.stream.parts[part].window.items)
            let isWanted = room > 0 && !harness.stream.parts[part].wasToldEnough
            if isWanted, chance.chance(60) {
                let count = min(room, 1 + chance.below(30))
                let names = (0..<count).map { "p\(part)-\(sent[part].count + $0)" }
                try Self.send(
                    names, part: part, sequence: sequences[part], isCoded: chance.chance(60),
                    to: &harness)
                sequences[part] += 1
                sent[part] += names
            } else {
                granted.items += UInt64(chance.below(30))
                granted.bytes += UInt64(chance.below(600))
                harness.take(
                    harness.stream.grant(items: granted.items, bytes: granted.bytes, at: at(1)))
            }
            let found = harness.toClient.filter { $0.verb == .found }
            let bytes = found.reduce(0) { $0 + ($1.payload?.count ?? 0) }
            let all = try Self.identifiers(harness)
            #expect(UInt64(all.count) <= granted.items, "seed \(seed)")
            #expect(UInt64(bytes) <= granted.bytes, "seed \(seed)")
        }
        harness.take(harness.stream.grant(items: 1000, bytes: 1 << 30, at: at(1)))
        let all = try Self.identifiers(harness)
        let total = UInt64(sent[0].count + sent[1].count)
        #expect(harness.stream.violations.total == 0, "seed \(seed)")
        #expect(all.count == min(total, asked.hasLimit ? asked.limit : .max), "seed \(seed)")
        for part in 0..<2 {
            let mine = all.filter { $0.hasPrefix("p\(part)-") }
            #expect(mine == Array(sent[part].prefix(mine.count)), "seed \(seed)")
        }
        let found = harness.toClient.filter { $0.verb == .found }
        #expect(found.map(\.envelope.sequence) == Array(0..<UInt64(found.count)))
    }

    @Test(
        "B-7: A worker that sends one unasked, or where hits have an order, is not believed",
        arguments: [
            asking(isFrontCoded: false), asking(delivery: .settled), asking(delivery: .final),
        ])
    func unasked(asked: WireSearch) throws {
        var harness = try StreamHarness(asked)
        try Self.send(Self.names(3, "a"), part: 0, to: &harness)
        harness.finish(part: 1, [report(2)])
        #expect(try Self.identifiers(harness).isEmpty)
        #expect(harness.statuses == [.failed, .failed, .complete])
    }

    @Test("B-7: Nor is one that sends it where shards have several replicas: parts can move")
    func replicated() throws {
        var shards = part(of: "a", shards: [0, 1]) + part(of: "b", shards: [2])
        for number in shards.indices { shards[number].isReplicated = true }
        var harness = try StreamHarness(Self.asking(), shards: shards)
        try Self.send(Self.names(3, "a"), part: 0, to: &harness)
        #expect(try Self.identifiers(harness).isEmpty)
        #expect(harness.stream.violations.total > 0)
    }
}
