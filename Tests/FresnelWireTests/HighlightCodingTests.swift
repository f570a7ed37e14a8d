import FresnelModel
import FresnelWire
import Testing

@Suite("Highlights of a hit")
struct HighlightCodingTests {
    private static let sample = [
        AttributeHighlights(
            attribute: "com_example_people", element: 2, part: .handle(1), ranges: [4..<9]),
        AttributeHighlights(
            attribute: "keywords", ranges: [0..<3, 5..<6], isComplete: false),
        AttributeHighlights(attribute: "title", part: .variant(language: "de"), ranges: [0..<6]),
    ]

    @Test(
        "B-5: highlights read back, in their normal order",
        arguments: 0...300 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        let highlights = (0..<Int(seed % 40)).map { _ in chance.highlights() }
        let normal = AttributeHighlights.normal(highlights)
        let bytes = HighlightCoding.encode(highlights)
        #expect(try HighlightCoding.decode(bytes) == normal, "seed \(seed)")
        #expect(HighlightCoding.encode(normal) == bytes, "seed \(seed)")
        #expect(
            HighlightCoding.encode(highlights.shuffled(using: &chance)) == bytes, "seed \(seed)")
    }

    @Test("B-5: a hit carries highlights or none, and its identity is read past them")
    func hit() throws {
        let document = DocumentCoding.encode(Samples.document)
        for score in [nil, 1.5] {
            let plain = HitBody(index: "i", score: score, document: document)
            for highlights in [nil, [], Self.sample] as [[AttributeHighlights]?] {
                var hit = plain
                hit.highlights = highlights
                let bytes = hit.encode()
                let back = try HitBody(bytes)
                #expect(back == hit)
                #expect(try DecodedHit(bytes).highlights == highlights)
                #expect(back.highlights?.count == highlights?.count)
                #expect(try back.decodeDocument() == Samples.document)
                #expect(bytes[0] == (score == nil ? 0 : 1) + (highlights == nil ? 0 : 2))
                let identity = try HitBody.identity(of: [7] + bytes, in: 1..<bytes.count + 1)
                let expected = try HitBody.identity(of: plain.encode())
                #expect(identity == expected)
            }
        }
    }

    @Test("B-5: the bytes of highlights are those of version 1")
    func golden() throws {
        let bytes = HighlightCoding.encode(Self.sample)
        try Golden.expect(bytes.hexadecimal, in: "HIGHLIGHTS.hex")
        #expect(try HighlightCoding.decode(bytes) == Self.sample)
    }

    @Test(
        "B-5: damaged highlights give errors or highlights that are written so, never a crash",
        arguments: 1...400 as ClosedRange<UInt64>)
    func fuzz(seed: UInt64) {
        var chance = Chance(seed: seed)
        var bytes = HighlightCoding.encode((0..<6).map { _ in chance.highlights() })
        for _ in 0..<20 {
            bytes = chance.damaged(bytes)
            guard let highlights = try? HighlightCoding.decode(bytes) else { continue }
            #expect(AttributeHighlights.normal(highlights) == highlights, "seed \(seed)")
            let again = HighlightCoding.encode(highlights)
            #expect((try? HighlightCoding.decode(again)) == highlights, "seed \(seed)")
        }
    }

    @Test(
        "B-5: highlights that no writer writes are refused",
        arguments: [
            [], [1], [0, 0], [1, 1, 0],  // nothing, cut off, left over, no text
            [1, 1, 1, 0, 0, 0],  // no ranges
            [1, 1, 1, 0, 0, 1, 0, 0],  // an empty range
            [1, 1, 1, 0, 0, 2, 0, 1, 0, 1],  // two that touch
            [1, 1, 1, 0, 4, 1, 0, 1],  // an unknown part
            [1, 0xFF, 0x7F, 1, 0, 0, 1, 0, 1],  // an unknown attribute
            [1, 0, 1, 0x2D, 1, 0, 0, 1, 0, 1],  // a name with a hyphen
            [1, 0, 5, 0x74, 0x69, 0x74, 0x6C, 0x65, 1, 0, 0, 1, 0, 1],  // title written out
            [1, 1, 2, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1],  // a text twice
            [2, 1, 1, 0, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1],  // title twice, with another element
            [2, 1, 1, 0, 0, 1, 0, 1, 2, 1, 0, 0, 1, 0, 1],  // title before displayName
            [1, 1, 1, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 1],  // beyond 32 bits
            [1, 1, 1, 0, 1, 1, 0xFF, 1, 0, 1],  // a language that is not UTF-8
        ] as [[UInt8]])
    func refusal(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try HighlightCoding.decode(bytes) }
    }

    @Test(
        "B-5: flags beyond the known ones are refused",
        arguments: [4, 0x18, 0x20, 0x80, 0xFF] as [UInt8])
    func flags(flags: UInt8) {
        var bytes = HitBody(
            index: "i", score: nil, document: DocumentCoding.encode(Samples.document)
        ).encode()
        bytes[0] = flags
        #expect(throws: WireError.self) { try HitBody(bytes) }
        #expect(throws: WireError.self) { try HitBody.identity(of: bytes) }
    }
}

extension Chance {
    /// Highlights of one random text, also too many of them and such as overlap.
    fileprivate mutating func highlights() -> AttributeHighlights {
        let part: AttributeHighlights.Part =
            switch below(5) {
            case 0: .variant(language: ["de", "fr", "zh-Hant"][below(3)])
            case 1: .displayName
            case 2: .handle(below(300))
            default: .text
            }
        let ranges = (0..<below(below(8) == 0 ? 200 : 5)).map { _ in
            let start = below(below(4) == 0 ? 100_000 : 300)
            return start..<start + below(20)
        }
        return AttributeHighlights(
            attribute: below(9) == 0 ? "uniqueIdentifier" : attributeName(), element: below(3),
            part: part, ranges: ranges, isComplete: below(4) != 0)
    }
}
