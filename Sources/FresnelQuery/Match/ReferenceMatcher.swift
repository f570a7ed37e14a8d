package import FresnelModel
import FresnelText

/// The meaning of the query language as the plainest possible code over one document.
///
/// The index must agree with it on every document and every query. Whether a document has expired
/// is not asked here.
package struct ReferenceMatcher: Sendable {
    /// The query, its clock read.
    package let expression: ResolvedExpression
    /// The attributes of the index; keys it does not know are searchable by name only.
    package let schema: AttributeSchema
    /// BCP 47 tag that protects letters from folding; nil folds neutrally.
    package let language: String?
    /// The index that documents are of, where the query may name it.
    package var index: String?
    /// Every pattern of the query compiled, as written and with `w` for text content.
    private let globs: [TextPattern: GlobPattern]

    package init(
        expression: ResolvedExpression, schema: AttributeSchema = AttributeSchema(),
        language: String? = nil, index: String? = nil
    ) {
        self.expression = expression
        self.index = index
        self.schema = schema
        self.language = language
        var globs: [TextPattern: GlobPattern] = [:]
        for pattern in expression.patterns {
            globs[pattern] = GlobPattern(pattern, language: language)
            globs[pattern.wordBased] = GlobPattern(pattern.wordBased, language: language)
        }
        self.globs = globs
    }

    /// Whether the document satisfies the query.
    package func matches(_ document: Document) -> Bool {
        holds(expression, for: document)
    }

    private func holds(_ expression: ResolvedExpression, for document: Document) -> Bool {
        switch expression {
        case .constant(let value): value
        case .and(let parts): parts.allSatisfy { holds($0, for: document) }
        case .or(let parts): parts.contains { holds($0, for: document) }
        case .not(let part): !holds(part, for: document)
        case .comparison(let comparison): holds(comparison, for: document)
        }
    }

    /// Whether the document satisfies one comparison of the query.
    func holds(_ comparison: ResolvedComparison, for document: Document) -> Bool {
        names(coveredBy: comparison.attribute, in: document).contains { name in
            guard let value = document.value(ofAttribute: name, in: schema, of: index) else {
                return false
            }
            return holds(
                comparison.test, for: value, of: name, isNamed: comparison.attribute == .named(name)
            )
        }
    }

    /// The attributes of the document that a left side stands for.
    func names(coveredBy attribute: AttributeReference, in document: Document) -> [String] {
        switch attribute {
        case .named(let name):
            let isSearchable = schema.definition(named: name)?.isSearchable ?? true
            return isSearchable ? [name] : []
        case .searchable:
            return document.attributes.keys.filter {
                schema.definition(named: $0)?.isSearchableByDefault ?? false
            }
        case .searchableAndContent:
            return document.attributes.keys.filter {
                schema.definition(named: $0)?.isCoveredByContentWildcard ?? false
            }
        }
    }

    private func holds(
        _ test: ValueTest, for value: AttributeValue, of name: String, isNamed: Bool
    ) -> Bool {
        switch test {
        case .exists: true
        case .text(let pattern, let number):
            holds(pattern, for: value, of: name)
                || (isNamed && number.map { numbers(of: value).contains($0) } ?? false)
        case .numeric(let interval, let domain):
            isNamed
                && ((domain == .numbersAndDates
                    && numbers(of: value).contains(where: interval.contains))
                    || dates(of: value).contains(where: interval.contains))
        }
    }

    private func holds(
        _ pattern: TextPattern, for value: AttributeValue, of name: String
    ) -> Bool {
        let glob = glob(for: pattern, of: name)
        return SearchableText.strings(of: value, attribute: name).contains { glob.matches($0) }
    }

    /// A pattern of the query, compiled as an attribute's texts are matched.
    func glob(for pattern: TextPattern, of name: String) -> GlobPattern {
        let isContent = schema.definition(named: name)?.isTextContent ?? false
        guard let glob = globs[isContent ? pattern.wordBased : pattern] else {
            preconditionFailure("pattern \(pattern) was not compiled with its query")
        }
        return glob
    }

    private func numbers(of value: AttributeValue) -> [Double] {
        switch value {
        case .number(let number): [number]
        case .boolean(let truth): [truth ? 1 : 0]
        case .numbers(let numbers): numbers
        case .string, .strings, .date, .dates, .bytes, .byteStrings, .persons, .localized,
            .dictionary:
            []
        }
    }

    private func dates(of value: AttributeValue) -> [Double] {
        switch value {
        case .date(let date): [date.seconds]
        case .dates(let dates): dates.map(\.seconds)
        case .string, .strings, .number, .boolean, .numbers, .bytes, .byteStrings, .persons,
            .localized, .dictionary:
            []
        }
    }
}

extension ResolvedExpression {
    /// The text patterns of the query, negated ones too.
    fileprivate var patterns: [TextPattern] {
        switch self {
        case .constant: return []
        case .and(let parts), .or(let parts): return parts.flatMap(\.patterns)
        case .not(let part): return part.patterns
        case .comparison(let comparison):
            guard case .text(let pattern, _) = comparison.test else { return [] }
            return [pattern]
        }
    }
}

extension TextPattern {
    /// The pattern as it is matched against text content.
    fileprivate var wordBased: TextPattern {
        TextPattern(pieces: pieces, modifiers: modifiers.union(.wordBased))
    }
}
