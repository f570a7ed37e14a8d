import FresnelModel

/// Upper bounds of the scores of documents that have all words.
struct ScoreCeilings {
    /// One for each document.
    let bounds: [Double]

    /// Nil where nothing is known of any word.
    init?(
        _ met: MetWords, _ words: [SegmentMatcher.OnlyTerm], _ rarities: [Double],
        _ weights: FieldWeights, in segment: Segment
    ) {
        guard let impacts = segment.impacts, words[0].lists === segment.postings,
            weights.agrees(with: impacts.constants)
        else { return nil }
        var bounds = met.documents.map { _ in 0.0 }
        var isKnown = false
        // As scores are made: predicate by predicate, in query order.
        for (word, only) in words.enumerated() {
            let rarity = rarities[word]
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
