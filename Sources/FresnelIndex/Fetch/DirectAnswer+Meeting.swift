import FresnelModel
import FresnelSystem

// Several words at once, best first. Bounds of all documents that have the words are cheap; those
// with the greatest are scored, and then what is left whose bound reaches the score of the last
// that is wanted. The rest surely comes behind.

extension DirectAnswer {
    /// The first hits among the documents that have all words.
    func metWindow(
        _ met: MetWords, _ words: [Word], _ terms: ScoringTerms, _ source: FoundHits,
        _ order: SegmentOrder, _ matcher: SegmentMatcher, _ best: BestScores?
    ) throws(SearchStop) -> FoundHits.Window {
        let weights = FieldWeights(matcher.view)
        var scorer = MetScorer(met, words, terms.rarities, weights)
        let (count, length) = (met.documents.count, source.windowLength)
        let (picked, scores) = try scorer.first(
            length, floor: best?.floor, in: matcher.segment, matcher.control)
        var window = try window(
            picked.map { met.documents[$0] }, scores, source, order, count, matcher.control, best)
        // What was left out is behind hits of other segments, as many as are wanted.
        if window.hits.count < length { window.isLast = true }
        return window
    }
}
