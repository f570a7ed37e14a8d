import FresnelModel
import FresnelSystem

// Several words at once, best first. Bounds of all documents that have the words are cheap; those
// with the greatest are scored, and then what is left whose bound reaches the score of the last
// that is wanted. The rest surely comes behind.

extension DirectAnswer {
    /// The first hits among the documents that have all words.
    func metWindow(
        _ met: MetWords, _ source: FoundHits, _ order: SegmentOrder, _ matcher: SegmentMatcher,
        _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        guard let terms else { return nil }
        let weights = FieldWeights(matcher.view)
        var scorer = MetScorer(met, words, terms, weights)
        let count = met.documents.count
        let length = source.windowLength
        var picked = Array(0..<count)
        var scores: [Double] = []
        if count > 2 * length,
            let bounds = ScoreCeilings(met, words, terms, weights, in: matcher.segment)?.bounds
        {
            try matcher.control.check()
            (picked, scores) = try scorer.reaching(
                bounds, first: length, floor: best?.floor, matcher.control)
        } else {
            scores = try scorer.scores(of: picked, matcher.control)
        }
        var window = try window(
            picked.map { met.documents[$0] }, scores, source, order, count, matcher.control, best)
        // What was left out is behind hits of other segments, as many as are wanted.
        if window.hits.count < length { window.isLast = true }
        return window
    }
}

/// Upper bounds of the scores of documents that have all words.
private struct ScoreCeilings {
    /// One for each document.
    let bounds: [Double]

    /// Nil where nothing is known of any word.
    init?(
        _ met: MetWords, _ words: [SegmentMatcher.OnlyTerm], _ terms: ScoringTerms,
        _ weights: FieldWeights, in segment: Segment
    ) {
        guard let impacts = segment.impacts, words[0].lists === segment.postings,
            weights.agrees(with: impacts.constants)
        else { return nil }
        var bounds = [Double](repeating: 0, count: met.documents.count)
        var isKnown = false
        // As scores are made: predicate by predicate, in query order.
        for (word, only) in words.enumerated() {
            let rarity = terms.rarities[word]
            let count = only.documentCount
            guard let codes = impacts.codes(of: only.term, documentCount: count) else {
                for place in bounds.indices { bounds[place] += rarity }
                continue
            }
            isKnown = true
            impacts.add(codes, rarity: rarity, met.places[word], to: &bounds)
        }
        guard isKnown else { return nil }
        self.bounds = bounds
    }
}

/// Scores documents by their places in the words' lists.
private struct MetScorer {
    private let met: MetWords
    private let words: [SegmentMatcher.OnlyTerm]
    private let rarities: [Double]
    private let weights: FieldWeights

    init(
        _ met: MetWords, _ words: [SegmentMatcher.OnlyTerm], _ terms: ScoringTerms,
        _ weights: FieldWeights
    ) {
        self.met = met
        self.words = words
        rarities = terms.rarities
        self.weights = weights
    }

    /// The scores of some of the documents, given ascending; predicates add up in query order.
    mutating func scores(
        of picked: [Int], _ control: SearchControl
    ) throws(SearchStop) -> [Double] {
        var scores = [Double](repeating: 0, count: picked.count)
        var pace = CheckPace(control)
        for (word, only) in words.enumerated() {
            let rarity = rarities[word]
            var places = PostingPlaces(only.lists, only.term)
            for (place, number) in picked.enumerated() {
                try pace.step()
                let sum = places.weightedOccurrences(
                    at: Int(met.places[word][number]), of: met.documents[number], in: only.filter,
                    weights)
                guard sum > 0 else { continue }
                scores[place] += Relevance.contribution(rarity: rarity, weightedOccurrences: sum)
            }
        }
        return scores
    }

    /// The documents that can be among the first so many, ascending, with their scores.
    ///
    /// - Parameters:
    ///   - bounds: an upper bound of each document's score.
    ///   - floor: the least score that is wanted, as far as other segments tell.
    mutating func reaching(
        _ bounds: [Double], first length: Int, floor: Double?, _ control: SearchControl
    ) throws(SearchStop) -> (picked: [Int], scores: [Double]) {
        var greatest = BestScores(limit: max(1, length + length / 2))
        for bound in bounds { greatest.insert(bound) }
        let start = max(greatest.floor ?? 0, floor ?? 0)
        // Those with the very bound may be many: as few as make the number full.
        var left = max(1, length + length / 2)
        for bound in bounds where bound > start { left -= 1 }
        var first: [Int] = []
        var isPicked = [Bool](repeating: false, count: bounds.count)
        for place in bounds.indices where bounds[place] >= start {
            if bounds[place] == start {
                guard left > 0 else { continue }
                left -= 1
            }
            first.append(place)
            isPicked[place] = true
        }
        try control.check()
        let scores = try scores(of: first, control)
        var best = BestScores(limit: max(1, length))
        for score in scores { best.insert(score) }
        let least = max(best.floor ?? 0, floor ?? 0)
        let others = bounds.indices.filter { !isPicked[$0] && bounds[$0] >= least }
        guard !others.isEmpty else { return (first, scores) }
        let rest = try self.scores(of: others, control)
        let all = zip(first + others, scores + rest).sorted { $0.0 < $1.0 }
        return (all.map(\.0), all.map(\.1))
    }
}
