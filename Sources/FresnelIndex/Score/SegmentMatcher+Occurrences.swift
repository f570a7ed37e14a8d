import FresnelKernels
import FresnelModel
import FresnelText

// What scoring counts: for a pattern that one token decides, the tokens that match; for every other
// pattern, and for texts that match although no token does, 1 for each attribute with a matching
// text. Both are properties of the document alone.

extension SegmentMatcher {
    /// The occurrences of a scored comparison in documents that are found, by document and
    /// attribute.
    mutating func occurrences(
        ofComparison number: Int, in found: DocumentSet
    ) throws(SearchStop) -> [AttributeOccurrences] {
        guard case .text(let text) = comparisons[number].test else { return [] }
        var keys: [UInt64] = []
        let covered = covered[number]
        let ordinary = MatchMemory.Pattern(comparison: number, reading: .ordinary)
        if text.ordinary.isWordBased {
            try appendWords(text.ordinary, ordinary, covered.all, found, to: &keys)
        } else {
            if text.ordinary.isDecidedByValues {
                try appendValues(text.ordinary, ordinary, covered.ordinary, found, to: &keys)
            } else {
                try appendWords(text.ordinary, ordinary, covered.ordinary, found, to: &keys)
            }
            if !covered.content.isEmpty {
                let content = MatchMemory.Pattern(comparison: number, reading: .content)
                try appendWords(text.content, content, covered.content, found, to: &keys)
            }
        }
        return AttributeOccurrences.folded(&keys)
    }

    private mutating func appendValues(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal],
        _ found: DocumentSet, to keys: inout [UInt64]
    ) throws(SearchStop) {
        for attribute in attributes {
            let column = MatchMemory.Column(pattern: pattern, attribute: attribute)
            var matching: DocumentSet
            if let known = gathered?.values[column] {
                matching = known
            } else {
                matching = try documents(plan, pattern, attribute)
                gathered?.values[column] = matching
            }
            matching.formIntersection(found)
            for document in matching.documents {
                keys.append(AttributeOccurrences.key(document, attribute))
            }
        }
    }

    /// The documents with a value of an attribute that matches.
    private mutating func documents(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attribute: AttributeOrdinal
    ) throws(SearchStop) -> DocumentSet {
        guard segment.attributes[Int(attribute)].storedTexts == nil else {
            return try storedMatches(plan, pattern, attribute)
        }
        let ranks = try ranks(plan, pattern, attribute)
        guard let strings = segment.attributes[Int(attribute)].column else {
            return .none(of: documentCount)
        }
        var collector = DocumentCollector(of: documentCount)
        var pace = CheckPace(control)
        for rank in ranks {
            try pace.step()
            try collector.insert(strings.documents(of: rank), &pace)
        }
        return collector.documents()
    }

    private mutating func appendWords(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal],
        _ found: DocumentSet, to keys: inout [UInt64]
    ) throws(SearchStop) {
        let filter = covered[pattern.comparison].filter(
            for: attributes, of: segment.attributes.count)
        switch plan.shape {
        case .values: return
        case .token(let token):
            let terms = try terms(of: token, pattern)
            let run = DocumentSpan(found.documents)
            var pace = CheckPace(control)
            for term in terms {
                try pace.step(16)
                try appendPostings(of: term, filter, run, to: &keys, &pace)
            }
            if !plan.isWordBased { keys = Set(keys).sorted() }
            try appendIrregular(plan, pattern, attributes, found, to: &keys)
        case .phrase(let tokens):
            // Where a comparison looks at one attribute alone, its phrase occurs in that.
            if isOfOneAttribute(pattern.comparison), attributes.count == 1,
                let known = known(pattern.comparison, in: found)
            {
                for document in known.documents {
                    keys.append(AttributeOccurrences.key(document, attributes[0]))
                }
                return
            }
            let phrase = Phrase(
                plan: plan, tokens: tokens, pattern: pattern, attributes: attributes)
            try visit(phrase, in: found) { document, attribute in
                keys.append(AttributeOccurrences.key(document, attribute))
            }
        }
    }

    /// The documents of `found` that a comparison matches, where that is known without a look.
    private func known(_ comparison: Int, in found: DocumentSet) -> DocumentSet? {
        if comparisons[comparison].isRequired { return found }
        guard var counted = counted[comparison] else { return nil }
        counted.formIntersection(found)
        return counted
    }

    /// Whether what a comparison matches can be nothing but a text of one attribute.
    func isOfOneAttribute(_ number: Int) -> Bool {
        guard case .text(let text) = comparisons[number].test else { return false }
        return text.number == nil && covered[number].all.count == 1
    }

    private func appendPostings(
        of term: TermID, _ filter: AttributeFilter, _ run: DocumentSpan, to keys: inout [UInt64],
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        for lists in segment.lists(for: filter)
        where filter.mayMeet(lists.attributeMask(of: term)) {
            try appendPostings(lists.cursor(for: term), filter, run, to: &keys, &pace)
        }
    }

    private func appendPostings(
        _ list: PostingCursor, _ filter: AttributeFilter, _ run: DocumentSpan,
        to keys: inout [UInt64], _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let last = run.list.last else { return }
        var cursor = list
        // Many documents for few postings: those are walked. Else each document is looked up.
        let isWalked = run.list.count > cursor.documentCount / 16
        var place = 0
        cursor.seek(to: run.list[0])
        while !cursor.isAtEnd, cursor.documentNumber <= last {
            try pace.step()
            let document = cursor.documentNumber
            if run.contains(document) {
                cursor.forEachOccurrence { occurrence in
                    guard filter.contains(occurrence.attribute) else { return }
                    keys.append(AttributeOccurrences.key(document, occurrence.attribute))
                }
            }
            cursor.advance()
            guard !isWalked, !cursor.isAtEnd else { continue }
            place = SortedNumbers.lowerBound(
                of: cursor.documentNumber, in: run.list.span, from: place)
            guard place < run.list.count else { return }
            cursor.seek(to: run.list[place])
        }
    }

    /// Attributes of irregular documents that match although none of their tokens does.
    private mutating func appendIrregular(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal],
        _ found: DocumentSet, to keys: inout [UInt64]
    ) throws(SearchStop) {
        let unclear = try irregular(plan, in: found)
        guard !unclear.isEmpty else { return }
        let counted = Set(keys)
        var texts: [UInt64] = []
        try appendVerified(plan, pattern, attributes, unclear.documents, to: &texts)
        keys += texts.filter { !counted.contains($0) }
    }

    private mutating func appendVerified(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal],
        _ documents: [DocumentNumber], to keys: inout [UInt64]
    ) throws(SearchStop) {
        for (place, document) in documents.enumerated() {
            if place % 256 == 255 { try control.check() }
            for attribute in attributes where holds(plan, pattern, in: attribute, of: document) {
                keys.append(AttributeOccurrences.key(document, attribute))
            }
        }
    }
}
