import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

/// The format of version 1, byte by byte, as Documentation/file-formats.md describes it.
///
/// The file is never rewritten: segments of version 1 stay readable for ever.
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

    private static func golden() throws -> [UInt8] {
        let tests = FilePath.directory(of: FilePath.directory(of: #filePath))
        let path = tests + "/Golden/segment/v1/two-documents.hex"
        let text = String(decoding: try DiskStorage().read(path), as: UTF8.self)
        let digits = text.split(separator: "\n").flatMap { line in
            line.prefix { $0 != "#" }.filter { !$0.isWhitespace }
        }
        return stride(from: 0, to: digits.count, by: 2).compactMap { position in
            UInt8(String(digits[position...position + 1]), radix: 16)
        }
    }

    @Test("Two documents are written exactly as the golden file")
    func writing() throws {
        #expect(try SegmentBuilder.build(documents: Self.documents).bytes == Self.golden())
    }

    @Test("The golden file reads as the two documents")
    func reading() throws {
        let bytes = SharedBytes(try Self.golden())
        try SegmentVerifier.verify(bytes)
        SegmentExpectation(Self.documents).check(try Segment(bytes))
    }
}
