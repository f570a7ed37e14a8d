import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

@Suite("Strings in blocks, coded or not")
struct TextBlockTests {
    /// Versions of one document.
    private static func versions(_ count: Int) -> [IncomingDocument] {
        let document = Document(uniqueIdentifier: "the-only-document-of-all")
        let encoded = DocumentCoding.encode(document)
        return (1...UInt64(count)).map {
            IncomingDocument(encoded: encoded, document: document, createdSequence: $0)
        }
    }

    @Test("Strings that are all the same have no code, and are found", arguments: [1, 48, 400])
    func equal(count: Int) throws {
        let built = try SegmentBuilder.build(documents: Self.versions(count), packing: .always)
        try SegmentVerifier.verify(SharedBytes(built.bytes), named: built.name)
        let identifiers = try built.open().identifiers
        let key = Array("the-only-document-of-all".utf8)
        #expect(identifiers.documents(withIdentifier: key.span).count == count)
        for document in 0..<DocumentNumber(count) {
            #expect(identifiers.identifier(of: document) == key)
        }
    }

    @Test("Numbered strings are coded, however many there are", arguments: [66_000, 33_000])
    func numbered(count: Int) throws {
        var texts = StringArena()
        for number in 0..<count {
            let digits = String(number)
            let zeros = String(repeating: "0", count: 6 - digits.count)
            texts.append(Array("doc-\(zeros)\(digits).txt".utf8).span)
        }
        let blocks = try #require(TextBlockContents(texts, order: 0..<UInt32(count)))
        #expect(blocks.isCoded)
    }

    @Test("A text that is not there is its own key, and empty")
    func missing() {
        var keys = StringArena()
        keys.append(Array("one".utf8).span)
        let list = StringList(
            offsets: PackedArray(copying: keys.offsets), blob: SharedBytes(keys.bytes))
        // A flag is set, and no text differs from its key.
        let texts = SortedTexts(
            keys: list, blocks: nil, originals: StringList(), sparse: PackedArray(copying: []),
            flags: PackedArray(copying: [UInt64.max]))
        for rank in [0, 1, 63, 64, .max] as [UInt32] {
            #expect(texts.isFolded(rank))
            #expect(texts.withOriginal(of: rank) { $0.count } == (rank == 0 ? 3 : 0))
        }
    }
}
