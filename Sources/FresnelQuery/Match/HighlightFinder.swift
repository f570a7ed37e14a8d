package import FresnelModel
import FresnelText

// Two steps. First the comparisons are found that are why the document is found: the query is
// walked with its negations counted, so that under an even number a comparison that holds
// contributes, under an odd number none does, and only branches that hold are followed. Then each
// of them is asked, attribute by attribute, where it matched, through the names and compiled
// patterns that the matcher itself goes through.

/// What of a document a query matched.
package struct HighlightFinder: Sendable {
    private var matcher: ReferenceMatcher
    /// The index that documents are of, where the query may name it.
    package var index: String? {
        get { matcher.index }
        set { matcher.index = newValue }
    }

    /// Compiles a query; see `ReferenceMatcher.init`.
    package init(
        expression: ResolvedExpression, schema: AttributeSchema = AttributeSchema(),
        language: String? = nil
    ) {
        matcher = ReferenceMatcher(expression: expression, schema: schema, language: language)
    }

    /// The places that matched, one entry for each text with any, in the order of
    /// `AttributeHighlights.normal(_:)`; empty for a document that does not satisfy the query.
    ///
    /// Numbers, dates, patterns of stars alone, pages of HTML and what a document is by its storage
    /// (`DocumentField.Derived`) have no places. At most
    /// `Limits.highlightsPerText` ranges are given for one text and
    /// `Limits.highlightsPerDocument` in all, the first ones.
    ///
    /// - Parameters:
    ///   - document: the document, with every attribute that the query names.
    ///   - attributes: the canonical names that are wanted; nil wants all. The fields that every
    ///     hit carries, the unique identifier and the domain, are always wanted.
    package func highlights(
        in document: Document, attributes: Set<String>? = nil
    ) -> [AttributeHighlights] {
        guard let reasons = reasons(matcher.expression, isNegated: false, document) else {
            return []
        }
        var found: [AttributeHighlights] = []
        var seen: Set<ResolvedComparison> = []
        for comparison in reasons where seen.insert(comparison).inserted {
            guard case .text(let pattern, _) = comparison.test else { continue }
            for name in matcher.names(coveredBy: comparison.attribute, in: document) {
                let isWanted = attributes?.contains(name) ?? true
                guard isWanted || Self.isField(name, of: document) else { continue }
                found += highlights(of: pattern, attribute: name, in: document)
            }
        }
        return AttributeHighlights.normal(found)
    }

    private static func isField(_ name: String, of document: Document) -> Bool {
        name == DocumentField.uniqueIdentifier
            || (name == DocumentField.domainIdentifier && document.domainIdentifier != nil)
    }

    /// The comparisons that make an expression hold, or its negation; nil where it does not.
    private func reasons(
        _ expression: ResolvedExpression, isNegated: Bool, _ document: Document
    ) -> [ResolvedComparison]? {
        switch expression {
        case .constant(let value):
            return value == isNegated ? nil : []
        case .not(let part):
            return reasons(part, isNegated: !isNegated, document)
        case .and(let parts):
            return isNegated
                ? anyReasons(parts, isNegated, document) : allReasons(parts, isNegated, document)
        case .or(let parts):
            return isNegated
                ? allReasons(parts, isNegated, document) : anyReasons(parts, isNegated, document)
        case .comparison(let comparison):
            guard matcher.holds(comparison, for: document) != isNegated else { return nil }
            return isNegated ? [] : [comparison]
        }
    }

    private func allReasons(
        _ parts: [ResolvedExpression], _ isNegated: Bool, _ document: Document
    ) -> [ResolvedComparison]? {
        var all: [ResolvedComparison] = []
        for part in parts {
            guard let reasons = reasons(part, isNegated: isNegated, document) else { return nil }
            all += reasons
        }
        return all
    }

    private func anyReasons(
        _ parts: [ResolvedExpression], _ isNegated: Bool, _ document: Document
    ) -> [ResolvedComparison]? {
        let held = parts.compactMap { reasons($0, isNegated: isNegated, document) }
        return held.isEmpty ? nil : held.flatMap(\.self)
    }

    private func highlights(
        of pattern: TextPattern, attribute: String, in document: Document
    ) -> [AttributeHighlights] {
        guard let value = document.value(ofAttribute: attribute) else { return [] }
        let glob = matcher.glob(for: pattern, of: attribute)
        let places = SearchableText.places(of: value, attribute: attribute)
        let texts = SearchableText.strings(of: value, attribute: attribute)
        return zip(places, texts).compactMap { place, text in
            let ranges = Self.ranges(of: glob, in: text)
            guard !ranges.isEmpty else { return nil }
            return AttributeHighlights(
                attribute: attribute, element: place.element, part: place.part, ranges: ranges)
        }
    }

    /// The ranges of one text, at most one above the limit, which says that there are more.
    private static func ranges(of glob: GlobPattern, in text: String) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        for place in glob.places(in: text) {
            let range = text.wholeCharacters(place)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                let end = max(last.upperBound, range.upperBound)
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else if ranges.count > Limits.highlightsPerText {
                break
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }
}

extension String {
    /// A range of UTF-8 offsets widened so that it parts no grapheme cluster, such as a flag.
    fileprivate func wholeCharacters(_ range: Range<Int>) -> Range<Int> {
        var start = utf8.index(startIndex, offsetBy: range.lowerBound)
        var end = utf8.index(startIndex, offsetBy: range.upperBound)
        while start > startIndex, Index(start, within: self) == nil {
            start = unicodeScalars.index(before: start)
        }
        while end < endIndex, Index(end, within: self) == nil {
            end = unicodeScalars.index(after: end)
        }
        return utf8.distance(from: startIndex, to: start)..<utf8.distance(from: startIndex, to: end)
    }
}
