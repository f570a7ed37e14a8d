import FresnelModel

/// What to try where a valid query finds nothing because a name in it means something else.
///
/// No warning: such a query is right where documents have the attribute, and a deletion by it
/// deletes what it says.
package enum EmptyAnswer {
    /// The hint for a query and its filters; nil where there is none.
    package static func hint(for queries: [String]) -> String? {
        for query in queries {
            // Declared keys are not known here: a query that needs them gets no hint.
            guard let parsed = try? QueryParser.parse(query, options: ParseOptions()) else {
                continue
            }
            if let kind = parsed.expression.askedKind {
                return "kind is what people call a file, as \"PDF document\"; did you mean "
                    + "documentKind == \"\(kind.rawValue)\""
            }
        }
        return nil
    }
}

extension Expression {
    /// The kind of documents that some comparison asks the attribute `kind` for.
    fileprivate var askedKind: DocumentKind? {
        switch self {
        // What must not be equal is no reason for finding nothing.
        case .constant, .not: nil
        case .and(let parts), .or(let parts): parts.lazy.compactMap(\.askedKind).first
        case .comparison(let comparison): comparison.askedKind
        }
    }
}

extension Comparison {
    fileprivate var askedKind: DocumentKind? {
        guard attribute == .named("kind"), case .matches(let pattern) = relation,
            pattern.pieces.count == 1, case .literal(let text) = pattern.pieces[0]
        else { return nil }
        return DocumentKind(rawValue: text.lowercased())
    }
}
