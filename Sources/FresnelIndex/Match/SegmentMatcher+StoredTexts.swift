import FresnelKernels

// Patterns on whole values of an attribute without a column. What a pattern asks for between its
// stars has words; the documents with those words are few, and decided by their stored texts. What
// a text begins with is its first token: of a frequent word that leaves few.

extension SegmentMatcher {
    /// The documents with a text of an attribute that a pattern on whole values matches.
    mutating func storedMatches(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attribute: AttributeOrdinal
    ) throws(SearchStop) -> DocumentSet {
        let column = MatchMemory.Column(pattern: pattern, attribute: attribute)
        if let found = memory.values[column]?.stored { return found }
        let candidates = try storedCandidates(plan, attribute)
        let found = try verified(candidates, plan, pattern, [attribute])
        memory.values[column, default: MatchMemory.Values()].stored = found
        return found
    }

    /// Documents among which are all that match.
    private mutating func storedCandidates(
        _ plan: PatternPlan, _ attribute: AttributeOrdinal
    ) throws(SearchStop) -> DocumentSet {
        var candidates = DocumentSet.none(of: documentCount).bitset
        try segment.attributes[Int(attribute)].presence.insert(
            into: &candidates, control: control)
        var found = DocumentSet(.bits(candidates), of: documentCount)
        guard case .values(let narrowing) = plan.shape, let key = narrowing.key else {
            return found
        }
        let filter = AttributeFilter([attribute], attributeCount: segment.attributes.count)
        // Letters and digits of ASCII that stand together in a key stand together in one token,
        // save where characters are irregular.
        var words = Self.words(of: key)
        if narrowing.isAtBeginning, let word = words.first, key.starts(with: word) {
            let terms = segment.terms.range(withFoldedPrefix: word.span)
            var having = try documents(beginningWithAnyOf: terms, in: attribute)
            having.formUnion(try irregular(touchedBy: [word]))
            found.formIntersection(having)
            words.removeFirst()
        }
        for word in words.sorted(by: { $0.count > $1.count }).prefix(3) {
            if found.count <= Self.fewCandidates { break }
            let terms = try segment.terms.terms(containing: word.span, control: control)
            var having = try documents(withAnyOf: terms, in: filter)
            having.formUnion(try irregular(touchedBy: [word]))
            found.formIntersection(having)
        }
        return found
    }

    /// The documents in which a text of an attribute begins with one of some terms, or may: in all
    /// elements but the first a term may stand anywhere.
    private func documents(
        beginningWithAnyOf terms: Range<TermID>, in attribute: AttributeOrdinal
    ) throws(SearchStop) -> DocumentSet {
        let filter = AttributeFilter([attribute], attributeCount: segment.attributes.count)
        var found: [DocumentNumber] = []
        var pace = CheckPace(control)
        for lists in segment.lists(for: filter) {
            for term in terms where filter.mayMeet(lists.attributeMask(of: term)) {
                var cursor = lists.cursor(for: term)
                while !cursor.isAtEnd {
                    try pace.step(4)
                    var isFirst = false
                    cursor.forEachOccurrence { occurrence in
                        guard occurrence.attribute == attribute else { return }
                        isFirst = isFirst || occurrence.position == 0 || occurrence.element > 0
                    }
                    if isFirst { found.append(cursor.documentNumber) }
                    cursor.advance()
                }
            }
        }
        SortedNumbers.sortDistinct(&found)
        return DocumentSet(.list(found), of: documentCount)
    }

    /// So many documents are decided faster than another word's are found.
    private static let fewCandidates = 64

    /// The runs of letters and digits of ASCII.
    private static func words(of key: [UInt8]) -> [[UInt8]] {
        key.split { byte in
            !(byte >= 0x61 && byte <= 0x7A || byte >= 0x30 && byte <= 0x39)
        }.map { Array($0) }
    }
}
