import FresnelKernels
import FresnelSystem
import Testing

@testable import FresnelIndex

/// The tables of packed segments that have the same as wider ones.
@Suite("Narrow tables")
struct NarrowTablesTests {
    /// What a writer put into a section, to be read again.
    static func section(
        _ body: (inout SectionWriter) -> Void
    ) throws -> SectionReader {
        var writer = SectionWriter(capacity: 64)
        try writer.section(Section(.summary)) { body(&$0) }
        return try SectionTable(writer.finish()).reader(of: Section(.summary))
    }

    @Test(
        "Offsets in frames are the offsets", arguments: [0, 1, 127, 128, 129, 1000],
        [0, 9, 70_000] as [UInt32])
    func offsets(count: Int, most: UInt32) throws {
        var generator = SeededGenerator(seed: UInt64(count) &+ UInt64(most))
        var offsets: [UInt32] = [0]
        for _ in 0..<count {
            offsets.append(offsets[offsets.count - 1] + .random(in: 0...most, using: &generator))
        }
        var reader = try Self.section { FramedOffsetContents(offsets).write(to: &$0) }
        let framed = try FramedOffsets(&reader, count: offsets.count)
        #expect(offsets.indices.map { framed[$0] } == offsets)
        let limit = Int(offsets[count])
        for index in 0..<count {
            let range = framed.range(index, limit: limit)
            #expect(range == Int(offsets[index])..<Int(offsets[index + 1]))
        }
    }

    @Test("A set of terms knows its terms and their places", arguments: [0, 1, 3, 40, 900, 1000])
    func terms(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        let chosen = (0..<1000).shuffled(using: &generator).prefix(count).sorted()
        let terms = chosen.map { TermID($0) }
        var reader = try Self.section { TermSetContents(terms, of: 1000).write(to: &$0) }
        let set = try TermSet(&reader, count: count, terms: 1000)
        #expect(set.all == terms)
        for term in TermID(0)..<1100 {
            #expect(set.place(of: term) == terms.firstIndex(of: term))
        }
    }

    @Test("Documents of a sorted view are unpacked as they were", arguments: [1, 2, 100, 70_000])
    func sortedDocuments(documents: Int) throws {
        var generator = SeededGenerator(seed: UInt64(documents))
        let order = (0..<min(documents, 3000)).map { _ in
            DocumentNumber.random(in: 0..<DocumentNumber(documents), using: &generator)
        }
        var reader = try Self.section { writer in
            writer.array(SortedDocuments.words(order, of: documents))
        }
        let sorted = try SortedDocuments(packed: &reader, count: order.count, of: documents)
        #expect(order.indices.map { sorted[$0] } == order)
    }

    @Test("Sixteen levels bound every posting, and are its own where there are no more")
    func levels() {
        var generator = SeededGenerator(seed: 4)
        for kinds in [1, 2, 16, 17, 90, 256] {
            let codes = (0..<700).map { _ in
                UInt8(Int.random(in: 0..<kinds, using: &generator) * 255 / max(1, kinds - 1))
            }
            let choice = LevelChoice(codes[...])
            #expect(choice.places.count == 16)
            for code in codes {
                let level = choice.places[Int(choice.codes[Int(code)])]
                #expect(level >= code)
                if Set(codes).count <= 16 { #expect(level == code) }
            }
        }
    }

    @Test("Long texts keep their tokens beside those of one byte")
    func lengths() {
        let lengths: [UInt16] = [3, 254, 255, 256, 65_535, 0]
        let presence = Presence(
            documentCount: 6, count: 6, words: PackedArray(), list: PackedArray(), isDense: true)
        let short = FieldLengths(
            presence: presence, lengths: PackedArray(),
            short: PackedArray(copying: lengths.map { UInt8(clamping: $0) }),
            longRows: PackedArray(copying: [2, 3, 4]),
            longLengths: PackedArray(copying: [255, 256, 65_535]))
        let weights = FieldWeights(definitions: [nil], lengths: [short])
        for (row, length) in lengths.enumerated() {
            #expect(short[row] == Int(length))
            #expect(weights.length(of: DocumentNumber(row), in: 0) == Int(length))
        }
    }

    @Test("Numbers of one width come back alone", arguments: [0, 1, 7, 33, 63, 64])
    func numbers(width: Int) throws {
        var generator = SeededGenerator(seed: UInt64(width))
        let mask: UInt64 = width == 64 ? .max : 1 << UInt64(width) - 1
        let numbers = (0..<300).map { _ in UInt64.random(in: 0...(.max), using: &generator) & mask }
        var reader = try Self.section { writer in
            writer.array(NarrowNumbers.words(numbers, width: width))
        }
        let narrow = try NarrowNumbers(&reader, count: numbers.count, width: width)
        #expect(numbers.indices.map { narrow[$0] } == numbers)
    }

    @Test("Field lengths take the fewest bits, and long ones stand beside them")
    func narrowLengths() throws {
        var generator = SeededGenerator(seed: 11)
        let lengths: [UInt16] = (0..<500).map { number in
            number % 100 == 0 ? .max - UInt16(number) : .random(in: 0..<40, using: &generator)
        }
        let contents = NarrowLengthContents(lengths)
        #expect(contents.width == 6 && contents.longRows == [0, 100, 200, 300, 400])
        var reader = try Self.section { contents.write(to: &$0) }
        let width = try reader.count()
        let narrow = try NarrowNumbers(&reader, count: lengths.count, width: width)
        let longCount = try reader.count()
        let presence = Presence(
            documentCount: 500, count: 500, words: PackedArray(), list: PackedArray(),
            isDense: true)
        let read = FieldLengths(
            presence: presence, lengths: PackedArray(), narrow: narrow,
            longRows: try reader.array(count: longCount),
            longLengths: try reader.array(count: longCount))
        let weights = FieldWeights(definitions: [nil], lengths: [read])
        for (row, length) in lengths.enumerated() {
            #expect(read[row] == Int(length))
            #expect(weights.length(of: DocumentNumber(row), in: 0) == Int(length))
        }
    }

    @Test("A table of any counts takes no more memory than its section has")
    func counts() throws {
        for count in [1, 1 << 40, Int.max / 2] {
            var reader = try Self.section { $0.number(3) }
            #expect(throws: SegmentError.self) {
                _ = try NarrowNumbers(&reader, count: count, width: 64)
            }
        }
    }
}
