import FresnelKernels

// The terms that have a list aside are a good part of all: a bit for each term of the dictionary
// takes less than their numbers, and where a term's list is needs no search.

/// Some terms of a dictionary, ascending, and the place of each among them.
///
/// A class, so that a look counts one reference, not those of all arrays.
final class TermSet: Sendable {
    /// A bit for each term of the dictionary; empty where `list` is used.
    let words: PackedArray<UInt64>
    /// The bits set before every word, in older versions every eighth, and in all.
    let ranks: PackedArray<UInt32>
    /// The terms; empty where `words` are used.
    let list: PackedArray<UInt32>
    /// The number of terms.
    let count: Int

    /// Words between two ranks.
    let rankLength: Int

    /// That of version 5, and that of later ones: a rank of each word is a third more bytes, and
    /// spares counting bits.
    static let longRankLength = 8
    static let rankLength = 1

    /// A set that is listed.
    init(_ list: PackedArray<UInt32>) {
        (words, ranks) = (PackedArray(), PackedArray())
        self.list = list
        count = list.count
        rankLength = Self.rankLength
    }

    /// - Parameters:
    ///   - terms: how many the dictionary has.
    ///   - rankLength: words between two ranks.
    init(
        _ reader: inout SectionReader, count: Int, terms: Int,
        rankLength: Int = TermSet.rankLength
    ) throws(SegmentError) {
        self.count = count
        self.rankLength = rankLength
        let hasBits = try reader.count(limit: 1) == 1
        let wordCount = hasBits ? (terms + 63) / 64 : 0
        words = try reader.array(count: wordCount)
        ranks = try reader.array(
            count: hasBits ? (wordCount + rankLength - 1) / rankLength + 1 : 0)
        list = try reader.array(count: hasBits ? 0 : count)
    }

    /// The place of a term; nil when it is not in the set.
    func place(of term: TermID) -> Int? {
        let (place, isMember) = find(term)
        return isMember ? place : nil
    }

    /// How many terms of the set are below a term of the dictionary, and whether it is one.
    @inline(__always)
    func find(_ term: TermID) -> (rank: Int, isMember: Bool) {
        let number = Int(term >> 6)
        guard number < words.count else {
            guard words.count == 0 else { return (count, false) }
            let rank = listedRank(of: term)
            return (rank, rank < list.count && list[rank] == term)
        }
        let (word, bit) = (words[number], UInt64(1) &<< UInt64(term & 63))
        let first = rankLength == 1 ? number : number / rankLength
        var rank = Int(ranks[first]) + (word & (bit &- 1)).nonzeroBitCount
        for before in first * rankLength..<number { rank += words[before].nonzeroBitCount }
        return (min(rank, count), word & bit != 0 && rank < count)
    }

    private func listedRank(of term: TermID) -> Int {
        Bisection.end(from: 0, to: list.count) { list[$0] < term }
    }

    /// All terms, ascending where nothing is damaged.
    var all: [TermID] {
        guard words.count > 0 else { return (0..<list.count).map { list[$0] } }
        var terms: [TermID] = []
        for number in 0..<words.count {
            var word = words[number]
            while word != 0 {
                terms.append(TermID(number << 6 | word.trailingZeroBitCount))
                word &= word - 1
            }
        }
        return terms
    }
}

/// The terms of a new set.
struct TermSetContents {
    private let terms: [TermID]
    private var words: [UInt64] = []
    private var ranks: [UInt32] = []

    /// - Parameters:
    ///   - dictionary: how many terms there are at all.
    ///   - rankLength: words between two ranks.
    init(_ terms: [TermID], of dictionary: Int, rankLength: Int = TermSet.rankLength) {
        self.terms = terms
        // A number has 32 bits, and a bit for each term of the dictionary a little more than one.
        guard terms.count * 30 > dictionary else { return }
        words = [UInt64](repeating: 0, count: (dictionary + 63) / 64)
        for term in terms { words[Int(term >> 6)] |= 1 &<< UInt64(term & 63) }
        var rank: UInt32 = 0
        for number in words.indices {
            if number % rankLength == 0 { ranks.append(rank) }
            rank += UInt32(words[number].nonzeroBitCount)
        }
        ranks.append(rank)
    }

    /// Whether a set that was read has this very form.
    func isEqual(to set: TermSet) -> Bool {
        guard words.count == set.words.count, ranks.count == set.ranks.count else { return false }
        return words.indices.allSatisfy { words[$0] == set.words[$0] }
            && ranks.indices.allSatisfy { ranks[$0] == set.ranks[$0] }
    }

    func write(to writer: inout SectionWriter) {
        writer.number(words.isEmpty ? 0 : 1)
        guard !words.isEmpty else { return writer.array(terms) }
        writer.array(words)
        writer.array(ranks)
    }
}
