// Counting asks less than matching. A word that is one term, in attributes that hold all of its
// occurrences, in a segment of which every document is visible, matches as many documents as the
// term has postings: one number of the dictionary.

extension SegmentMatcher {
    /// How many of `candidates` satisfy a comparison.
    mutating func count(
        comparison number: Int, in candidates: DocumentSet
    ) throws(SearchStop) -> Int {
        if let known = try postingCount(ofComparison: number, in: candidates) { return known }
        let found = try matches(comparison: number, in: candidates)
        counted[number] = found
        return found.count
    }

    /// The number of postings, where it is the number of matches.
    private mutating func postingCount(
        ofComparison number: Int, in candidates: DocumentSet
    ) throws(SearchStop) -> Int? {
        guard candidates.isAll, comparisons[number].isWord,
            let only = try onlyTerm(ofComparison: number, in: candidates), only.isWhole
        else { return nil }
        return only.documentCount
    }
}
