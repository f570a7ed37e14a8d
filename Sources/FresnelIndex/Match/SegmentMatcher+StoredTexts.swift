import FresnelKernels

// Patterns on whole values of an attribute without a column. What a pattern asks for between its
// stars has words; the documents with those words are few, and decided by their stored texts.

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
        for word in Self.words(of: key).sorted(by: { $0.count > $1.count }).prefix(3) {
            let terms = try segment.terms.terms(containing: word.span, control: control)
            var having = try documents(withAnyOf: terms, in: filter)
            having.formUnion(try irregular(touchedBy: [word]))
            found.formIntersection(having)
            if found.count <= Self.fewCandidates { break }
        }
        return found
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
