import FresnelKernels

// One word in several spellings ("the", "The"): a document with one of them alone comes behind the
// best of that spelling, so that only those and the documents with several are scored.

extension DirectAnswer {
    /// Counts the documents with any spelling of a word.
    mutating func countSpellings(
        _ number: Int, with matcher: inout SegmentMatcher
    ) throws(SearchStop) -> Int? {
        guard candidates.isAll, isAsked(number, of: matcher),
            let spellings = try matcher.spellings(ofComparison: number)
        else { return nil }
        words = spellings
        areSpellings = true
        return try unite(words, of: matcher)
    }

    /// The first hits of a word in several spellings: among the documents with more than one of
    /// them, and the best of each.
    func spelledWindow(
        _ source: FoundHits, _ order: SegmentOrder, _ count: Int,
        with matcher: inout SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window? {
        guard let terms else { return nil }
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

    /// Counts the documents with any of some words, and finds those with more than one.
    mutating func unite(
        _ words: [Word], of matcher: SegmentMatcher
    ) throws(SearchStop) -> Int {
        let union = try Self.union(words, of: matcher)
        repeated = union.repeated
        return union.count
    }

    /// The documents with any of the words, and those with more than one.
    private static func union(
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
