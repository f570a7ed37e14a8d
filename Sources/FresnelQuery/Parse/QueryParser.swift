import FresnelModel

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
        var grammar = try grammar(text, options)
        let expression: Expression
        do throws(QueryError) {
            expression = try grammar.query()
        } catch {
            throw error.hinting(at: text, schema: options.schema)
        }
        return ParsedQuery(expression: expression, warnings: ordered(grammar.warnings))
    }

    /// The tree alone, for who has no use for warnings.
    package static func expression(
        _ text: String, options: ParseOptions
    ) throws(QueryError) -> Expression {
        var grammar = try grammar(text, options)
        return try grammar.query()
    }

    private static func grammar(
        _ text: String, _ options: ParseOptions
    ) throws(QueryError) -> QueryGrammar {
        let size = text.utf8.count
        guard size <= options.limits.textBytes else {
            throw QueryError(
                offset: options.limits.textBytes,
                expected: "at most \(options.limits.textBytes) bytes of query",
                found: "\(size) bytes",
                hint: "the limit is query; split the query, or use filter queries")
        }
        return QueryGrammar(text, options: options)
    }

    /// Warnings travel in one control frame, so they are few; the last says how many there were.
    private static let warningCount = 32

    private static func ordered(_ warnings: [QueryWarning]) -> [QueryWarning] {
        guard warnings.count > 1 else { return warnings }
        let sorted = warnings.enumerated()
            .sorted { ($0.element.offset ?? 0, $0.offset) < ($1.element.offset ?? 0, $1.offset) }
            .map(\.element)
        guard sorted.count > warningCount else { return sorted }
        let kept = sorted.prefix(warningCount - 1)
        let first = sorted[kept.count]
        let message = "\(sorted.count - kept.count) more warnings from here on"
        return kept + [QueryWarning(offset: first.offset, message: message)]
    }
}

extension QueryError {
    /// The same error; of a text that is words and no comparison, with the query that finds them.
    fileprivate func hinting(at text: String, schema: AttributeSchema) -> QueryError {
        guard let hint = PlainWords(text)?.hint(schema: schema) else { return self }
        return QueryError(offset: offset, expected: expected, found: found, hint: hint)
    }
}
