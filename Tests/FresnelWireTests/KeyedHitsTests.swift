import FresnelKernels
import FresnelWire
import Testing

/// Batches laid out at once, against the writer that takes hit by hit.
@Suite("First hits of an ordered answer, laid out at once")
struct KeyedHitsTests {
    private static let name = Array("shop".utf8)
    private static let head: UInt32 = 0x00_01_01

    /// Identifiers of these lengths in blocks, in codes or not.
    private struct Texts {
        let texts: [[UInt8]]
        let writer: PrefixBlockWriter
        let code: SymbolLearning?

        init(_ lengths: [Int], isCoded: Bool) {
            texts = lengths.enumerated().map { number, length in
                (0..<length).map { UInt8(1 + (number &* 5 &+ $0 &* 7) % 200) }
            }
            code = isCoded ? SymbolLearning(texts) : nil
            var writer = PrefixBlockWriter(code: code)
            for text in texts { writer.append(text.span) }
            writer.finish()
            self.writer = writer
        }

        func batch(
            _ hits: [KeyedHits.Hit], index: [UInt8] = KeyedHitsTests.name, hasScores: Bool,
            below limit: Int = .max
        ) -> [UInt8]? {
            let (pieces, lengths) = (code?.pieces ?? [], code?.lengths ?? [])
            let table = PrefixBlocks(
                starts: writer.starts.span, blob: writer.blob.span, count: texts.count,
                pieces: pieces.span, lengths: lengths.span)
            let keyed = KeyedHits(
                index: index, head: KeyedHitsTests.head, hasScores: hasScores)
            return keyed.batch(hits.count, of: table, below: limit) { hits[$0] }
        }

        /// The same, hit by hit.
        func plain(_ hits: [KeyedHits.Hit], hasScores: Bool) throws -> [UInt8] {
            var writer = HitBatchWriter()
            for hit in hits {
                let text = texts[hit.place]
                var key = OrderedKey()
                key.append(integer: hit.first, descending: false)
                key.append(span: text.span)
                key.append(span: KeyedHitsTests.name.span)
                var body: [UInt8] = []
                let beginning = [1, 1, 0, UInt8(text.count)] + text
                HitBody.append(
                    index: KeyedHitsTests.name.span, score: hasScores ? hit.score : nil,
                    beginning: beginning.span, to: &body)
                writer.append(key: key.bytes, body: body)
            }
            return writer.bytes()
        }
    }

    private static func hits(_ places: [Int]) -> [KeyedHits.Hit] {
        places.map { place in
            KeyedHits.Hit(
                first: UInt64(truncatingIfNeeded: place) &* 0x1234_5678_9ABC_DEF1,
                score: 1.5 * Double(place), place: place)
        }
    }

    @Test(
        "are those of hit by hit",
        arguments: [[3], [16, 15, 17, 1], [126, 127, 2], [20, 20, 20, 20, 9, 9, 9, 9, 9]],
        [true, false])
    func agreement(lengths: [Int], isCoded: Bool) throws {
        let texts = Texts(lengths, isCoded: isCoded)
        #expect(texts.writer.isPossible)
        for hasScores in [true, false] {
            for count in 1...lengths.count {
                let hits = Self.hits(Array(lengths.indices.suffix(count).reversed()))
                let expected = try texts.plain(hits, hasScores: hasScores)
                #expect(texts.batch(hits, hasScores: hasScores) == expected)
            }
        }
    }

    @Test(
        "are left to the writer where they do not fit, or are not laid out so",
        arguments: [true, false])
    func others(hasScores: Bool) {
        let texts = Texts([4, 0, 128, 9], isCoded: false)
        #expect(texts.batch(Self.hits([0, 3]), hasScores: hasScores) != nil)
        #expect(texts.batch(Self.hits([0, 3]), hasScores: hasScores, below: 60) == nil)
        for place in [1, 2, 4, -1] {
            #expect(texts.batch(Self.hits([0, place]), hasScores: hasScores) == nil)
        }
        #expect(texts.batch(Self.hits([0]), index: [1, 0], hasScores: hasScores) == nil)
        let missing = [KeyedHits.Hit(first: .max, score: 0, place: 0)]
        #expect(texts.batch(missing, hasScores: hasScores) == nil)
        var writer = PrefixBlockWriter()
        writer.append(([3, 0, 3] as [UInt8]).span)
        writer.finish()
        let table = PrefixBlocks(
            starts: writer.starts.span, blob: writer.blob.span, count: 1)
        let zeros = KeyedHits(index: Self.name, head: Self.head, hasScores: hasScores)
            .batch(1, of: table, below: .max) { _ in Self.hits([0])[0] }
        #expect(zeros == nil)
    }
}
