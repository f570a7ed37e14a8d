import FresnelModel
import Testing

@testable import FresnelWire

@Suite("Front-coded hits")
struct FrontCodedHitsTests {
    private static let twin = FrontCodedTwin(index: "shop", head: [1, 1, 0])

    private static func texts(_ identifiers: [[UInt8]]) -> [String] {
        identifiers.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        "B-7: are the same hits as those of version 1, hit by hit",
        arguments: 0...200 as ClosedRange<UInt64>)
    func agreement(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let identifiers = chance.identifiers(Int(seed))
        let batch = try HitBatch(Self.twin.batch(identifiers), mayBeFrontCoded: true)
        guard case .frontCoded(let coded) = batch else {
            Issue.record("read as version 1, seed \(seed)")
            return
        }
        #expect(batch.count == identifiers.count)
        #expect(try coded.identifiers() == Self.texts(identifiers), "seed \(seed)")
        let whole = Self.twin.whole(identifiers)
        #expect(batch.whole.bytes == whole, "seed \(seed)")
        let first = try coded.first()
        #expect(first?.index == (identifiers.isEmpty ? nil : "shop"))
        #expect(first?.document.uniqueIdentifier == Self.texts(identifiers).first)
    }

    @Test(
        "B-7: damaged, they give errors or the same hits in both forms, never a crash",
        arguments: 1...400 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var chance = Chance(seed: seed)
        let whole = Self.twin.batch(chance.identifiers(chance.below(9)))
        for _ in 0..<20 {
            guard let batch = try? FrontCodedHits(chance.damaged(whole)) else { continue }
            let hits = batch.whole()
            #expect(hits.bytes.count <= WireLimits.standard.foundPayloadBytes, "seed \(seed)")
            guard let identifiers = try? batch.identifiers() else { continue }
            #expect(identifiers.count == hits.count)
            for (position, identifier) in identifiers.enumerated() {
                let hit = try? DecodedHit(hits.bytes, in: hits.bodyRange(position))
                guard let hit else { continue }
                #expect(hit.document.uniqueIdentifier == identifier, "seed \(seed)")
                let bare = Document(uniqueIdentifier: identifier, kind: hit.document.kind)
                #expect(hit.document == bare && hit.score == nil, "seed \(seed)")
            }
        }
    }

    @Test(
        "B-7: what is not exactly such hits is refused",
        arguments: [
            // No frame, one with a score, one without a document, one with a domain.
            [0, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 6, 1, 1, 0x69, 1, 1, 0],
            [0, 0, 0, 0, 2, 0, 0], [0, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 1],
            // One hit that is not there, that is cut, that shares with none, with one more behind.
            [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0], [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0, 0],
            [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0, 0, 2, 0x61],
            [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0, 1, 1, 0x61],
            [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0, 0, 1, 0x61, 0, 1, 0x62],
            // A length with a needless byte, and one of three.
            [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0, 0, 0x81, 0, 0x61],
            [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0, 0, 0x81, 0x80, 0, 0x61],
            // An identifier of 513 bytes, and an index of 128.
            [1, 0, 0, 0, 6, 0, 1, 0x69, 1, 1, 0, 0, 0x81, 4] + [UInt8](repeating: 0x61, count: 513),
            [0, 0, 0, 0, 0x86, 1, 0, 0x80, 1] + [UInt8](repeating: 0x69, count: 128) + [1, 1, 0],
            // More hits than there are bytes for.
            [0xFF, 0xFF, 0xFF, 0xFF, 6, 0, 1, 0x69, 1, 1, 0],
        ] as [[UInt8]])
    func refusal(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try FrontCodedHits([0x46, 0x48, 0x42, 2] + bytes) }
    }

    @Test("B-7: a batch that would be larger than any of version 1 is refused before it is made")
    func bomb() {
        let frame: [UInt8] = [0, 1, 0x69, 1, 1, 0]
        var bytes: [UInt8] = [0x46, 0x48, 0x42, 2, 0x20, 0x4E, 0, 0, 6] + frame
        bytes += [0, 0xFF, 1] + [UInt8](repeating: 0x61, count: 255)
        for _ in 1..<20_000 { bytes += [0xFF, 0] }
        #expect(bytes.count < 50_000)
        #expect(throws: WireError.self) { try HitBatch(bytes, mayBeFrontCoded: true) }
    }

    @Test(
        "B-7: cut in two, they are the same hits", arguments: 1...200 as ClosedRange<UInt64>)
    func split(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let identifiers = chance.identifiers(2 + chance.below(40))
        let uncut = try FrontCodedHits(Self.twin.batch(identifiers))
        let (items, limit) = (1 + chance.below(2 * identifiers.count), chance.below(2000))
        let fitting = (1...min(items, identifiers.count)).last {
            Self.twin.batch(Array(identifiers.prefix($0))).count <= limit
        }
        let cut = uncut.split(items: items, below: limit)
        // None where not one fits, or all do.
        #expect((cut == nil) == (fitting == nil || fitting == identifiers.count))
        guard let (first, rest) = cut, let fitting else { return }
        #expect(first.count == fitting && rest.count == identifiers.count - fitting)
        #expect(first.bytes == Self.twin.batch(Array(identifiers.prefix(fitting))))
        #expect(rest.bytes == Self.twin.batch(Array(identifiers.dropFirst(fitting))))
        #expect(try rest.identifiers() == Self.texts(Array(identifiers.dropFirst(fitting))))
    }

    @Test("B-7: an identifier that is not UTF-8 is named with its place")
    func invalidText() throws {
        let batch = try FrontCodedHits(Self.twin.batch([[0x61], [0x62, 0xFF]]))
        do {
            _ = try batch.identifiers()
            Issue.record("it was read")
        } catch {
            #expect(error.description.contains("offset"), "\(error)")
        }
    }

    @Test("B-7: the bytes of front-coded hits are those of version 2")
    func golden() throws {
        let identifiers = ["sku-1", "sku-12", "sku-2", "spare"].map { Array($0.utf8) }
        let bytes = Self.twin.batch(identifiers)
        try Golden.expect(bytes.hexadecimal, in: "FRONT-CODED.hex")
        #expect(try FrontCodedHits(bytes).identifiers() == Self.texts(identifiers))
    }
}
