import FresnelKernels
import Testing

@testable import FresnelIndex

@Suite("The filter of identifiers")
struct IdentifierFilterTests {
    private static func hashes(_ numbers: Range<Int>) -> [UInt64] {
        numbers.map { Hash.checksum(of: Array("document-\($0)".utf8)) }
    }

    @Test(
        "It misses nothing it has and lets few of a thousand strangers through",
        arguments: zip([3125, 5000], [25, 10]))
    func strangers(wordCount: Int, strangers: Int) {
        let known = Self.hashes(0..<20_000)
        let words = IdentifierFilter.words(of: known, wordCount: wordCount)
        let filter = IdentifierFilter(words: PackedArray(copying: words))
        #expect(known.allSatisfy(filter.mayContain))
        let passed = Self.hashes(20_000..<120_000).count(where: filter.mayContain)
        #expect(passed < 100 * strangers, "\(passed) of 100 000 strangers passed")
        #expect(IdentifierFilter.words(of: known, count: known.count).count == 3125)
    }

    @Test("A filter of an earlier program, all of whose bits are in the first word, misses nothing")
    func firstWordAlone() {
        let known = Self.hashes(0..<9)
        var words = [UInt64](repeating: 0, count: 300)
        words[0] = IdentifierFilter.words(of: known, wordCount: 1)[0]
        let filter = IdentifierFilter(words: PackedArray(copying: words))
        #expect(known.allSatisfy(filter.mayContain))
        #expect(filter.wordCount == 1)
    }

    @Test("A filter of nothing has nothing")
    func empty() {
        let filter = IdentifierFilter(words: PackedArray())
        #expect(!filter.mayContain(Hash.checksum(of: Array("a".utf8))))
    }
}
