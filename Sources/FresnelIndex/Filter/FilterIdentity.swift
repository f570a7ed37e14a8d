import FresnelModel
import FresnelQuery

/// What decides which documents of a segment a filter query matches, beside the segment.
///
/// Filters that look at the time have none: no later search would ask the same.
package struct FilterIdentity: Hashable, Sendable {
    /// The canonical text of the query.
    let text: String
    /// The language whose letters folding protects.
    let language: String?
    /// The declared attributes, which `*` covers.
    let customKeys: [CustomAttributeKey]
}

/// A filter query, understood.
package struct PlannedFilter: Sendable {
    let expression: PlannedExpression
    /// Names the filter in a cache; nil where it would not be met again.
    let identity: FilterIdentity?
}

extension FilterIdentity {
    /// Names a filter; nil for one that looks at the time.
    init?(_ expression: Expression, language: String?, schema: AttributeSchema) {
        let text = expression.description
        guard !text.contains("$time") else { return nil }
        self.init(text: text, language: language, customKeys: schema.sortedCustomKeys)
    }
}
