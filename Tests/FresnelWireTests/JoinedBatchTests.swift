import Testing

@testable import FresnelWire

@Suite("Batches that are joined")
struct JoinedBatchTests {
    private static func bodies(_ batches: [HitBatch]) -> [[UInt8]] {
        batches.map(\.whole).flatMap { batch in
            (0..<batch.count).map { Array(batch.key($0)) + Array(batch.body($0)) }
        }
    }

    /// The length of the beginning and the index of a front-coded batch; none of another.
    private static func index(_ batch: HitBatch) -> [UInt8] {
        isFrontCoded(batch) ? Array(batch.bytes[8..<15]) : []
    }

    private static func isFrontCoded(_ batch: HitBatch) -> Bool {
        FrontCodedHits.isOne(batch.bytes)
    }

    /// Batches of both versions, with keys, of two indexes, most of a hit or none.
    private static func batches(_ chance: inout Chance) throws -> [HitBatch] {
        try (0..<chance.below(40)).map { _ in
            let index = chance.below(9) == 0 ? "mine" : "shop"
            let twin = FrontCodedTwin(index: index, head: [1, 1, 0])
            let identifiers = chance.identifiers(chance.below(4))
            if chance.below(3) > 0 {
                return try HitBatch(twin.batch(identifiers), mayBeFrontCoded: true)
            }
            var writer = HitBatchWriter()
            for identifier in identifiers {
                writer.append(key: Array(chance.text(3).utf8), body: identifier)
            }
            return try HitBatch(writer.bytes(), mayBeFrontCoded: true)
        }
    }

    @Test(
        "Are the same hits in the same order, as few as fit the limit",
        arguments: 1...300 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let batches = try Self.batches(&chance)
        let limit = [0, 60, 300, 1 << 16][chance.below(4)]
        let joined = HitBatch.joined(batches, below: limit)
        #expect(Self.bodies(joined) == Self.bodies(batches), "seed \(seed)")
        // Two neighbours that are alike would have been beyond the limit together.
        let bytes = batches.reduce(0) { $0 + $1.bytes.count }
        let turns = zip(batches, batches.dropFirst()).count { Self.index($0) != Self.index($1) }
        #expect(joined.count <= turns + 1 + 2 * bytes / max(limit, 1), "seed \(seed)")
        let largest = batches.map(\.bytes.count).max() ?? 0
        #expect(joined.allSatisfy { $0.bytes.count <= max(limit, largest) }, "seed \(seed)")
        // Each is what its bytes say.
        for batch in joined {
            let read = try HitBatch(batch.bytes, mayBeFrontCoded: true)
            #expect(read.whole.bytes == batch.whole.bytes && read.count == batch.count)
        }
    }

    @Test("One version and one index are one batch where they fit", arguments: [true, false])
    func one(isCoded: Bool) throws {
        let twin = FrontCodedTwin(index: "shop", head: [1, 1, 0])
        let names = ["a", "ab", "abc", "b"].map { Array($0.utf8) }
        let batches = try names.map { name in
            try HitBatch(isCoded ? twin.batch([name]) : twin.whole([name]), mayBeFrontCoded: true)
        }
        let joined = HitBatch.joined(batches, below: 1000)
        #expect(joined.count == 1 && Self.isFrontCoded(joined[0]) == isCoded)
        #expect(joined[0].whole.bytes == twin.whole(names))
        let mine = try HitBatch(
            FrontCodedTwin(index: "mine", head: [1, 1, 0]).batch(names), mayBeFrontCoded: true)
        let both = batches + [mine]
        #expect(HitBatch.joined(both, below: 1000).map(\.count) == [4, 4])
        #expect(Self.bodies(HitBatch.joined(both, below: 1000)) == Self.bodies(both))
        #expect(HitBatch.joined([], below: 1000).isEmpty)
    }

    @Test("Front-coded ones that would be too large as version 1 stay apart")
    func tooLarge() throws {
        let twin = FrontCodedTwin(index: "shop", head: [1, 1, 0])
        let long = [UInt8](repeating: 0x61, count: 255)
        let batch = try HitBatch(
            twin.batch([[UInt8]](repeating: long, count: 2600)), mayBeFrontCoded: true)
        #expect(batch.bytes.count < 6000)
        let joined = HitBatch.joined([batch, batch], below: 1 << 16)
        #expect(joined.count == 2 && Self.bodies(joined) == Self.bodies([batch, batch]))
    }
}
