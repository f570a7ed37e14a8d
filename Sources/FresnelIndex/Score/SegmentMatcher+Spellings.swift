import FresnelKernels
import FresnelModel
import FresnelText

// In a text with capitals a word is several terms ("the", "The"), each with a list of its own. What
// they add to a score is counted together, attribute by attribute, and weighted then: the same sum,
// in the same order, that single occurrences would give that are gathered and sorted.

extension SegmentMatcher {
    /// Adds what a word of several terms adds to the scores of documents; false, and nothing added,
    /// where something beside its terms may decide.
    ///
    /// - Parameters:
    ///   - documents: ascending.
    ///   - found: the same as a set.
    mutating func addSpellings(
        ofComparison number: Int, to scores: inout [Double], of documents: [DocumentNumber],
        _ found: DocumentSet, _ weights: FieldWeights, _ rarity: Double
    ) throws(SearchStop) -> Bool {
        guard let token = comparisons[number].word,
            try isDecided(byTokensOf: comparisons[number], token, in: found)
        else { return false }
        let terms = try terms(
            of: token, MatchMemory.Pattern(comparison: number, reading: .ordinary))
        let filter = covered[number].filter
        let lists = segment.lists(for: filter)
        var pace = CheckPace(control)
        guard
            var counts = try SpellingCounts(
                terms, of: lists, in: filter, count: documents.count, &pace)
        else { return false }
        for lists in lists {
            for term in terms {
                try pace.step(16)
                guard filter.mayMeet(lists.attributeMask(of: term)) else { continue }
                try counts.add(lists.cursor(for: term), documents, &pace)
            }
        }
        counts.addScores(of: documents, weights, rarity, to: &scores)
        return true
    }

    /// The terms that decide a comparison together, in attributes that have all their occurrences;
    /// nil for one term, for many, and where something beside them may decide.
    mutating func spellings(
        ofComparison number: Int
    ) throws(SearchStop) -> [OnlyTerm]? {
        let plan = comparisons[number]
        let filter = covered[number].filter
        guard let token = plan.word, let lists = segment.onlyLists(for: filter),
            try isDecided(byTokensOf: plan, token, in: .all(of: documentCount))
        else { return nil }
        let terms = try terms(
            of: token, MatchMemory.Pattern(comparison: number, reading: .ordinary))
        guard 2...Self.spellingLimit ~= terms.count else { return nil }
        let words = terms.compactMap { OnlyTerm.find($0, filter, in: lists) }
        return words.count > 1 && words.allSatisfy(\.isWhole) ? words : nil
    }

    /// The most terms that count as spellings; a beginning of a word may have as few.
    private static let spellingLimit = 8

    /// Whether no document of some matches a word that none of its tokens does.
    mutating func isDecided(
        byTokensOf plan: ComparisonPlan, _ token: TokenPlan, in found: DocumentSet
    ) throws(SearchStop) -> Bool {
        guard plan.hasIrregularTexts else { return true }
        return try irregular(touchedBy: token.literalKey.map { [$0] }, in: found).isEmpty
    }
}

/// How often a word occurs in each attribute of some documents.
private struct SpellingCounts {
    /// The attributes in which it may, ascending.
    private let attributes: [AttributeOrdinal]
    /// The place of each attribute among them.
    private var places: [Int]
    /// For each document so many counts as there are attributes.
    private var counts: [UInt32]

    /// Counts that are kept for one look at a run of documents.
    private static let limit = 1 << 18

    /// Nil where they would be too many, or attributes are not told apart.
    init?(
        _ terms: [TermID], of lists: [PostingLists], in filter: AttributeFilter, count: Int,
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        var mask: UInt64 = 0
        for lists in lists {
            for term in terms {
                try pace.step()
                mask |= lists.attributeMask(of: term)
            }
        }
        guard mask & AttributeFilter.sharedBit == 0 else { return nil }
        attributes = (0..<63).filter { mask >> UInt64($0) & 1 == 1 && filter.contains($0) }
        guard count * attributes.count <= Self.limit else { return nil }
        places = [Int](repeating: -1, count: 64)
        for (place, attribute) in attributes.enumerated() { places[Int(attribute)] = place }
        counts = [UInt32](repeating: 0, count: count * attributes.count)
    }

    /// Adds the occurrences of a term.
    mutating func add(
        _ list: PostingCursor, _ documents: [DocumentNumber], _ pace: inout CheckPace
    ) throws(SearchStop) {
        var cursor = list
        var position = 0
        while position < documents.count, !cursor.isAtEnd {
            try pace.step()
            let document = cursor.documentNumber
            if documents[position] < document {
                position = SortedNumbers.lowerBound(
                    of: document, in: documents.span, from: position)
            } else if documents[position] > document {
                cursor.seek(to: documents[position])
            } else {
                cursor.forEachOccurrence { occurrence in
                    let place = places[Int(occurrence.attribute & 63)]
                    guard place >= 0 else { return }
                    counts[position * attributes.count + place] &+= 1
                }
                position += 1
                cursor.advance()
            }
        }
    }

    /// Adds what the counts are worth.
    func addScores(
        of documents: [DocumentNumber], _ weights: FieldWeights, _ rarity: Double,
        to scores: inout [Double]
    ) {
        for (position, document) in documents.enumerated() {
            var sum = 0.0
            for (place, attribute) in attributes.enumerated() {
                let count = Int(counts[position * attributes.count + place])
                if count > 0 { sum += weights.weighted(count, in: attribute, of: document) }
            }
            guard sum > 0 else { continue }
            scores[position] += Relevance.contribution(rarity: rarity, weightedOccurrences: sum)
        }
    }
}
