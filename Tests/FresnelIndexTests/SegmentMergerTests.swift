import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

struct SegmentMergerTests {
    @Test(
        "Merging gives, byte for byte, the segment built of the surviving documents",
        arguments: [(1, 1, 1.0), (2, 2, 1.0), (3, 3, 0.5), (4, 8, 0.7), (5, 4, 0.1), (6, 2, 0.0)],
        [
            SegmentPacking.standard, .always, .withoutColumns,
            SegmentPacking(documents: 60, longTextTokens: 3),
            SegmentPacking(documents: .max, longTextTokens: 3, columnDocuments: 60),
        ])
    func equalsBuild(
        _ arguments: (seed: UInt64, count: Int, survival: Double), packing: SegmentPacking
    ) throws {
        let (seed, count, survival) = arguments
        var source = SegmentDocuments(seed: seed)
        var generator = SeededGenerator(seed: seed &+ 1000)
        var sources: [MergeSource] = []
        var survivors: [IncomingDocument] = []
        for _ in 0..<count {
            let documents = source.documents(Int.random(in: 0...80, using: &generator))
            let segment = try SegmentBuilder.build(documents: documents, packing: packing).open()
            var live = Bitset(count: documents.count)
            for (number, document) in documents.enumerated()
            where Double.random(in: 0..<1, using: &generator) < survival {
                live.insert(number)
                survivors.append(document)
            }
            sources.append(MergeSource(segment: segment, live: live))
        }
        let merged = try SegmentMerger.merge(sources, packing: packing)
        let built = try SegmentBuilder.build(documents: survivors, packing: packing)
        #expect(merged.blob.bytes == built.bytes)
        SegmentExpectation(survivors).check(try merged.blob.open())
        var next: UInt32 = 0
        for (numbers, source) in zip(merged.newNumbers, sources) {
            for (old, number) in numbers.enumerated() {
                #expect(number == (source.live.contains(old) ? next : MergedSegment.dropped))
                if source.live.contains(old) { next += 1 }
            }
        }
    }

    @Test("Texts that others begin with, and with bytes of zero, keep their order when merged")
    func beginnings() throws {
        let texts = [
            "a", "A", "a\0", "A\0", "a\0\0", "\0", "12345678", "12345678\0", "1234567",
            "123456789", "1234567\0", "1234567\09",
        ]
        let documents = texts.enumerated().map { number, text in
            var document = Document(uniqueIdentifier: "d\(number)")
            document.attributes["keywords"] = .strings([text])
            document.attributes["title"] = .string(text)
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document,
                createdSequence: 1)
        }
        for packing in [SegmentPacking.standard, .always] {
            let sources = try documents.map { document in
                let segment = try SegmentBuilder.build(documents: [document]).open()
                return MergeSource(segment: segment, live: Bitset(count: 1, filled: true))
            }
            let built = try SegmentBuilder.build(documents: documents, packing: packing)
            let merged = try SegmentMerger.merge(sources, packing: packing)
            #expect(merged.blob.bytes == built.bytes)
        }
    }

    @Test("Documents that together pass what offsets reach are refused, however well they pack")
    func tooLarge() throws {
        let documents = (0..<60).map { number in
            var document = Document(uniqueIdentifier: "d\(number)")
            document.attributes["title"] = .string(String(repeating: "lens ", count: 200))
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
        let stored = documents.reduce(0) { $0 + $1.encoded.count }
        let segments = try [documents[..<20], documents[20..<40], documents[40...]].map {
            try SegmentBuilder.build(documents: Array($0), packing: .always).open()
        }
        #expect(segments.reduce(0) { $0 + $1.bytes.count } < stored / 2)
        let unpacked = segments.reduce(0) { $0 + $1.stored.unpackedByteCount }
        #expect((stored...stored + 3 * documents.count).contains(unpacked))
        let sources = segments.map {
            MergeSource(segment: $0, live: Bitset(count: $0.documentCount, filled: true))
        }
        for packing in [SegmentPacking.standard, .always] {
            #expect(throws: SegmentError.tooLarge(Section(.store), count: stored)) {
                try SegmentMerger.merge(sources, packing: packing, storedByteLimit: stored - 1)
            }
            let merged = try SegmentMerger.merge(
                sources, packing: packing, storedByteLimit: stored)
            let built = try SegmentBuilder.build(documents: documents, packing: packing)
            #expect(merged.blob.bytes == built.bytes)
        }
        // What is left behind takes no room.
        let living =
            [MergeSource(segment: segments[0], live: Bitset(count: 20))] + sources.dropFirst()
        _ = try SegmentMerger.merge(living, storedByteLimit: stored * 2 / 3 + 20)
    }

    @Test("A damaged source is refused, so that damage never gets a fresh checksum")
    func damagedSource() throws {
        var source = SegmentDocuments(seed: 4)
        var bytes = try SegmentBuilder.build(documents: source.documents(20)).bytes
        // A byte of the stored documents, which opening does not look at.
        bytes[bytes.count / 3] ^= 1
        let segment = try Segment(SharedBytes(bytes), check: .footer)
        let live = Bitset(count: segment.documentCount, filled: true)
        #expect(throws: SegmentError.self) {
            try SegmentMerger.merge([MergeSource(segment: segment, live: live)])
        }
    }
}
