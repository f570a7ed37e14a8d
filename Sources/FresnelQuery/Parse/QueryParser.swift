/// Turns query strings into normalised trees (Documentation/query-language.md).
package enum QueryParser {
    /// Parses a whole query string.
    ///
    /// - Returns: the tree, with `!=` as `.not` of `==`, `t` rewritten, nested `&&` and `||`
    ///   flattened and attribute names canonical; and warnings in the order of their offsets.
    /// - Throws: the first error in reading order.
    package static func parse(
        _ text: String, options: ParseOptions = ParseOptions()
    ) throws(QueryError) -> ParsedQuery {
        let size = text.utf8.count
        guard size <= options.limits.textBytes else {
            throw QueryError(
                offset: options.limits.textBytes,
                expected: "at most \(options.limits.textBytes) bytes of query",
                found: "\(size) bytes",
                hint: "the limit is query; split the query, or use filter queries")
        }
        var grammar = QueryGrammar(text, options: options)
        let expression = try grammar.query()
        let warnings = grammar.warnings.enumerated()
            .sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
        return ParsedQuery(expression: expression, warnings: warnings)
    }
}
