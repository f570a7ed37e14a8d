import FresnelModel
import FresnelSystem

/// Scores documents by their places in the words' lists.
struct MetScorer {
    private let met: MetWords
    private let words: [SegmentMatcher.OnlyTerm]
    private let rarities: [Double]
    private let weights: FieldWeights

    /// - Parameter rarities: how much each word tells, in query order.
    init(
        _ met: MetWords, _ words: [SegmentMatcher.OnlyTerm], _ rarities: [Double],
        _ weights: FieldWeights
    ) {
        self.met = met
        self.words = words
        self.rarities = rarities
        self.weights = weights
    }

    /// Those of the documents that can be among the first so many, in any order, with their scores.
    ///
    /// - Parameter floor: the least score that is wanted, as far as it is known.
    mutating func first(
        _ length: Int, floor: Double?, in segment: Segment, _ control: SearchControl
    ) throws(SearchStop) -> (picked: [Int], scores: [Double]) {
        let count = met.documents.count
        if count > 2 * length || floor != nil && count > 0,
            let bounds = ScoreCeilings(met, words, rarities, weights, in: segment)?.bounds
        {
            try control.check()
            return try reaching(bounds, first: length, floor: floor, control)
        }
        let picked = Array(0..<count)
        return (picked, try scores(of: picked[...], control))
    }

    /// The scores of some of the documents, given ascending; predicates add up in query order.
    private mutating func scores(
        of picked: ArraySlice<Int>, _ control: SearchControl
    ) throws(SearchStop) -> [Double] {
        var scores = picked.map { _ in 0.0 }
        var pace = CheckPace(control)
        for (word, only) in words.enumerated() {
            let rarity = rarities[word]
            var places = PostingPlaces(only.lists, only.list)
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

    /// The same by an upper bound of each document's score.
    private mutating func reaching(
        _ bounds: [Double], first length: Int, floor: Double?, _ control: SearchControl
    ) throws(SearchStop) -> (picked: [Int], scores: [Double]) {
        let few = max(1, length + length / 2)
        var greatest = BestScores(limit: few)
        greatest.insert(contentsOf: bounds)
        let start = max(greatest.floor ?? 0, floor ?? 0)
        // Those with the very bound may be many: as few as make the number full.
        var left = few - greatest.count(above: start)
        var picked: [Int] = []
        picked.reserveCapacity(2 * few)
        var next = 0
        for place in bounds.indices where bounds[place] >= start {
            if bounds[place] == start {
                guard left > 0 else { continue }
                left -= 1
                next = place + 1
            }
            picked.append(place)
        }
        try control.check()
        var scores = try scores(of: picked[...], control)
        var best = BestScores(limit: max(1, length))
        best.insert(contentsOf: scores)
        let least = max(best.floor ?? 0, floor ?? 0)
        // Of those with the bound at which picking began, the first were picked.
        let count = picked.count
        for (place, bound) in bounds.enumerated()
        where bound >= least && (bound < start || bound == start && place >= next) {
            picked.append(place)
        }
        if picked.count > count { scores += try self.scores(of: picked[count...], control) }
        return (picked, scores)
    }
}
