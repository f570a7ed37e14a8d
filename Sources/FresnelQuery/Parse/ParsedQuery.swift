/// What the parser made of a query string.
package struct ParsedQuery: Hashable, Sendable {
    /// The normalised tree.
    package let expression: Expression
    /// What is valid but odd, by offset.
    package let warnings: [QueryWarning]

    package init(expression: Expression, warnings: [QueryWarning]) {
        self.expression = expression
        self.warnings = warnings
    }
}
