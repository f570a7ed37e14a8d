import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

/// What large segments pack, on small ones.
struct PackedSegmentTests {
    private static func documents(_ count: Int, seed: UInt64) -> [IncomingDocument] {
        var source = SegmentDocuments(seed: seed)
        return source.documents(count)
    }

    @Test(
        "A packed segment says what the plain one of the same documents says", arguments: [1, 2, 3])
    func sameContents(seed: UInt64) throws {
        let documents = Self.documents(150, seed: seed)
        let packed = try SegmentBuilder.build(documents: documents, packing: .always)
        SegmentExpectation(documents).check(try packed.open())
        try SegmentVerifier.verify(SharedBytes(packed.bytes), named: packed.name)
    }

    @Test("Documents of all sizes come out of their blocks in any order", arguments: [11, 12])
    func blocks(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let documents = (0..<900).map { number in
            let words = Int.random(
                in: 0..<(number.isMultiple(of: 50) ? 3000 : 40), using: &generator)
            let text = (0..<words).map { _ in "w\(Int.random(in: 0..<500, using: &generator))" }
            let document = Document(
                uniqueIdentifier: "item-\(Int.random(in: 0..<1_000_000, using: &generator))",
                attributes: ["contentDescription": .string(text.joined(separator: " "))])
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document,
                createdSequence: UInt64(number / 100))
        }
        let blob = try SegmentBuilder.build(documents: documents, packing: .always)
        try SegmentVerifier.verify(SharedBytes(blob.bytes), named: blob.name)
        let segment = try blob.open()
        for _ in 0..<2000 {
            let number = Int.random(in: 0..<documents.count, using: &generator)
            #expect(segment.stored.encoded(UInt32(number)) == documents[number].encoded)
            #expect(
                segment.versions.createdSequence(of: UInt32(number))
                    == documents[number].createdSequence)
        }
        let plain = try SegmentBuilder.build(
            documents: documents, packing: SegmentPacking(documents: .max, longTextTokens: 8))
        #expect(blob.bytes.count * 2 < plain.bytes.count)
    }

    @Test("Sentences and identifiers have no column in the file, and one when it is asked for")
    func columns() throws {
        let documents = (0..<20).map { number in
            let document = Document(
                uniqueIdentifier: "item-\(number)",
                attributes: [
                    "title": .string("Pie \(number % 3)"),
                    "contentDescription": .string("a pie of apples and \(number % 4) more"),
                ])
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
        let packing = SegmentPacking(documents: 10, longTextTokens: 4)
        let segment = try SegmentBuilder.build(documents: documents, packing: packing).open()
        let sentences = try #require(segment.attribute(named: "contentDescription"))
        #expect(sentences.column == nil)
        #expect(sentences.strings?.values.count == 4)
        let identifiers = try #require(segment.attribute(named: "uniqueIdentifier"))
        #expect(identifiers.column == nil)
        #expect(identifiers.strings?.values.count == 20)
        #expect(segment.attribute(named: "title")?.column?.values.count == 3)
    }

    @Test("Above 512 documents sentences and identifiers have no column; verifying knows both")
    func unpackedColumns() throws {
        let documents = (0..<513).map { number in
            let text = "a pie of apples, pears, plums and \(number % 4) other fruits"
            let document = Document(
                uniqueIdentifier: "item-\(number)",
                attributes: ["contentDescription": .string(text)])
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
        for (count, packing, version, hasColumn) in [
            (513, .passing, 11, false), (512, .passing, 9, true),
            (513, SegmentPacking(documents: .max, longTextTokens: 8), 9, true),
        ] as [(Int, SegmentPacking, UInt32, Bool)] {
            let blob = try SegmentBuilder.build(
                documents: Array(documents.prefix(count)), packing: packing)
            try SegmentVerifier.verify(SharedBytes(blob.bytes), named: blob.name)
            let segment = try blob.open()
            #expect(try SectionTable(segment.bytes).version == version)
            let attribute = try #require(segment.attribute(named: "contentDescription"))
            #expect((attribute.column != nil) == hasColumn)
            #expect(attribute.strings?.values.count == 4)
            let identifiers = try #require(segment.attribute(named: "uniqueIdentifier"))
            #expect((identifiers.column != nil) == hasColumn)
            #expect(identifiers.strings?.values.count == count)
            #expect(SegmentRebuilder.compare(segment) == .equal)
        }
    }

    @Test("A block that was damaged after opening gives no document, never a crash")
    func damagedBlocks() throws {
        let documents = Self.documents(60, seed: 5)
        let bytes = try SegmentBuilder.build(documents: documents, packing: .always).bytes
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<300 {
            var damaged = bytes
            let offset = Int.random(in: 8..<bytes.count - 2000, using: &generator)
            damaged[offset] = UInt8.random(in: 0...255, using: &generator)
            // What opening refuses is not the question here.
            guard let segment = try? Segment(SharedBytes(damaged), check: .footer) else { continue }
            for document in 0..<UInt32(documents.count) {
                #expect(segment.stored.encoded(document).count < 1 << 20)
            }
        }
    }
}
