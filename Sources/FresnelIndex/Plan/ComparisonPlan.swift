package import FresnelModel
package import FresnelQuery
import FresnelText

/// One predicate, compiled once for all segments.
///
/// A class, as the plans below it are: they go from hand to hand while a query is answered.
package final class ComparisonPlan: Sendable {
    /// What the value of an attribute must satisfy.
    package enum Test: Sendable {
        case exists
        case numeric(NumericInterval, domain: NumericDomain)
        case text(TextTest)
        /// Decided by how, and where, a document is stored.
        case field(FieldTest)
    }

    /// A pattern in the two ways attributes read it.
    package struct TextTest: Sendable {
        /// For all attributes but text content.
        package let ordinary: PatternPlan
        /// For text content, where patterns are always word based; nil where `ordinary` is.
        fileprivate let wordBased: PatternPlan?
        /// For text content.
        package var content: PatternPlan { wordBased ?? ordinary }
        /// A number that a numeric value may equal instead.
        package let number: Double?
    }

    /// The left side.
    package let attribute: AttributeReference
    /// The right side.
    package let test: Test
    /// Whether no document is found that it does not match.
    let isRequired: Bool
    /// The token of a word based pattern that it decides; told apart once, since taking a case out
    /// of `test` counts references.
    let word: TokenPlan?
    /// Whether texts with irregular characters may match although tokens do not say so.
    let hasIrregularTexts: Bool
    /// Whether it is about a pattern.
    let isText: Bool
    /// Whether there is such a token, and no number can satisfy the predicate instead.
    let isWord: Bool

    /// Compiles a predicate.
    ///
    /// - Parameter isRequired: false where it stands under a negation or beside alternatives.
    package init(
        _ comparison: consuming ResolvedComparison, _ schema: AttributeSchema, language: String?,
        isRequired: Bool = false
    ) {
        attribute = comparison.attribute
        self.isRequired = isRequired
        isText = comparison.test.isText
        if case .named(let name) = comparison.attribute,
            let field = DocumentField.Derived(name, in: schema)
        {
            test = .field(FieldTest(comparison.test, of: field, language: language))
            (word, hasIrregularTexts, isWord) = (nil, false, false)
            return
        }
        switch comparison.test {
        case .exists:
            test = .exists
            (word, hasIrregularTexts, isWord) = (nil, false, false)
        case .numeric(let interval, let domain):
            test = .numeric(interval, domain: domain)
            (word, hasIrregularTexts, isWord) = (nil, false, false)
        case .text(let pattern, let number):
            let ordinary = PatternPlan(pattern, language: language)
            let wordBased =
                ordinary.isWordBased
                ? nil : PatternPlan(pattern, isWordBased: true, language: language)
            if wordBased == nil, case .token(let token) = ordinary.shape {
                (word, isWord) = (token, number == nil)
            } else {
                (word, isWord) = (nil, false)
            }
            hasIrregularTexts = ordinary.hasIrregularTexts
            test = .text(TextTest(ordinary: ordinary, wordBased: wordBased, number: number))
        }
    }

    /// What another one is in one index.
    private init(_ other: ComparisonPlan, _ test: FieldTest) {
        (attribute, isRequired, isText) = (other.attribute, other.isRequired, other.isText)
        self.test = .field(test)
        (word, hasIrregularTexts, isWord) = (nil, false, false)
    }

    /// Whether the index of a document alone decides it.
    var asksIndex: Bool {
        if case .field(.index) = test { true } else { false }
    }

    /// The same for documents of one index.
    func placed(in index: String) -> ComparisonPlan {
        guard case .field(.index(let pattern)) = test else { return self }
        return ComparisonPlan(self, .constant(pattern?.matches(index) ?? true))
    }

    /// Whether the predicate covers an attribute by its canonical name.
    package func covers(_ name: String, in schema: AttributeSchema) -> Bool {
        covers(name, schema.definition(named: name))
    }

    /// The same with the definition at hand.
    func covers(_ name: String, _ definition: AttributeDefinition?) -> Bool {
        switch attribute {
        case .named(let wanted): wanted == name && definition?.isSearchable ?? true
        case .searchable: definition?.isSearchableByDefault ?? false
        case .searchableAndContent: definition?.isCoveredByContentWildcard ?? false
        }
    }
}
