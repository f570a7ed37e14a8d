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
        if text.ordinary.glob.isWordBased {
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
            let ranks = try ranks(plan, pattern, attribute)
            guard let strings = segment.attributes[Int(attribute)].strings else { continue }
            var collector = DocumentCollector(of: documentCount)
            for rank in ranks { collector.insert(strings.documents(of: rank)) }
            var matching = collector.documents()
            matching.formIntersection(found)
            for document in matching.documents {
                keys.append(AttributeOccurrences.key(document, attribute))
            }
        }
    }

    private mutating func appendWords(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal],
        _ found: DocumentSet, to keys: inout [UInt64]
    ) throws(SearchStop) {
        let filter = AttributeFilter(attributes, attributeCount: segment.attributes.count)
        switch plan.shape {
        case .values: return
        case .token(let token):
            for term in try terms([token], pattern).first ?? [] {
                try appendPostings(of: term, filter, found, to: &keys)
            }
            if !plan.glob.isWordBased { keys = Set(keys).sorted() }
            try appendIrregular(plan, pattern, attributes, found, to: &keys)
        case .phrase(let tokens):
            let phrase = Phrase(
                plan: plan, tokens: tokens, pattern: pattern, attributes: attributes)
            try visit(phrase, in: found) { document, attribute in
                keys.append(AttributeOccurrences.key(document, attribute))
            }
        }
    }

    private func appendPostings(
        of term: TermID, _ filter: AttributeFilter, _ found: DocumentSet, to keys: inout [UInt64]
    ) throws(SearchStop) {
        guard filter.mayMeet(segment.postings.attributeMask(of: term)) else { return }
        try control.check()
        var cursor = segment.postings.cursor(for: term)
        var occurrences: [Occurrence] = []
        func append() {
            cursor.occurrences(into: &occurrences)
            for occurrence in occurrences where filter.contains(occurrence.attribute) {
                keys.append(
                    AttributeOccurrences.key(cursor.documentNumber, occurrence.attribute))
            }
        }
        switch found.form {
        case .list(let list):
            for document in list {
                cursor.seek(to: document)
                if cursor.isAtEnd { return }
                if cursor.documentNumber == document { append() }
            }
        case .all, .bits:
            while !cursor.isAtEnd {
                if found.contains(cursor.documentNumber) { append() }
                cursor.advance()
            }
        }
    }

    /// Attributes of irregular documents that match although none of their tokens does.
    private mutating func appendIrregular(
        _ plan: PatternPlan, _ pattern: MatchMemory.Pattern, _ attributes: [AttributeOrdinal],
        _ found: DocumentSet, to keys: inout [UInt64]
    ) throws(SearchStop) {
        let unclear = irregular(plan, in: found)
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
