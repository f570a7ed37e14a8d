import FresnelKernels

// Patterns on whole values of an attribute without a column. What a pattern asks for between its
// stars has words; the documents with those words are few, and decided by their stored texts. Where
// a text begins with a word, the word is its first token: of a frequent one that leaves few.

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
        let hasFirst = narrowing.isAtBeginning && words.first.map { key.starts(with: $0) } ?? false
        let first = hasFirst ? words.removeFirst() : nil
        for word in words.sorted(by: { $0.count > $1.count }).prefix(3) {
            let terms = try segment.terms.terms(containing: word.span, control: control)
            let having = try documents(withAnyOf: terms, in: filter)
            try narrow(&found, to: having, orTouchedBy: word)
            if found.count <= Self.fewCandidates { return found }
        }
        guard let first else { return found }
        let terms =
            narrowing == .exact(first)
            ? segment.terms.range(withFoldedKey: first.span)
            : segment.terms.range(withFoldedPrefix: first.span)
        let having = try documents(beginningWithAnyOf: terms, in: attribute, among: found)
        try narrow(&found, to: having, orTouchedBy: first)
        return found
    }

    /// Leaves those of some documents that have a word, or in which an irregular character may hide
    /// it.
    private mutating func narrow(
        _ documents: inout DocumentSet, to having: DocumentSet, orTouchedBy word: [UInt8]
    ) throws(SearchStop) {
        var possible = having
        possible.formUnion(try irregular(touchedBy: [word]))
        documents.formIntersection(possible)
    }

    /// Those of some documents in which a text of an attribute begins with one of some terms, or
    /// may: only of a document's first element is it known where it begins.
    private func documents(
        beginningWithAnyOf terms: Range<TermID>, in attribute: AttributeOrdinal,
        among candidates: DocumentSet
    ) throws(SearchStop) -> DocumentSet {
        let filter = AttributeFilter([attribute], attributeCount: segment.attributes.count)
        // A mark that nothing stands before is a token of its own in scripts without spaces, and
        // folds to nothing.
        let marks = segment.terms.range(withFoldedKey: [UInt8]().span)
        let latest: UInt32 = marks.isEmpty ? 0 : 1
        var found = DocumentSet.none(of: documentCount).bitset
        var pace = CheckPace(control)
        for lists in segment.lists(for: filter) {
            var cursor = PostingCursor(lists)
            for term in terms {
                try pace.step()
                guard filter.mayMeet(lists.attributeMask(of: term)) else { continue }
                cursor.stand(at: term)
                while !cursor.isAtEnd {
                    var steps = 1
                    if candidates.contains(cursor.documentNumber) {
                        var isFirst = false
                        cursor.forEachOccurrence { occurrence in
                            steps += 1
                            guard occurrence.attribute == attribute else { return }
                            isFirst =
                                isFirst || occurrence.position <= latest
                                || occurrence.isBehindFirstElement
                        }
                        if isFirst { found.insert(Int(cursor.documentNumber)) }
                    }
                    try pace.step(steps)
                    cursor.advance()
                }
            }
        }
        return DocumentSet(.bits(found), of: documentCount)
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
