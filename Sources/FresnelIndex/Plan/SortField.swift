package import FresnelModel
package import FresnelQuery
package import FresnelWire

/// One key of the order of an answer.
package struct SortField: Hashable, Sendable {
    /// What documents are ordered by.
    package enum Key: Hashable, Sendable {
        /// The score.
        case relevance
        /// The value of an attribute, by its canonical name.
        case attribute(String)
        /// A field that no segment has values of.
        case field(DocumentField.Derived)
    }

    /// What documents are ordered by.
    package let key: Key
    /// Whether great values come first; documents without a value come last in any case.
    package let isDescending: Bool

    /// Makes a field.
    package init(_ key: Key, isDescending: Bool) {
        self.key = key
        self.isDescending = isDescending
    }

    /// Best first.
    package static let relevance = SortField(.relevance, isDescending: true)

    /// Whether it is the score.
    var isByScore: Bool {
        if case .relevance = key { true } else { false }
    }

    /// Whether it is the score, best first.
    var isRelevance: Bool { isByScore && isDescending }

    /// What most answers are ordered by.
    private static let byRelevance = [relevance]

    /// The order a search asks for; relevance when it names none.
    package static func fields(
        of search: WireSearch, schema: AttributeSchema
    ) -> [SortField] {
        let keys = search.sort
        guard !keys.isEmpty else { return byRelevance }
        return keys.map { key in
            guard !key.attribute.isEmpty else {
                return SortField(.relevance, isDescending: key.descending)
            }
            if let field = DocumentField.Derived(key.attribute, in: schema) {
                return SortField(.field(field), isDescending: key.descending)
            }
            let name = schema.definition(named: key.attribute)?.name ?? key.attribute
            return SortField(.attribute(name), isDescending: key.descending)
        }
    }
}
