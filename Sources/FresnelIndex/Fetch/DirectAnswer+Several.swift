// One of several words, best first: documents with several of them, then word by word the best of
// each, the rarest first, until what is left has one of the other words alone and is surely behind.

extension DirectAnswer {
    /// The first hits of one of several words.
    func anyWindow(
        _ words: [Word], _ repeated: [DocumentNumber], _ terms: ScoringTerms, _ source: FoundHits,
        _ order: SegmentOrder, _ count: Int, with matcher: inout SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        let weights = FieldWeights(matcher.view)
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
}
