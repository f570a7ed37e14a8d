import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

/// The format, byte by byte, as Documentation/file-formats.md describes it.
///
/// Files of old versions are never rewritten: segments of version 1 stay readable for ever.
@Suite("The segment's file format")
struct SegmentGoldenTests {
    static let documents: [IncomingDocument] = [
        Document(
            uniqueIdentifier: "pie", domainIdentifier: "store.produce",
            attributes: [
                "title": .string("Apple pie"), "keywords": .strings(["fruit", "Apple pie"]),
                "rating": .number(4.5), "textContent": .string("Bake it, bake it"),
            ]),
        Document(
            uniqueIdentifier: "phone",
            attributes: [
                "title": .string("iPhone"), "rating": .number(-1),
                "contentCreationDate": .date(Timestamp(wholeSeconds: 86400)),
            ]),
    ].enumerated().map { number, document in
        IncomingDocument(
            encoded: DocumentCoding.encode(document), document: document,
            createdSequence: UInt64(number + 7), expiration: number == 0 ? .infinity : 1000)
    }

    private static func golden(version: Int) throws -> [UInt8] {
        let tests = FilePath.directory(of: FilePath.directory(of: #filePath))
        let path = tests + "/Golden/segment/v\(version)/two-documents.hex"
        let text = String(decoding: try DiskStorage().read(path), as: UTF8.self)
        let digits = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    @Test("Two documents are written exactly as the golden file of version 9")
    func writing() throws {
        let bytes = try SegmentBuilder.build(documents: Self.documents).bytes
        #expect(try bytes == Self.golden(version: 9), "\(Self.hexadecimal(bytes))")
    }

    /// Bytes as a golden file has them, to be looked at and kept.
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined(separator: " ")
    }

    @Test("A packed segment is written so that the golden file of version 6 could be its like")
    func packing() throws {
        let bytes = try SegmentBuilder.build(documents: Self.documents, packing: .always).bytes
        // What zstd writes is libzstd's affair: other versions may pack otherwise.
        let golden = try Self.golden(version: 6)
        #expect(abs(bytes.count - golden.count) < 64, "\(Self.hexadecimal(bytes))")
    }

    @Test(
        "The golden files of all versions read as the two documents", arguments: Array(1...6) + [9])
    func reading(version: Int) throws {
        let bytes = SharedBytes(try Self.golden(version: version))
        try SegmentVerifier.verify(bytes)
        SegmentExpectation(Self.documents).check(try Segment(bytes))
    }

    @Test(
        "Merging a packed segment of an old version gives what building gives", arguments: [4, 5])
    func raisingPacked(version: Int) throws {
        let old = try Segment(SharedBytes(try Self.golden(version: version)))
        let live = Bitset(count: old.documentCount, filled: true)
        let merged = try SegmentMerger.merge(
            [MergeSource(segment: old, live: live)], packing: .always)
        let built = try SegmentBuilder.build(documents: Self.documents, packing: .always)
        #expect(merged.blob.bytes == built.bytes)
    }

    @Test("Merging a segment of an old version gives what building gives", arguments: [1, 2])
    func raising(version: Int) throws {
        let old = try Segment(SharedBytes(try Self.golden(version: version)))
        let live = Bitset(count: old.documentCount, filled: true)
        let merged = try SegmentMerger.merge([MergeSource(segment: old, live: live)])
        #expect(try merged.blob.bytes == SegmentBuilder.build(documents: Self.documents).bytes)
    }

    @Test("A segment of an old version is made anew of its documents", arguments: 1...6)
    func refolding(version: Int) throws {
        let old = try Segment(SharedBytes(try Self.golden(version: version)))
        #expect(!old.isFoldedAsNow)
        let anew = try SegmentRebuilder.rebuilt(
            old, 0..<DocumentNumber(old.documentCount), packing: .standard)
        #expect(try anew.bytes == Self.golden(version: 9))
    }
}
