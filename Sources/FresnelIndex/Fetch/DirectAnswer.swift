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
    let plan: SearchPlan
    let terms: ScoringTerms?
    /// The only word of the query, once it is known to be one.
    private var only: SegmentMatcher.OnlyTerm?
    /// Whether `words` are spellings of the only word of the query.
    var areSpellings = false
    /// The words of the query, once it is known to be one of several.
    var words: [SegmentMatcher.OnlyTerm] = []
    /// The documents that have all of them, where all are asked for.
    private var met: MetWords?
    /// The documents that are visible and pass the filters.
    let candidates: DocumentSet
    /// Whether no segment follows that best scores would be of use to.
    private let isLast: Bool
    /// The documents that have both of two words, where one of them is asked for.
    private var both: MetWords?
    /// The documents with more than one of several words, ascending.
    var repeated: [DocumentNumber] = []

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
        guard only == nil else { return nil }
        return met.map { DocumentSet(.list($0.documents), of: candidates.documentCount) }
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
            if candidates.isAll, let entries = sortedEntries(of: number, in: matcher) {
                return entries.range.count
            }
            guard let word = try word(number, with: &matcher) else {
                return try countSpellings(number, with: &matcher)
            }
            guard candidates.isAll else {
                words = [word]
                return try meet(with: matcher)
            }
            only = word
            return word.documentCount
        case .or(let parts):
            guard candidates.isAll, let words = try words(parts, with: &matcher) else { return nil }
            self.words = words
            if words.count == 2, words[0].lists === words[1].lists {
                let both = try self.met(with: matcher)
                self.both = both
                return words[0].documentCount + words[1].documentCount - both.documents.count
            }
            return try unite(words, of: matcher)
        case .and(let parts):
            guard let words = try words(parts, with: &matcher),
                words.allSatisfy({ $0.lists === words[0].lists })
            else { return nil }
            self.words = words
            return try meet(with: matcher)
        case .not, .constant: return nil
        }
    }

    /// Finds the documents that have all words, and counts them.
    private mutating func meet(with matcher: SegmentMatcher) throws(SearchStop) -> Int {
        let met = try met(with: matcher)
        self.met = met
        return met.documents.count
    }

    private func met(with matcher: SegmentMatcher) throws(SearchStop) -> MetWords {
        try MetWords(
            words.map(\.list), of: words[0].lists, among: candidates, control: matcher.control)
    }

    /// The first hits; nil when they cannot be told apart from the others this way.
    func window(
        _ expression: PlannedExpression, _ source: FoundHits, _ count: Int,
        with matcher: inout SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        guard let order = source.order else { return nil }
        guard only == nil else {
            return try scoredWindow(source, order, count, with: &matcher, best)
        }
        if met == nil, case .comparison(let number) = expression,
            let entries = sortedEntries(of: number, in: matcher)
        {
            return sortedWindow(entries, order, source.windowLength)
        }
        if let met { return try metWindow(met, source, order, matcher, best) }
        if let both { return try unitedWindow(both, source, order, count, matcher, best) }
        return try scoredWindow(source, order, count, with: &matcher, best)
    }
}

extension DirectAnswer {
    typealias Word = SegmentMatcher.OnlyTerm

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

    private func scoredWindow(
        _ source: FoundHits, _ order: SegmentOrder, _ count: Int,
        with matcher: inout SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        guard let terms, source.windowLength <= SegmentFormat.bestPostingsCount else { return nil }
        let weights = FieldWeights(matcher.view)
        if let only {
            var selection = selection(source, order, best)
            let isCertain = try pick(
                only, terms.rarities[0], weights, source.windowLength, in: matcher,
                into: &selection)
            return isCertain ? try window(&selection, count, matcher.control) : nil
        }
        if areSpellings { return try spelledWindow(source, order, count, with: &matcher, best) }
        // Documents with several words, then word by word the best of each, the rarest first:
        // what is left has one of the other words alone.
        var candidates = repeated
        var scores: [Double] = []
        var floors = BestScores(limit: max(1, source.windowLength))
        for left in (0..<words.count).reversed() {
            let place = terms.bounds.predicate(ofRank: left)
            guard
                let best = try bestDocuments(
                    of: words[place], terms.rarities[place], weights, source.windowLength,
                    in: matcher)
            else { return nil }
            candidates = SortedNumbers.union(candidates, best.sorted())
            // Scoring twice pays only where the rest may be far behind, or costs nothing.
            let isSmall = candidates.count < CheckPace.interval / 16
            let enough = terms.rarities[place] * (isSmall ? 1 : 0.5)
            guard left > 0, Self.greatest(terms, ofWeakest: left) < enough else { continue }
            scores = try matcher.scores(of: candidates, by: terms, weights)
            floors = BestScores(limit: max(1, source.windowLength))
            for score in scores { floors.insert(score) }
            if let floor = floors.floor, Self.greatest(terms, ofWeakest: left) < floor { break }
            scores = []
        }
        if scores.isEmpty { scores = try matcher.scores(of: candidates, by: terms, weights) }
        return try window(candidates, scores, source, order, count, matcher.control, best)
    }

    /// The greatest score of a document that has one of the weakest words alone.
    private static func greatest(_ terms: ScoringTerms, ofWeakest count: Int) -> Double {
        (0..<count).map { terms.rarities[terms.bounds.predicate(ofRank: $0)] }.max() ?? 0
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
