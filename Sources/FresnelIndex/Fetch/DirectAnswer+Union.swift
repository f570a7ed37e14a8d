import FresnelModel
import FresnelSystem

// One of two words, best first. Documents with both are met, as if both were asked for; so the
// count is the sum of both lists less those. Whoever has one word alone scores what that word
// gives, and the best of those are in the segment, or in a short list. The best of each kind set a
// floor, below whose bounds nothing is scored.

extension DirectAnswer {
    /// The first hits among the documents that have one of two words or both; nil when they cannot
    /// be told apart from the others this way.
    ///
    /// - Parameter both: the documents that have both words.
    func unitedWindow(
        _ both: MetWords, _ words: [Word], _ terms: ScoringTerms, _ source: FoundHits,
        _ order: SegmentOrder, _ count: Int, _ matcher: SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        let weights = FieldWeights(matcher.view)
        var first = FirstScores(length: source.windowLength, floor: best?.floor)
        // What is known of frequent words costs nothing and sets a floor for the rest.
        for (word, only) in words.enumerated()
        where only.documentCount > SegmentFormat.bestPostingsDocuments {
            let rarity = terms.rarities[word]
            guard let entry = certainBest(of: only, rarity, weights, in: matcher) else {
                return nil
            }
            for place in 0..<entry.leading(source.windowLength, rarity: rarity)
            where !both.contains(entry.documents[place]) {
                let sum = entry.sums[place]
                first.insert(
                    entry.documents[place],
                    Relevance.score(rarity: rarity, weightedOccurrences: sum))
            }
        }
        let scorer = MetScorer(both, words, terms.rarities, weights)
        try first.insert(both, scorer, in: matcher.segment, matcher.control)
        for (word, only) in words.enumerated()
        where only.documentCount <= SegmentFormat.bestPostingsDocuments {
            let rarity = terms.rarities[word]
            if let floor = first.floor, rarity < floor { continue }
            let alone = try MetWords(
                only.list, of: only.lists, without: both.documents, control: matcher.control)
            let scorer = MetScorer(alone, [only], [rarity], weights)
            try first.insert(alone, scorer, in: matcher.segment, matcher.control)
        }
        first.dropOthers()
        var window = try window(
            first.documents, first.scores, source, order, count, matcher.control, best)
        // As of documents that have all words.
        if window.hits.count < source.windowLength { window.isLast = true }
        return window
    }
}

/// Documents among which the first hits are, as they are found.
private struct FirstScores {
    private(set) var documents: [DocumentNumber] = []
    private(set) var scores: [Double] = []
    private let length: Int
    /// The least score that is wanted, as far as other segments tell.
    private let outer: Double?
    private var best: BestScores

    /// What mostly is enough for ten hits.
    private static let room = 64

    init(length: Int, floor: Double?) {
        self.length = length
        outer = floor
        best = BestScores(limit: max(1, length))
        documents.reserveCapacity(Self.room)
        scores.reserveCapacity(Self.room)
    }

    /// The least score that is wanted.
    var floor: Double? { best.floor(atLeast: outer) }

    /// Adds a document, which comes once.
    mutating func insert(_ document: DocumentNumber, _ score: Double) {
        documents.append(document)
        scores.append(score)
        best.insert(score)
    }

    /// Leaves out what was added before the floor rose above its score.
    mutating func dropOthers() {
        guard let floor else { return }
        var kept = 0
        for place in documents.indices where scores[place] >= floor {
            (documents[kept], scores[kept]) = (documents[place], scores[place])
            kept += 1
        }
        documents.removeLast(documents.count - kept)
        scores.removeLast(scores.count - kept)
    }

    /// Adds those of some documents whose scores may reach the floor; none of them was added.
    mutating func insert(
        _ met: MetWords, _ scorer: MetScorer, in segment: Segment, _ control: SearchControl
    ) throws(SearchStop) {
        var scorer = scorer
        let found = try scorer.first(length, floor: floor, in: segment, control)
        for (number, score) in zip(found.picked, found.scores) {
            insert(met.documents[number], score)
        }
    }
}
