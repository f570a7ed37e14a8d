import FresnelModel

/// How large a query may be; reaching a limit is an error that names it.
package struct QueryLimits: Hashable, Sendable {
    /// UTF-8 bytes of the query string; bounds every other cost of parsing.
    package var textBytes: Int
    /// Parentheses open at once; bounds the stack of everything that walks the tree.
    package var depth: Int
    /// Predicates; each token of a `t` pattern counts as one, since each becomes one.
    package var predicates: Int
    /// Tokens of one pattern with the `t` modifier.
    package var tokens: Int

    package init(
        textBytes: Int = Limits.queryBytes, depth: Int = Limits.queryDepth,
        predicates: Int = Limits.queryPredicates, tokens: Int = Limits.queryTokens
    ) {
        self.textBytes = textBytes
        self.depth = depth
        self.predicates = predicates
        self.tokens = tokens
    }
}
