import FresnelKernels

// One word in several spellings ("the", "The"): a document with one of them alone comes behind the
// best of that spelling, so that only those and the documents with several are scored.

extension DirectAnswer {
    /// The first hits of a word in several spellings: among the documents with more than one of
    /// them, and the best of each.
    func spelledWindow(
        _ words: [Word], _ repeated: [DocumentNumber], _ terms: ScoringTerms, _ source: FoundHits,
        _ order: SegmentOrder, _ count: Int, with matcher: inout SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        let weights = FieldWeights(matcher.view)
        var candidates = repeated
        for word in words {
            guard
                let leading = try bestDocuments(
                    of: word, terms.rarities[0], weights, source.windowLength, in: matcher)
            else { return nil }
            candidates = SortedNumbers.union(candidates, leading.sorted())
        }
        var selection = selection(source, order, best)
        let length = try matcher.runLength(forScoring: terms.comparisons)
        for start in stride(from: 0, to: candidates.count, by: length) {
            let run = Array(candidates[start..<min(candidates.count, start + length)])
            let scores = try matcher.scores(of: run, by: terms, weights)
            try selection.insert(run, scores: scores, control: matcher.control)
        }
        return try window(&selection, count, matcher.control)
    }

    /// How many documents have any of some words, and which have more than one.
    func union(
        _ words: [Word], of matcher: SegmentMatcher
    ) throws(SearchStop) -> (count: Int, repeated: [DocumentNumber]) {
        var any = Bitset(count: matcher.documentCount)
        var repeated = Bitset(count: matcher.documentCount)
        var pace = CheckPace(matcher.control)
        for word in words {
            try word.lists.insertDocuments(
                of: word.term, into: &any, repeated: &repeated, &pace)
        }
        var list: [DocumentNumber] = []
        repeated.append(to: &list)
        return (any.population, list)
    }
}
