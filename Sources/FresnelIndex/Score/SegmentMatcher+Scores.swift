import FresnelModel
import FresnelText

// Most scored predicates are one word, which is one term of the segment: its postings are walked
// beside the found documents. Whatever else gathers its occurrences first and sorts them.

extension SegmentMatcher {
    /// The scores of found documents; predicates add up in query order.
    ///
    /// - Parameter documents: ascending.
    mutating func scores(
        of documents: [DocumentNumber], by terms: ScoringTerms, _ weights: FieldWeights
    ) throws(SearchStop) -> [Double] {
        let found = DocumentSet(.list(documents), of: documentCount)
        var scores = [Double](repeating: 0, count: documents.count)
        for (place, number) in terms.comparisons.enumerated() {
            let rarity = terms.rarities[place]
            if let (term, filter) = try onlyTerm(ofComparison: number, in: found) {
                try add(term, filter, documents, weights, rarity, to: &scores)
            } else {
                let occurrences = try occurrences(ofComparison: number, in: found)
                try control.check()
                try add(occurrences, documents, weights, rarity, to: &scores)
            }
        }
        return scores
    }

    /// How many documents to score at once: a pattern of many terms looks all of them up each time.
    mutating func runLength(forScoring comparisons: [Int]) throws(SearchStop) -> Int {
        var terms = 0
        for number in comparisons {
            guard case .text(let text) = self.comparisons[number].test else { continue }
            let readings = [
                (text.ordinary, MatchMemory.Reading.ordinary), (text.content, .content),
            ]
            for (plan, reading) in readings {
                guard case .token(let token) = plan.shape else { continue }
                let pattern = MatchMemory.Pattern(comparison: number, reading: reading)
                if reading == .content, text.ordinary.glob.isWordBased { continue }
                terms = max(terms, try self.terms([token], pattern).first?.count ?? 0)
            }
        }
        return min(max(CheckPace.interval, 16 * terms), Limits.searchWindowHits)
    }

    /// The documents of a set to which a scored comparison may contribute; a few too many do no
    /// harm.
    mutating func reach(
        ofComparison number: Int, in candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        takesCandidates = true
        defer { takesCandidates = false }
        return try matches(comparison: number, in: candidates)
    }

    /// The one term that decides a comparison, with the attributes it counts in.
    mutating func onlyTerm(
        ofComparison number: Int, in found: DocumentSet
    ) throws(SearchStop) -> (TermID, AttributeFilter)? {
        guard case .text(let text) = comparisons[number].test, text.ordinary.glob.isWordBased,
            case .token(let token) = text.ordinary.shape,
            irregular(text.ordinary, in: found).isEmpty
        else { return nil }
        let pattern = MatchMemory.Pattern(comparison: number, reading: .ordinary)
        let terms = try terms([token], pattern).first ?? []
        guard terms.count == 1 else { return nil }
        let filter = AttributeFilter(
            covered[number].all, attributeCount: segment.attributes.count)
        return (terms[0], filter)
    }

    private func add(
        _ term: TermID, _ filter: AttributeFilter, _ documents: [DocumentNumber],
        _ weights: FieldWeights, _ rarity: Double, to scores: inout [Double]
    ) throws(SearchStop) {
        try control.check()
        var pace = CheckPace(control)
        var cursor = segment.postings.cursor(for: term)
        var occurrences: [Occurrence] = []
        var position = 0
        while position < documents.count, !cursor.isAtEnd {
            try pace.step()
            let document = cursor.documentNumber
            if documents[position] < document {
                position = SortedNumbers.lowerBound(
                    of: document, in: documents.span, from: position)
            } else if documents[position] > document {
                cursor.seek(to: documents[position])
            } else {
                cursor.occurrences(into: &occurrences)
                let sum = Self.sum(occurrences, filter, weights, document)
                if sum > 0 {
                    scores[position] += Relevance.contribution(
                        rarity: rarity, weightedOccurrences: sum)
                }
                position += 1
                cursor.advance()
            }
        }
    }

    /// The weighted occurrences of one document; they stand by attribute.
    private static func sum(
        _ occurrences: [Occurrence], _ filter: AttributeFilter, _ weights: FieldWeights,
        _ document: DocumentNumber
    ) -> Double {
        var sum = 0.0
        var next = 0
        while next < occurrences.count {
            let attribute = occurrences[next].attribute
            var count = 0
            while next < occurrences.count, occurrences[next].attribute == attribute {
                count += 1
                next += 1
            }
            if filter.contains(attribute) {
                sum += weights.weighted(count, in: attribute, of: document)
            }
        }
        return sum
    }

    private func add(
        _ occurrences: [AttributeOccurrences], _ documents: [DocumentNumber],
        _ weights: FieldWeights, _ rarity: Double, to scores: inout [Double]
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        var position = 0
        var next = 0
        while next < occurrences.count {
            try pace.step()
            let document = occurrences[next].document
            var sum = 0.0
            while next < occurrences.count, occurrences[next].document == document {
                sum += weights.weighted(
                    occurrences[next].count, in: occurrences[next].attribute, of: document)
                next += 1
            }
            position = SortedNumbers.lowerBound(
                of: document, in: documents.span, from: position)
            scores[position] += Relevance.contribution(rarity: rarity, weightedOccurrences: sum)
        }
    }
}
