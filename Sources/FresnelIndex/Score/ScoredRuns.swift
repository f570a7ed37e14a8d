// Scores are made run by run, so that no more than a run of them is ever kept beside the hits that
// are picked. Where few hits are wanted, documents with the predicate that can contribute most come
// first, then those with the next that have none before, and so on: when what is left can no longer
// reach the score of the hits that are wanted, nothing that is left is scored.

/// Goes through the found documents of a segment with their scores.
struct ScoredRuns {
    private var matcher: SegmentMatcher
    private let terms: ScoringTerms
    private let weights: FieldWeights
    private let length: Int
    /// Documents that were not given out and are not in `stage`.
    private var rest: DocumentSet
    /// Documents at hand, which are given out in ascending order.
    private var stage: DocumentSet
    /// Where in `stage` the next run begins.
    private var start = 0
    /// Of the predicates, by what they can contribute, how many a document of `stage` and `rest`
    /// can have at most: so many of the weakest.
    private var reachable: Int
    /// Documents given out.
    private(set) var count = 0

    /// - Parameters:
    ///   - found: the documents.
    ///   - matcher: the matcher of their segment; what it knows already is used.
    ///   - isStaged: whether documents that can score more come first; pays where few are wanted.
    init(
        _ found: DocumentSet, _ terms: ScoringTerms, with matcher: SegmentMatcher, isStaged: Bool
    ) throws(SearchStop) {
        self.matcher = matcher
        self.terms = terms
        weights = FieldWeights(matcher.view)
        self.matcher.gathered = GatheredDocuments(whole: found)
        length = try self.matcher.runLength(forScoring: terms.comparisons)
        reachable = terms.comparisons.count
        let none = DocumentSet.none(of: found.documentCount)
        let isStaged = isStaged && reachable > 1
        stage = isStaged ? none : found
        rest = isStaged ? found : none
        if isStaged { reachable += 1 }
    }

    /// The next documents and their scores; nil at the end.
    ///
    /// - Parameter floor: documents that surely score less may be left out.
    mutating func next(
        above floor: Double?
    ) throws(SearchStop) -> (documents: [DocumentNumber], scores: [Double])? {
        while true {
            try matcher.control.check()
            if let floor, terms.bounds.greatestScore(ofWeakest: reachable) < floor { return nil }
            let documents = stage.documents(from: start, atMost: length)
            if let last = documents.last {
                start = Int(last) + 1
                count += documents.count
                return (documents, try matcher.scores(of: documents, by: terms, weights))
            }
            guard reachable > 0, !rest.isEmpty else { return nil }
            try beginStage(above: floor)
        }
    }

    /// Takes the documents with the strongest predicate that is left, and at last all others.
    private mutating func beginStage(above floor: Double?) throws(SearchStop) {
        reachable -= 1
        start = 0
        stage = .none(of: rest.documentCount)
        if let floor, terms.bounds.greatestScore(ofWeakest: reachable) < floor { return }
        swap(&stage, &rest)
        guard reachable > 0 else { return }
        let place = terms.bounds.predicate(ofRank: reachable - 1)
        let reach = try matcher.reach(ofComparison: terms.comparisons[place], in: stage)
        rest = stage
        stage.formIntersection(reach)
        rest.subtract(stage)
    }
}
