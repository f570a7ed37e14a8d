import FresnelKernels
import Testing

@Suite("Strings in blocks with their shared beginnings")
struct PrefixBlocksTests {
    private static func blocks(_ texts: [[UInt8]]) -> PrefixBlockWriter {
        var writer = PrefixBlockWriter()
        for text in texts { writer.append(text.span) }
        writer.finish()
        return writer
    }

    private static func less(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }

    /// Sorted strings that begin alike, some of them equal, some empty.
    private static func texts(_ count: Int, seed: UInt64) -> [[UInt8]] {
        var generator = TestGenerator(seed: seed)
        return (0..<count).map { _ -> [UInt8] in
            let start = generator.bytes(
                count: Int.random(in: 0...6, using: &generator), from: 97...98)
            let rest = generator.bytes(count: Int.random(in: 0...200, using: &generator))
            return start + rest.prefix(Int.random(in: 0...40, using: &generator))
        }.sorted(by: less)
    }

    /// Where a string lies, length by length: what the kernel adds up in two words.
    private static func slowly(_ blocks: PrefixBlockWriter, _ index: Int) -> [UInt8] {
        let start = Int(blocks.starts[index / 16])
        let shared = Int(blocks.blob[start])
        var rest = start + 17 + shared
        for place in 0..<index % 16 { rest += Int(blocks.blob[start + 1 + place]) }
        let count = Int(blocks.blob[start + 1 + index % 16])
        return Array(blocks.blob[start + 17..<start + 17 + shared])
            + Array(blocks.blob[rest..<rest + count])
    }

    @Test(
        "Every string comes back, alone and by its place in the order",
        arguments: [0, 1, 15, 16, 17, 400], [1, 2, 3] as [UInt64])
    func agreement(count: Int, seed: UInt64) {
        let texts = Self.texts(count, seed: seed)
        let blocks = Self.blocks(texts)
        #expect(blocks.isPossible)
        let table = PrefixBlocks(
            starts: blocks.starts.span, blob: blocks.blob.span, count: texts.count)
        for (index, text) in texts.enumerated() {
            #expect(Self.slowly(blocks, index) == text)
            var found: [UInt8] = []
            table.withText(index) { found.append(copying: $0) }
            #expect(found == text)
            let parts = table.parts(index)
            #expect(parts?.count == text.count)
            let bound = table.lowerBound(text.span)
            #expect(bound == texts.firstIndex(of: text))
        }
        let isMissing = table.parts(texts.count) == nil && table.parts(-1) == nil
        #expect(isMissing)
        var generator = TestGenerator(seed: seed &+ 7)
        for _ in 0..<200 {
            let key = generator.bytes(
                count: Int.random(in: 0...8, using: &generator), from: 96...99)
            let bound = table.lowerBound(key.span)
            #expect(bound == texts.count { Self.less($0, key) })
        }
    }

    @Test(
        "With heads at hand every key is found where it is without, also among equal ones",
        arguments: [1, 16, 17, 800], [0...1, 96...97, 254...255, 0...255] as [ClosedRange<UInt8>])
    func heads(count: Int, alphabet: ClosedRange<UInt8>) {
        var generator = TestGenerator(seed: UInt64(count) &+ UInt64(alphabet.lowerBound))
        // Long enough that many begin with the same eight bytes, which are all that heads have.
        let texts = (0..<count).map { _ in
            generator.bytes(count: Int.random(in: 1...12, using: &generator), from: alphabet)
        }.sorted(by: Self.less)
        let blocks = Self.blocks(texts)
        let plain = PrefixBlocks(
            starts: blocks.starts.span, blob: blocks.blob.span, count: count)
        let heads = plain.makeHeads()
        #expect(heads.count == (count + 15) / 16)
        let table = PrefixBlocks(
            starts: blocks.starts.span, blob: blocks.blob.span, count: count, heads: heads.span)
        let others = (0..<400).map { _ in
            generator.bytes(count: Int.random(in: 0...14, using: &generator), from: alphabet)
        }
        for key in texts + others {
            let bound = table.lowerBound(key.span)
            #expect(bound == texts.count { Self.less($0, key) }, "\(key)")
            let (equal, expected) = (table.range(of: key.span), texts.count { $0 == key })
            #expect(equal == bound..<bound + expected, "\(key)")
        }
    }

    @Test(
        "A block is put together string by string, in codes or not", arguments: [1, 16, 17, 100],
        [true, false])
    func together(count: Int, isCoded: Bool) {
        let texts = Self.texts(count, seed: 9)
        let plain = Self.blocks(texts)
        let code = isCoded ? SymbolLearning(texts) : nil
        var writer = PrefixBlockWriter(code: code)
        for text in texts { writer.append(text.span) }
        writer.finish()
        #expect(plain.isPossible && writer.isPossible)
        let (pieces, lengths) = (code?.pieces ?? [], code?.lengths ?? [])
        let table = PrefixBlocks(
            starts: writer.starts.span, blob: writer.blob.span, count: texts.count,
            pieces: pieces.span, lengths: lengths.span)
        var buffer = TextBuffer()
        for start in stride(from: 0, to: count, by: 16) {
            // What is beyond the end of all is an empty string.
            let range = start + start / 16 % 3..<start + 16
            buffer.fill(range, of: table)
            #expect(buffer.count == range.count)
            for place in 0..<buffer.count {
                let found = [UInt8](
                    copying: buffer.texts.extracting(buffer.end(place - 1)..<buffer.end(place)))
                let index = range.lowerBound + place
                #expect(found == (index < count ? texts[index] : []))
            }
        }
        for (index, text) in texts.enumerated() {
            #expect(table.compare(index, text.span) == 0)
            #expect(table.lowerBound(text.span) == texts.firstIndex(of: text))
            let equal = table.range(of: text.span)
            #expect(equal.lowerBound == texts.firstIndex(of: text))
            #expect(equal.upperBound - 1 == texts.lastIndex(of: text))
            var copy = [UInt8](repeating: 7, count: table.room(of: index))
            var room = copy.mutableSpan
            let length = table.copyText(index, to: &room)
            #expect(Array(copy.prefix(length)) == text)
        }
        #expect(table.room(of: count) == 0)
        var generator = TestGenerator(seed: 10)
        for _ in 0..<200 {
            let key = generator.bytes(
                count: Int.random(in: 0...9, using: &generator), from: 96...99)
            #expect(table.lowerBound(key.span) == texts.count { Self.less($0, key) })
            #expect(table.range(of: key.span).count == texts.count { $0 == key })
        }
    }

    @Test("Strings that are too long are refused, by their rest or where nothing is shared")
    func limits() {
        let long = [UInt8](repeating: 1, count: 256)
        #expect(!Self.blocks([[], long]).isPossible)
        #expect(Self.blocks([[], Array(long.dropLast())]).isPossible)
        // 255 shared bytes, and a rest of at most 255.
        let most = Array(long.dropLast() + long.dropLast())
        #expect(Self.blocks([most]).isPossible)
        #expect(!Self.blocks([most + [1]]).isPossible)
    }

    @Test(
        "Damaged blocks give other strings or none, never a crash", arguments: [4, 5] as [UInt64],
        [false, true])
    func damage(seed: UInt64, isCoded: Bool) {
        let texts = Self.texts(70, seed: seed)
        let code = isCoded ? SymbolLearning(texts) : nil
        var blocks = PrefixBlockWriter(code: code)
        for text in texts { blocks.append(text.span) }
        blocks.finish()
        var generator = TestGenerator(seed: seed)
        var buffer = TextBuffer()
        for _ in 0..<2000 {
            var (starts, blob) = (blocks.starts, blocks.blob)
            var (pieces, lengths) = (code?.pieces ?? [], code?.lengths ?? [])
            Self.damage(&starts, &blob, &pieces, &lengths, &generator)
            let table = PrefixBlocks(
                starts: starts.span, blob: blob.span, count: texts.count + 40,
                pieces: pieces.span, lengths: lengths.span)
            for index in 0..<texts.count + 40 {
                var count = 0
                table.withText(index) { count = $0.count }
                #expect(count <= 510)
            }
            Self.fill(&buffer, texts.count + 40, of: table)
            let key = texts[Int.random(in: texts.indices, using: &generator)]
            let bound = table.lowerBound(key.span)
            #expect(bound <= texts.count + 40)
        }
    }

    /// Changes one number of a table.
    private static func damage(
        _ starts: inout [UInt32], _ blob: inout [UInt8], _ pieces: inout [UInt64],
        _ lengths: inout [UInt8], _ generator: inout TestGenerator
    ) {
        switch Int.random(in: 0..<(pieces.isEmpty ? 4 : 6), using: &generator) {
        case 0, 1:
            let place = Int.random(in: starts.indices, using: &generator)
            starts[place] = UInt32.random(in: 0...UInt32(2 * blob.count), using: &generator)
        case 2, 3:
            let place = Int.random(in: blob.indices, using: &generator)
            blob[place] = UInt8.random(in: 0...255, using: &generator)
        case 4:
            let place = Int.random(in: pieces.indices, using: &generator)
            pieces[place] = UInt64.random(in: 0...(.max), using: &generator)
        default:
            let place = Int.random(in: lengths.indices, using: &generator)
            lengths[place] = UInt8.random(in: 0...255, using: &generator)
        }
    }

    /// Puts every block together, from its first string or a later one.
    ///
    /// Every string is as long as it is alone, whatever was damaged, and no longer than one may be.
    private static func fill(
        _ buffer: inout TextBuffer, _ count: Int, of table: borrowing PrefixBlocks
    ) {
        for start in stride(from: 0, to: count, by: 16) {
            let range = start + start / 16 % 3..<start + 16
            buffer.fill(range, of: table)
            #expect(buffer.count == range.count)
            var former = 0
            for place in 0..<buffer.count {
                let end = buffer.end(place)
                #expect(end >= former && end - former <= 510)
                let isSame = table.withText(range.lowerBound + place) { $0.count == end - former }
                #expect(isSame)
                former = end
            }
            #expect(buffer.texts.count == former)
        }
    }
}
