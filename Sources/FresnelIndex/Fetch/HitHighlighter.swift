package import FresnelModel
package import FresnelQuery
package import FresnelWire

// Highlights are found in the stored document when a hit is taken, never for one that is not sent.
// The query explains a hit, its filters do not. What is marked is what is returned.

/// Marks what of the hits of one search its query matched.
package struct HitHighlighter: Sendable {
    private let finder: HighlightFinder
    /// The canonical names of the attributes that are returned; nil for all.
    private let attributes: Set<String>?

    /// Compiles the query of a search.
    ///
    /// - Parameters:
    ///   - expression: the query, without its filters.
    ///   - search: says which attributes are returned, and the language.
    ///   - schema: the attributes of the indexes searched.
    package init(
        _ expression: ResolvedExpression, _ search: WireSearch, _ schema: AttributeSchema
    ) {
        let language = search.context.language
        finder = HighlightFinder(
            expression: expression, schema: schema, language: language.isEmpty ? nil : language)
        attributes =
            search.allAttributes
            ? nil : Set(search.attributes.map { schema.definition(named: $0)?.name ?? $0 })
    }

    /// What matched in a stored document of an index.
    ///
    /// - Throws: when the document cannot be read.
    package func highlights(
        inStored bytes: [UInt8], of index: String
    ) throws(WireError) -> [AttributeHighlights] {
        var finder = finder
        finder.index = index
        return finder.highlights(in: try DocumentCoding.decode(bytes), attributes: attributes)
    }
}
