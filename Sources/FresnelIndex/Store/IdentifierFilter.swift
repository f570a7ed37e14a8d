import FresnelKernels

// A blocked Bloom filter (F. Putze and others, "Cache-, hash- and space-efficient Bloom filters",
// 2007): the bits of a key lie in one word, so that a look costs one cache miss. Ten bits a key let
// about twenty of a thousand strangers through, sixteen about six: every document that comes in is
// looked for in every segment, and a stranger that passes costs a search by halves, some two
// microseconds. Packed segments, which are few, have ten; what is made in memory for others has
// sixteen.

/// Which identifiers a segment may have; none that it has is missed.
///
/// A class: who asks every segment for a document counts one reference each time.
package final class IdentifierFilter: Sendable {
    /// All words that are kept.
    let words: PackedArray<UInt64>
    /// The words among which a hash chooses, the first ones; the others are 0.
    let wordCount: Int

    /// - Parameter words: as they were written. An earlier program set all bits in the first word:
    ///   where no other has one, that word alone is the filter, which lets nearly all through.
    init(words: PackedArray<UInt64>) {
        self.words = words
        wordCount = (1..<max(1, words.count)).allSatisfy { words[$0] == 0 } ? 1 : words.count
    }

    /// The filter of a segment's identifiers: the one it has, or one made of them.
    static func filter(of identifiers: Identifiers) -> IdentifierFilter {
        if let filter = identifiers.filter { return filter }
        let count = identifiers.count
        let hashes = (0..<DocumentNumber(count)).map { document in
            identifiers.withIdentifier(of: document) { Hash.checksum(of: $0) }
        }
        let words = words(of: hashes, wordCount: (count * 16 + 63) / 64)
        return IdentifierFilter(words: PackedArray(copying: words))
    }

    /// Whether an identifier of this XXH3 may be there.
    func mayContain(_ hash: UInt64) -> Bool {
        guard words.count > 0 else { return false }
        let bits = Self.bits(of: hash)
        return words[Self.word(of: hash, count: wordCount)] & bits == bits
    }

    /// Which of several segments may have each of some identifiers, by their XXH3; mostly none.
    ///
    /// Filter by filter, so that each one's words and reference are touched in one go.
    static func candidates(_ hashes: [UInt64], among filters: [IdentifierFilter]) -> [[Int]] {
        var candidates = [[Int]](repeating: [], count: hashes.count)
        for (number, filter) in filters.enumerated() {
            filter.forEachKnown(of: hashes) { candidates[$0].append(number) }
        }
        return candidates
    }

    /// Calls `body` with the places of the hashes whose identifiers may be there.
    @inline(__always)
    private func forEachKnown(of hashes: [UInt64], _ body: (Int) -> Void) {
        guard words.count > 0 else { return }
        let (all, count) = (words, wordCount)
        let words = all.span
        for place in hashes.indices {
            let bits = Self.bits(of: hashes[place])
            if words[Self.word(of: hashes[place], count: count)] & bits == bits { body(place) }
        }
    }

    /// The words that a packed segment has of a filter for so many identifiers.
    static func wordCount(_ count: Int) -> Int { (count * 10 + 63) / 64 }

    /// The filter of some identifiers' hashes, as a packed segment has it.
    static func words(of hashes: some Sequence<UInt64>, count: Int) -> [UInt64] {
        words(of: hashes, wordCount: wordCount(count))
    }

    /// The filter of some identifiers' hashes, with so many words.
    static func words(of hashes: some Sequence<UInt64>, wordCount: Int) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: wordCount)
        guard wordCount > 0 else { return words }
        for hash in hashes { words[word(of: hash, count: words.count)] |= bits(of: hash) }
        return words
    }

    /// The upper half of a hash chooses the word.
    private static func word(of hash: UInt64, count: Int) -> Int {
        Int(((hash >> 32) &* UInt64(count)) >> 32)
    }

    /// Four times six of the lower bits are the bits in it.
    private static func bits(of hash: UInt64) -> UInt64 {
        var bits: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 24, by: 6) { bits |= 1 &<< (hash &>> shift & 63) }
        return bits
    }
}
