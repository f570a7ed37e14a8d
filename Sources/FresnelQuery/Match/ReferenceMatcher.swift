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

    package init(
        expression: ResolvedExpression, schema: AttributeSchema = AttributeSchema(),
        language: String? = nil
    ) {
        self.expression = expression
        self.schema = schema
        self.language = language
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

    private func holds(_ comparison: ResolvedComparison, for document: Document) -> Bool {
        names(coveredBy: comparison.attribute, in: document).contains { name in
            guard let value = document.value(ofAttribute: name) else { return false }
            return holds(
                comparison.test, for: value, of: name, isNamed: comparison.attribute == .named(name)
            )
        }
    }

    /// The attributes of the document that a left side stands for.
    private func names(coveredBy attribute: AttributeReference, in document: Document) -> [String] {
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
        var pattern = pattern
        if schema.definition(named: name)?.isTextContent ?? false {
            pattern.modifiers.insert(.wordBased)
        }
        let glob = GlobPattern(pattern, language: language)
        return SearchableText.strings(of: value, attribute: name).contains { glob.matches($0) }
    }

    private func numbers(of value: AttributeValue) -> [Double] {
        switch value {
        case .number(let number): [number]
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
        case .string, .strings, .number, .numbers, .bytes, .byteStrings, .persons, .localized,
            .dictionary:
            []
        }
    }
}
