import FresnelKernels
import FresnelModel
import FresnelQuery

// Four kinds of query say how many documents they find, and which come first, without a look at
// most of them:
//
// * a range of the numbers that the answer is sorted by: both are read off the sorted numbers;
// * one word, best first: the dictionary counts it, and the best documents of frequent words are
//   in the segment (`BestPostings`), also of each spelling of a word that has several;
// * one word of several, best first: a document with one of the words alone comes behind the best
//   of that word, so that only those and the documents with several of the words are scored; of two
//   words, only those of the latter whose bounds reach what the others have;
// * several words at once: their lists are met, and of what they share only those documents are
//   scored whose bounds reach the score of the hits (`Impacts`).
//
// Only where no page or facet asks for more, and, but for words that must all be there, only where
// every document of the segment is visible and no filter excludes any; whatever else goes the
// general way, which gives the same answer.

/// Answers queries without gathering what they find.
///
/// Not to be copied: it has many references.
struct DirectAnswer: ~Copyable {
    typealias Word = SegmentMatcher.OnlyTerm

    /// What a query was found to be; `repeated` are the documents with more than one of its words,
    /// ascending.
    private enum Kind {
        /// A range of the numbers that the answer is sorted by.
        case range(Entries)
        case word(Word)
        /// One word in several spellings.
        case spellings([Word], repeated: [DocumentNumber])
        /// One of two words, and the documents that have both.
        case either([Word], both: MetWords)
        /// One of several words.
        case any([Word], repeated: [DocumentNumber])
        /// All of some words, and the documents that have them.
        case all([Word], MetWords)
    }

    let plan: SearchPlan
    let terms: ScoringTerms?
    /// The documents that are visible and pass the filters.
    let candidates: DocumentSet
    /// Whether no segment follows that best scores would be of use to.
    private let isLast: Bool
    /// Known once documents were counted.
    private var kind: Kind?

    init(
        _ plan: SearchPlan, _ terms: ScoringTerms?, in candidates: DocumentSet, isLast: Bool
    ) {
        self.plan = plan
        self.terms = terms
        self.candidates = candidates
        self.isLast = isLast
    }

    /// What was found, where it was gathered; asked after `count`.
    var gathered: DocumentSet? {
        guard case .all(_, let met) = kind else { return nil }
        return DocumentSet(.list(met.documents), of: candidates.documentCount)
    }

    /// Whether a plan asks for nothing that needs all found documents.
    static func isPossible(for plan: SearchPlan) -> Bool {
        plan.isOrdered && plan.page == nil && plan.facets.isEmpty && plan.order.count == 1
    }

    /// How many documents match; nil when the query is of another kind.
    ///
    /// Asked before `window`.
    mutating func count(
        _ expression: PlannedExpression, with matcher: inout SegmentMatcher
    ) throws(SearchStop) -> Int? {
        switch expression {
        case .comparison(let number):
            return try count(number, with: &matcher)
        case .or(let parts):
            guard candidates.isAll, let words = try words(parts, with: &matcher) else { return nil }
            guard words.count == 2, words[0].lists === words[1].lists else {
                let union = try union(words, of: matcher)
                kind = .any(words, repeated: union.repeated)
                return union.count
            }
            let both = try meet(words, with: matcher)
            kind = .either(words, both: both)
            return words[0].documentCount + words[1].documentCount - both.documents.count
        case .and(let parts):
            guard let words = try words(parts, with: &matcher),
                words.allSatisfy({ $0.lists === words[0].lists })
            else { return nil }
            let met = try meet(words, with: matcher)
            kind = .all(words, met)
            return met.documents.count
        case .not, .constant: return nil
        }
    }

    /// How many documents match one comparison.
    private mutating func count(
        _ number: Int, with matcher: inout SegmentMatcher
    ) throws(SearchStop) -> Int? {
        if candidates.isAll, let entries = sortedEntries(of: number, in: matcher) {
            kind = .range(entries)
            return entries.range.count
        }
        if let word = try word(number, with: &matcher) {
            if candidates.isAll {
                kind = .word(word)
                return word.documentCount
            }
            let met = try meet([word], with: matcher)
            kind = .all([word], met)
            return met.documents.count
        }
        guard candidates.isAll, isAsked(number, of: matcher),
            let spellings = try matcher.spellings(ofComparison: number)
        else { return nil }
        let union = try union(spellings, of: matcher)
        kind = .spellings(spellings, repeated: union.repeated)
        return union.count
    }

    /// The documents that have all words.
    private func meet(
        _ words: [Word], with matcher: SegmentMatcher
    ) throws(SearchStop) -> MetWords {
        try MetWords(
            words.map(\.list), of: words[0].lists, among: candidates, control: matcher.control)
    }

    /// The first hits; nil when they cannot be told apart from the others this way.
    ///
    /// Asked after `count`.
    func window(
        _ source: FoundHits, _ count: Int, with matcher: inout SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        guard let kind, let order = source.order else { return nil }
        if case .range(let entries) = kind {
            return sortedWindow(entries, order, source.windowLength)
        }
        guard let terms else { return nil }
        if case .all(let words, let met) = kind {
            return try metWindow(met, words, terms, source, order, matcher, best)
        }
        guard source.windowLength <= SegmentFormat.bestPostingsCount else { return nil }
        switch kind {
        case .range, .all: return nil
        case .word(let word):
            return try wordWindow(word, terms, source, order, count, with: matcher, best)
        case .spellings(let words, let repeated):
            return try spelledWindow(
                words, repeated, terms, source, order, count, with: &matcher, best)
        case .either(let words, let both):
            return try unitedWindow(both, words, terms, source, order, count, matcher, best)
        case .any(let words, let repeated):
            return try anyWindow(words, repeated, terms, source, order, count, with: &matcher, best)
        }
    }
}

extension DirectAnswer {
    /// The term of a comparison that scores and that one term decides.
    private func word(
        _ number: Int, with matcher: inout SegmentMatcher
    ) throws(SearchStop) -> Word? {
        guard isAsked(number, of: matcher),
            let word = try matcher.onlyTerm(
                ofComparison: number, in: .all(of: matcher.documentCount)), word.isWhole
        else { return nil }
        return word
    }

    /// Whether a comparison is a word, and scores where scores are asked for.
    func isAsked(_ number: Int, of matcher: SegmentMatcher) -> Bool {
        matcher.comparisons[number].isWord
            && (plan.isCountOnly
                || plan.order[0].isRelevance && terms?.comparisons.contains(number) ?? false)
    }

    /// The terms of a disjunction of words, each once.
    private func words(
        _ parts: [PlannedExpression], with matcher: inout SegmentMatcher
    ) throws(SearchStop) -> [Word]? {
        var words: [Word] = []
        words.reserveCapacity(parts.count)
        for part in parts {
            guard case .comparison(let number) = part,
                let word = try word(number, with: &matcher),
                !words.contains(where: { $0.term == word.term })
            else { return nil }
            words.append(word)
        }
        return words.count > 1 && (plan.isCountOnly || words.count == terms?.comparisons.count)
            ? words : nil
    }

    /// The first hits of one word.
    private func wordWindow(
        _ word: Word, _ terms: ScoringTerms, _ source: FoundHits, _ order: SegmentOrder,
        _ count: Int, with matcher: SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        var selection = selection(source, order, best)
        let isCertain = try pick(
            word, terms.rarities[0], FieldWeights(matcher.view), source.windowLength, in: matcher,
            into: &selection)
        return isCertain ? try window(&selection, count, matcher.control) : nil
    }

    /// The first of some documents with their scores, among which the first hits are.
    func window(
        _ candidates: [DocumentNumber], _ scores: [Double], _ source: FoundHits,
        _ order: SegmentOrder, _ count: Int, _ control: SearchControl, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window {
        var selection = selection(source, order, best)
        try selection.insert(candidates, scores: scores, control: control)
        return try window(&selection, count, control)
    }

    func selection(
        _ source: FoundHits, _ order: SegmentOrder, _ best: BestScores?
    ) -> SegmentSelection {
        let scope = SegmentSelection.Scope(limit: source.windowLength)
        return SegmentSelection(order, scope: scope, best: isLast ? nil : best)
    }

    func window(
        _ selection: inout SegmentSelection, _ count: Int, _ control: SearchControl
    ) throws(SearchStop) -> FoundHits.Window {
        let hits = try selection.hits(control: control)
        return FoundHits.Window(
            hits: hits, isLast: hits.count == count, beyond: count, scored: selection.beyond,
            best: isLast ? nil : selection.best)
    }

    /// What the segment keeps of a word's best documents, if it is certain that they are the best.
    func certainBest(
        of word: Word, _ rarity: Double, _ weights: FieldWeights, in matcher: SegmentMatcher
    ) -> BestPostings.Ranking? {
        guard let best = matcher.segment.bestPostings, best.agrees(with: weights),
            let entry = best.ranking(of: word.term), entry.isCertain(rarity: rarity)
        else { return nil }
        return entry
    }

    /// The best documents of a word, at least as many as a window has, or all; nil when it is not
    /// certain that they are the best.
    func bestDocuments(
        of word: Word, _ rarity: Double, _ weights: FieldWeights, _ length: Int,
        in matcher: SegmentMatcher
    ) throws(SearchStop) -> [DocumentNumber]? {
        guard word.documentCount > SegmentFormat.bestPostingsDocuments else {
            var documents: [DocumentNumber] = []
            var pace = CheckPace(matcher.control)
            try word.lists.appendDocuments(of: word.list, to: &documents, &pace)
            return documents
        }
        guard let entry = certainBest(of: word, rarity, weights, in: matcher) else { return nil }
        return Array(entry.documents[..<entry.leading(length, rarity: rarity)])
    }

    /// Picks among the same by what the word alone scores in them; false when it is not certain
    /// that they are the best.
    private func pick(
        _ word: Word, _ rarity: Double, _ weights: FieldWeights, _ length: Int,
        in matcher: SegmentMatcher, into selection: inout SegmentSelection
    ) throws(SearchStop) -> Bool {
        guard word.documentCount > SegmentFormat.bestPostingsDocuments else {
            try word.forEachScore(rarity: rarity, weights, matcher.control) { document, score in
                selection.insert(document, score: score)
            }
            return true
        }
        guard let entry = certainBest(of: word, rarity, weights, in: matcher) else { return false }
        for place in 0..<entry.leading(length, rarity: rarity) {
            let score = Relevance.score(
                rarity: rarity, weightedOccurrences: entry.sums[place])
            selection.insert(entry.documents[place], score: score)
        }
        return true
    }
}
