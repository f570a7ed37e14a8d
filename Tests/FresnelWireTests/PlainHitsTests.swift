import FresnelKernels
import FresnelModel
import Testing

@testable import FresnelWire

@Suite("Hits that differ from one before in score and identifier alone")
struct PlainHitsTests {
    /// Bodies of hits of which many follow on one that they are like.
    private static func bodies(_ chance: inout Chance) -> [[UInt8]] {
        (0..<40).map { number in
            let isPlain = chance.below(5) > 0
            let identifier = String(repeating: "é", count: chance.below(3) * 70) + "\(number)"
            let document =
                isPlain
                ? Document(
                    uniqueIdentifier: identifier,
                    kind: chance.below(8) == 0 ? .activity : .product)
                : chance.document(identifier: identifier)
            return HitBody(
                index: chance.below(8) == 0 ? "other" : "shop",
                score: chance.below(3) == 0 ? nil : Double(number) / 3,
                document: DocumentCoding.encode(document)
            ).encode()
        }
    }

    /// Reads a batch as a client does; the hits that were read by comparing, and all others.
    private static func read(_ batch: HitBatchReader) -> (plain: Int, full: Int) {
        var plain = PlainHits(batch)
        var followed: DecodedHit?
        var counts = (plain: 0, full: 0)
        for position in 0..<batch.count {
            let whole = try? DecodedHit(batch.bytes, in: batch.bodyRange(position))
            if let hit = plain.hit(position) {
                counts.plain += 1
                #expect(hit.identifier == whole?.document.uniqueIdentifier)
                #expect(hit.score?.bitPattern == whole?.score?.bitPattern)
                #expect(whole?.index == followed?.index)
                #expect(whole?.document.kind == followed?.document.kind)
                #expect(whole?.highlights == nil && whole?.explanation == nil)
                let bare = Document(
                    uniqueIdentifier: hit.identifier, kind: whole?.document.kind ?? .product)
                #expect(whole?.document == bare)
                continue
            }
            counts.full += 1
            // Whoever meets what cannot be read takes no hit of the batch.
            guard let whole else { return counts }
            followed = whole
            plain.follow(position)
        }
        return counts
    }

    private static func batch(_ bodies: [[UInt8]]) -> [UInt8] {
        var writer = HitBatchWriter()
        for body in bodies { writer.append(key: [], body: body) }
        return writer.bytes()
    }

    @Test("are those that are read in full", arguments: 1...100 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let counts = Self.read(try HitBatchReader(Self.batch(Self.bodies(&chance))))
        #expect(counts.plain + counts.full == 40)
        #expect(counts.plain > 0)
    }

    @Test("of one index and kind are read by comparing, all but the first")
    func most() throws {
        let bodies = (0..<1000).map { number in
            HitBody(
                index: "shop", score: nil,
                document: DocumentCoding.encode(Document(uniqueIdentifier: "document-\(number)"))
            ).encode()
        }
        let counts = Self.read(try HitBatchReader(Self.batch(bodies)))
        #expect(counts == (plain: 999, full: 1))
    }

    @Test("are never those that are damaged", arguments: 1...400 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var chance = Chance(seed: seed)
        let bytes = Self.batch(Self.bodies(&chance))
        for _ in 0..<10 {
            guard let reader = try? HitBatchReader(chance.damaged(bytes)) else { continue }
            _ = Self.read(reader)
        }
    }
}
