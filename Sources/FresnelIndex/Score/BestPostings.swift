import FresnelKernels
import FresnelModel
import FresnelSystem

// One frequent word, best first, is the query people type most. What its score depends on beside
// the query is the weighted occurrences of each document, which are constants of document and
// program; so the documents with most of them are found once, when the segment is written.
// Documents with equally many stand by identifier, as answers do.
//
// Scores are rounded, and the answer is ordered by the rounded score: two documents with different
// weighted occurrences may have equal scores. `rest` and `next` tell whether that can happen beyond
// those that are kept: see `BestPostings.Ranking.isCertain`.

/// The best documents of the terms that many documents have.
struct BestPostings: Sendable {
    /// Those terms, ascending.
    let terms: PackedArray<UInt32>
    /// Where the documents of each term begin, and where the last end.
    let offsets: PackedArray<UInt32>
    /// By (weighted occurrences, greatest first; place of the identifier).
    let documents: PackedArray<UInt32>
    /// The weighted occurrences of each of `documents`; with `codes` the different ones, ascending.
    let sums: PackedArray<Double>
    /// The place in `sums` of each of `documents`; nil where they stand there one by one.
    let codes: PackedArray<UInt16>?
    /// The greatest weighted occurrences among the documents that are not kept.
    let rests: PackedArray<Double>
    /// The greatest of those below `rests`, 0 for none.
    let nexts: PackedArray<Double>
    /// Weight and reference length of each attribute that the order was made with; 0 for
    /// attributes that take no part in it.
    let constants: PackedArray<Double>

    /// The best of one term.
    struct Ranking {
        let documents: [DocumentNumber]
        let sums: [Double]
        let rest: Double
        let next: Double

        /// Whether a document that is not kept comes behind all that are, in the answer to the word
        /// alone.
        ///
        /// It has `rest` or at most `next`. With `rest` it has the identifier behind those of the
        /// kept ones with the same; all others have different scores, unless rounding makes them
        /// equal, which is looked for here. Contributions never fall where weights grow.
        func isCertain(rarity: Double) -> Bool {
            let score = { (sum: Double) in
                Relevance.contribution(rarity: rarity, weightedOccurrences: sum)
            }
            let least = sums.last { $0 > rest } ?? .infinity
            return score(next) < score(rest) && (least == .infinity || score(least) > score(rest))
        }

        /// How many of the kept, from the first, surely hold the first `count` hits of the word
        /// alone, and come before all others: up to where the score falls.
        func leading(_ count: Int, rarity: Double) -> Int {
            guard count < sums.count, count > 0 else { return sums.count }
            let score = { (sum: Double) in
                Relevance.contribution(rarity: rarity, weightedOccurrences: sum)
            }
            let last = score(sums[count - 1])
            return (count..<sums.count).first { score(sums[$0]) < last } ?? sums.count
        }
    }

    /// The best documents of a term; nil when they are not known.
    func ranking(of term: TermID) -> Ranking? {
        let terms = terms.span
        let entry = Bisection.end(from: 0, to: terms.count) { terms[$0] < term }
        guard entry < terms.count, terms[entry] == term else { return nil }
        let range = offsets.range(entry, limit: documents.count)
        let documents = documents.span.extracting(range)
        let kept = [DocumentNumber](capacity: range.count) { kept in
            for place in documents.indices { kept.append(documents[place]) }
        }
        return Ranking(documents: kept, sums: sums(range), rest: rests[entry], next: nexts[entry])
    }

    /// The weighted occurrences of some of `documents`, in one pass over the memory.
    private func sums(_ range: Range<Int>) -> [Double] {
        let sums = sums.span
        return [Double](capacity: range.count) { found in
            guard let codes = codes else {
                for place in range { found.append(sums[place]) }
                return
            }
            let places = codes.span.extracting(range)
            for place in places.indices {
                let code = Int(places[place])
                found.append(code < sums.count ? sums[code] : 0)
            }
        }
    }

    /// The weighted occurrences of one of `documents`; 0 where its code is damaged.
    func sum(_ place: Int) -> Double {
        guard let codes else { return sums[place] }
        let code = Int(codes[place])
        return code < sums.count ? sums[code] : 0
    }

    /// Whether the order was made with the weights that a search uses.
    func agrees(with weights: FieldWeights) -> Bool { weights.agrees(with: constants) }
}

extension BestPostings {
    /// The table of a segment; nil when it has none.
    init?(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        let isCoded = table.bytes(of: Section(.codedBest)) != nil
        let section = Section(isCoded ? .codedBest : .bestPostings)
        guard table.bytes(of: section) != nil else { return nil }
        var reader = try table.reader(of: section)
        let count = try reader.count(limit: counts.terms)
        let length = try reader.count()
        terms = try reader.array(count: count)
        offsets = try reader.array(count: count + 1)
        documents = try reader.array(count: length)
        let sumCount = isCoded ? try reader.count(limit: length) : length
        sums = try reader.array(count: sumCount)
        codes = isCoded ? try reader.array(count: length) : nil
        rests = try reader.array(count: count)
        nexts = try reader.array(count: count)
        constants = try reader.array(count: 2 * counts.attributes)
        try reader.requireEnd()
    }
}

/// The best documents of the terms of a new segment.
struct BestPostingsContents {
    private(set) var terms: [UInt32] = []
    private(set) var offsets: [UInt32] = [0]
    private(set) var documents: [UInt32] = []
    private(set) var sums: [Double] = []
    private(set) var rests: [Double] = []
    private(set) var nexts: [Double] = []

    /// Adds the best documents of the next term.
    ///
    /// - Parameters:
    ///   - all: its documents.
    ///   - weights: the weighted occurrences of each.
    ///   - ranks: the place of each document's identifier.
    mutating func append(
        _ term: TermID, _ all: [DocumentNumber], _ weights: [Double],
        _ ranks: PackedArray<UInt32>
    ) {
        var entries: [(sum: Double, rank: UInt32, document: UInt32)] = []
        var least = -Double.infinity
        // What cannot be among the best is dropped whenever twice as many have gathered.
        let kept = SegmentFormat.bestPostingsCount
        var (rest, next) = (-Double.infinity, -Double.infinity)
        func drop(_ sum: Double) {
            if sum > rest {
                next = rest
                rest = sum
            } else if sum < rest, sum > next {
                next = sum
            }
        }
        func shrink() {
            entries.sort { ($1.sum, $0.rank) < ($0.sum, $1.rank) }
            for entry in entries.dropFirst(kept) { drop(entry.sum) }
            entries.removeLast(max(0, entries.count - kept))
            least = entries.last?.sum ?? least
        }
        for (document, sum) in zip(all, weights) {
            if sum < least {
                drop(sum)
            } else {
                entries.append((sum, ranks[Int(document)], document))
                if entries.count > 8 * kept { shrink() }
            }
        }
        shrink()
        terms.append(term)
        documents.append(contentsOf: entries.map(\.document))
        offsets.append(UInt32(documents.count))
        sums.append(contentsOf: entries.map(\.sum))
        rests.append(max(0, rest))
        nexts.append(max(0, next))
    }
}
