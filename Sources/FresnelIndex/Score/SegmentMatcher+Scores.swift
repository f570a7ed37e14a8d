import FresnelModel

extension SegmentMatcher {
    /// The scores of found documents, in their order; predicates add up in query order.
    ///
    /// - Parameters:
    ///   - found: the documents.
    ///   - scored: the places of the predicates that score.
    ///   - rarities: how much each of them tells.
    mutating func scores(
        of found: DocumentSet, by scored: [Int], rarities: [Double]
    ) throws(SearchStop) -> [Double] {
        let documents = found.documents
        var scores = [Double](repeating: 0, count: documents.count)
        let definitions = segment.attributes.map { view.schema.definition(named: $0.name) }
        for (place, number) in scored.enumerated() {
            let occurrences = try occurrences(ofComparison: number, in: found)
            var position = 0
            var next = 0
            while next < occurrences.count {
                let document = occurrences[next].document
                var sum = 0.0
                while next < occurrences.count, occurrences[next].document == document {
                    sum += weighted(occurrences[next], definitions)
                    next += 1
                }
                position = SortedNumbers.lowerBound(
                    of: document, in: documents.span, from: position)
                scores[position] += Relevance.contribution(
                    rarity: rarities[place], weightedOccurrences: sum)
            }
        }
        return scores
    }

    private func weighted(
        _ occurrences: AttributeOccurrences, _ definitions: [AttributeDefinition?]
    ) -> Double {
        let place = Int(occurrences.attribute)
        return Relevance.weighted(
            occurrences: occurrences.count,
            length: segment.attributes[place].fieldLengths?.length(of: occurrences.document) ?? 0,
            of: definitions[place])
    }
}
