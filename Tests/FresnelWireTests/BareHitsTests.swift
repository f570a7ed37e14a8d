import FresnelKernels
import FresnelWire
import Testing

/// Batches laid out at once, against the twin that takes byte by byte.
@Suite("Hits without attributes, laid out at once, front-coded")
struct BareHitsTests {
    private static let head: [UInt8] = [1, 1, 0]

    /// Identifiers one behind the other.
    private struct Texts {
        var offsets: [UInt32] = [0]
        var blob: [UInt8] = []

        init(_ lengths: [Int]) {
            for (number, length) in lengths.enumerated() {
                // Three neighbours begin alike, as far as they go.
                blob += (0..<length).map { UInt8(truncatingIfNeeded: number / 3 &+ $0 &* 7) }
                offsets.append(UInt32(blob.count))
            }
        }

        func text(_ number: UInt32) -> [UInt8] {
            Array(blob[Int(offsets[Int(number)])..<Int(offsets[Int(number) + 1])])
        }
    }

    private static let twin = FrontCodedTwin(index: "shop", head: head)

    @Test(
        "are those of hit by hit",
        arguments: [
            [3], [0], [16, 15, 17, 0, 1], [127, 128, 129], [300, 512, 2], [20, 20, 20, 20],
            [511, 511, 512, 511], [7, 8, 9, 8, 7, 300, 299, 301],
        ], [1, 60, 700, 1 << 20])
    func agreement(lengths: [Int], limit: Int) throws {
        let texts = Texts(lengths + [5])
        let documents = (0..<UInt32(lengths.count)).filter { $0 % 3 != 1 }
        let found = BareHits(index: Array("shop".utf8), head: Self.head).batch(
            documents.span, offsets: texts.offsets.span, blob: texts.blob.span, below: limit)
        // The same identifiers in blocks; none is sorted, which only searches would need.
        var writer = PrefixBlockWriter()
        for number in 0..<UInt32(lengths.count) { writer.append(texts.text(number).span) }
        writer.finish()
        if writer.isPossible {
            let table = PrefixBlocks(
                starts: writer.starts.span, blob: writer.blob.span, count: lengths.count)
            let inBlocks = BareHits(index: Array("shop".utf8), head: Self.head).batch(
                documents.span, of: table, below: limit)
            #expect(inBlocks?.payload == found?.payload && inBlocks?.items == found?.items)
        }
        let batch = try #require(found)
        let expected = Self.twin.batch(documents.map { texts.text($0) }, below: limit)
        #expect(batch.payload == expected.payload && batch.items == expected.items)
    }

    @Test(
        "of identifiers in codes are those of the same identifiers, and stay below the limit",
        arguments: [1, 60, 200, 700, 1 << 20])
    func codes(limit: Int) throws {
        let lengths = [3, 0, 16, 127, 128, 129, 200, 1, 40, 17, 255, 12, 90, 90, 90, 7, 7, 30]
        let texts = Texts(lengths)
        let documents = (0..<UInt32(lengths.count)).filter { $0 % 5 != 1 }
        let all = (0..<UInt32(lengths.count)).map { texts.text($0) }
        // One that knows the pieces, and one that has to write most bytes as they are.
        for sample in [all, [[1, 2, 3, 1, 2, 3]]] {
            let code = SymbolLearning(sample)
            var writer = PrefixBlockWriter(code: code)
            // Two bytes of codes for each byte are too many for the longest.
            let known = sample.count > 1 ? documents : documents.filter { lengths[Int($0)] < 128 }
            let kept = Set(known)
            for number in 0..<UInt32(lengths.count) {
                let text = kept.contains(number) ? texts.text(number) : []
                writer.append(text.span)
            }
            writer.finish()
            #expect(writer.isPossible)
            let table = PrefixBlocks(
                starts: writer.starts.span, blob: writer.blob.span, count: lengths.count,
                pieces: code.pieces.span, lengths: code.lengths.span)
            let found = BareHits(index: Array("shop".utf8), head: Self.head).batch(
                known.span, of: table, below: limit)
            let batch = try #require(found)
            let expected = Self.twin.batch(known.map { texts.text($0) }, below: limit)
            #expect(batch.payload == expected.payload && batch.items == expected.items)
        }
    }

    @Test("are no more than a batch of version 1 would hold, however short they become")
    func wholeLimit() throws {
        let beginning = [UInt8](repeating: 0x61, count: 295)
        var blob: [UInt8] = []
        for number in 10_000..<15_000 { blob += beginning + Array("\(number)".utf8) }
        let offsets = (0...5000 as ClosedRange<UInt32>).map { $0 * 300 }
        let documents = (0..<5000 as Range<UInt32>).map { $0 }
        let found = BareHits(index: Array("shop".utf8), head: Self.head).batch(
            documents.span, offsets: offsets.span, blob: blob.span, below: 1 << 20)
        let batch = try #require(found)
        #expect(batch.items < 5000 && batch.payload.count < 1 << 18)
        let hits = try FrontCodedHits(batch.payload)
        #expect(hits.count == batch.items)
        let limit = WireLimits.standard.foundPayloadBytes
        #expect((limit - 400...limit).contains(hits.whole().bytes.count))
    }

    @Test("stop before identifiers that are not there, or too long")
    func damage() {
        let bare = BareHits(index: Array("shop".utf8), head: Self.head)
        let long = Texts([4, WireLimits.standard.identifierBytes + 1, 4])
        let all: [UInt32] = [0, 1, 2]
        let items = bare.batch(
            all.span, offsets: long.offsets.span, blob: long.blob.span, below: 1 << 20)?.items
        #expect(items == 1)
        var torn = Texts([4, 4, 4])
        torn.offsets[2] = 1 << 30
        for documents: [UInt32] in [[1], [2], [7], [.max]] {
            let batch = bare.batch(
                documents.span, offsets: torn.offsets.span, blob: torn.blob.span, below: 1 << 20)
            #expect(batch?.items == nil)
        }
    }
}
