package import FresnelQuery

// A query is built as a tree and printed by the language's own printer, so text that people typed
// is always a literal and never syntax: there is nothing to concatenate and nothing to escape.

/// A search condition, built from values instead of text.
///
///     let query: Query = .attribute("title").contains("50%") && .attribute("rating") >= 4
///     let hits = client.search(SearchRequest(query))
///
/// Combine with `&&`, `||` and `!`. Printing one gives the canonical query string.
public struct Query: Hashable, Sendable {
    /// The tree; normalised as the parser normalises.
    package let expression: Expression

    /// Wraps a tree.
    package init(_ expression: Expression) {
        self.expression = expression
    }

    /// The canonical query string; parsing it gives the same query.
    public var queryString: String { expression.description }

    /// Every document.
    public static let all = Query(.constant(true))

    /// No document.
    public static let none = Query(.constant(false))

    /// Both conditions hold.
    public static func && (lhs: Query, rhs: Query) -> Query {
        Query(.allOf([lhs.expression, rhs.expression]))
    }

    /// At least one of the conditions holds.
    public static func || (lhs: Query, rhs: Query) -> Query {
        Query(.anyOf([lhs.expression, rhs.expression]))
    }

    /// The condition does not hold; also true for documents without the attribute.
    public static prefix func ! (query: Query) -> Query {
        Query(.not(query.expression))
    }

    /// All of the conditions hold; `all` when there are none.
    public static func allOf(_ queries: [Query]) -> Query {
        Query(.allOf(queries.map(\.expression)))
    }

    /// At least one of the conditions holds; `none` when there are none.
    public static func anyOf(_ queries: [Query]) -> Query {
        Query(.anyOf(queries.map(\.expression)))
    }
}

extension Query: CustomStringConvertible {
    /// The canonical query string.
    public var description: String { queryString }
}

extension SearchRequest {
    /// Makes a request for a built query with the defaults for all else.
    ///
    /// - Parameter filters: conditions that every hit must satisfy too; they do not score.
    public init(_ query: Query, filters: [Query] = []) {
        self.init(query.queryString)
        self.filters = filters.map(\.queryString)
    }

    /// Adds a condition that every hit must satisfy too, and that does not score.
    public mutating func filter(by condition: Query) {
        filters.append(condition.queryString)
    }
}
