import FresnelKernels

// A blocked Bloom filter (F. Putze and others, "Cache-, hash- and space-efficient Bloom filters",
// 2007): the bits of a key lie in one word, so that a look costs one cache miss. Ten bits a key let
// about three of a hundred strangers through.

/// Which identifiers a segment may have; none that it has is missed.
///
/// A class: indexing asks every segment for every document, and counts one reference each time.
package final class IdentifierFilter: Sendable {
    let words: PackedArray<UInt64>

    init(words: PackedArray<UInt64>) { self.words = words }

    /// The filter of a segment's identifiers: the one it has, or one made of them.
    static func filter(of identifiers: Identifiers) -> IdentifierFilter {
        if let filter = identifiers.filter { return filter }
        let count = identifiers.texts.count
        let hashes = (0..<DocumentNumber(count)).map {
            Hash.checksum(of: identifiers.identifier(of: $0))
        }
        return IdentifierFilter(words: PackedArray(copying: words(of: hashes, count: count)))
    }

    /// Whether an identifier of this XXH3 may be there.
    func mayContain(_ hash: UInt64) -> Bool {
        guard words.count > 0 else { return false }
        let bits = Self.bits(of: hash)
        return words[Self.word(of: hash, count: words.count)] & bits == bits
    }

    /// The words of a filter for so many identifiers.
    static func wordCount(_ count: Int) -> Int { (count * 10 + 63) / 64 }

    /// The filter of some identifiers' hashes.
    static func words(of hashes: some Sequence<UInt64>, count: Int) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: wordCount(count))
        for hash in hashes { words[word(of: hash, count: words.count)] |= bits(of: hash) }
        return words
    }

    /// The upper half of a hash chooses the word.
    private static func word(of hash: UInt64, count: Int) -> Int {
        Int((hash >> 32) &* UInt64(count) >> 32)
    }

    /// Four times six of the lower bits are the bits in it.
    private static func bits(of hash: UInt64) -> UInt64 {
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 24, by: 6) { bits |= 1 &<< (hash &>> shift & 63) }
        return bits
    }
}
