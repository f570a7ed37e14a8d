import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelText
import FresnelWire
import Testing

@testable import FresnelIndex

@Suite("Keys of terms in blocks")
struct BlockTermsTests {
    /// Documents with so many words that their keys are not scanned: of syllables, some with
    /// capitals inside, accents or digits, and a few hardly begin like any other.
    private static func documents(_ seed: UInt64) -> [IncomingDocument] {
        var generator = SeededGenerator(seed: seed)
        let syllables = ["a", "ba", "win", "Dow", "é", "ß", "app", "X", "le", "12", "日", "ï", "zu"]
        return (0..<700).map { number in
            let words = (0..<12).map { _ in
                (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                    syllables[Int.random(in: 0..<syllables.count, using: &generator)]
                }.joined()
            }
            let document = Document(
                uniqueIdentifier: "item-\(number)",
                attributes: ["contentDescription": .string(words.joined(separator: " "))])
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
    }

    private static let control = SearchControl(time: ManualTime())

    /// The same documents with keys as one run of bytes, and in blocks.
    private static func dictionaries(
        _ seed: UInt64
    ) throws -> (flat: TermDictionary, blocks: TermDictionary, bytes: [UInt8]) {
        let documents = documents(seed)
        let plain = SegmentPacking(documents: .max, longTextTokens: 8)
        let packed = try SegmentBuilder.build(documents: documents, packing: .always)
        try SegmentVerifier.verify(SharedBytes(packed.bytes), named: packed.name)
        return (
            try SegmentBuilder.build(documents: documents, packing: plain).open().terms,
            try packed.open().terms, packed.bytes
        )
    }

    @Test("They answer as others do", arguments: [1, 2, 77] as [UInt64])
    func answers(seed: UInt64) throws {
        let (flat, blocks, _) = try Self.dictionaries(seed)
        #expect(flat.camel.count > 1000)
        #expect(flat.texts.blocks == nil)
        #expect(blocks.texts.blocks != nil)
        #expect(flat.count == blocks.count)
        #expect(flat.camel.count == blocks.camel.count)
        let terms = 0..<TermID(flat.count)
        for term in terms {
            #expect(flat.foldedKey(of: term) == blocks.foldedKey(of: term))
            #expect(flat.original(of: term) == blocks.original(of: term))
            #expect(flat.texts.isFolded(term) == blocks.texts.isFolded(term))
        }
        let flattened = blocks.texts.flat
        for term in terms {
            #expect([UInt8](copying: flattened.key(of: term)) == flat.foldedKey(of: term))
        }
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let key = flat.foldedKey(of: .random(in: terms, using: &generator))
            var needle = Array(
                key.dropFirst(.random(in: 0...key.count, using: &generator))
                    .prefix(.random(in: 0...6, using: &generator)))
            if Bool.random(using: &generator) { needle.append(0x61) }
            let span = needle.span
            #expect(blocks.range(withFoldedPrefix: span) == flat.range(withFoldedPrefix: span))
            #expect(blocks.range(withFoldedKey: span) == flat.range(withFoldedKey: span))
            #expect(try blocks.terms(containing: span) == flat.terms(containing: span))
            #expect(
                try blocks.texts.ranks(withKeyContaining: span)
                    == flat.texts.ranks(withKeyContaining: span))
            #expect(
                try blocks.camelTerms(withFoldedPrefix: span)
                    == flat.camelTerms(withFoldedPrefix: span))
            let behind = flat.range(withFoldedKey: span).upperBound
            let unfolded = (behind..<flat.range(withFoldedPrefix: span).upperBound)
                .filter { !flat.texts.isFolded($0) }
            for texts in [flat.texts, blocks.texts] {
                #expect(
                    try texts.unfolded(from: behind, withKeyPrefix: span, Self.control)
                        == unfolded)
            }
        }
    }

    @Test("Few of them, which are scanned, stand as one run of bytes")
    func few() throws {
        var source = SegmentDocuments(seed: 3)
        let segment = try SegmentBuilder.build(
            documents: source.documents(40), packing: .always
        ).open()
        #expect(segment.terms.texts.blocks == nil)
        #expect(segment.terms.grams == nil)
    }

    @Test("Damaged after opening they give other terms, never a crash")
    func damage() throws {
        let (_, _, bytes) = try Self.dictionaries(5)
        let table = try SectionTable(SharedBytes(bytes))
        let places = table.entries.filter {
            [.codedTerms, .blockTerms, .camel].contains($0.section.kind)
        }
        #expect(places.count == 2)
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<300 {
            var damaged = bytes
            let range = places[Int.random(in: 0..<2, using: &generator)].range
            damaged[Int.random(in: range, using: &generator)] = .random(
                in: 0...255, using: &generator)
            // What opening refuses is not the question here.
            guard let opened = try? Segment(SharedBytes(damaged), check: .footer) else { continue }
            let terms = opened.terms
            for term in 0..<TermID(terms.count) where term % 7 == 0 {
                #expect(terms.foldedKey(of: term).count <= 2 * PrefixBlocks.partLimit)
                _ = terms.original(of: term)
            }
            for needle in ["a", "app", "window", "zz"] {
                let key = Array(needle.utf8)
                let range = terms.range(withFoldedPrefix: key.span)
                #expect(range.upperBound <= terms.count)
                _ = terms.range(withFoldedKey: key.span)
                _ = try terms.terms(containing: key.span)
                _ = try terms.camelTerms(withFoldedPrefix: key.span)
                _ = try terms.texts.unfolded(
                    from: range.lowerBound, withKeyPrefix: key.span, Self.control)
            }
        }
    }
}
