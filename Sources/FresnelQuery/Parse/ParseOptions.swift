package import FresnelModel

/// What the parser has to know beside the query string.
package struct ParseOptions: Sendable {
    /// The attributes of the index.
    package var schema: AttributeSchema
    /// Whether an unknown attribute is an error instead of a warning.
    package var strict: Bool
    /// How large the query may be.
    package var limits: QueryLimits

    package init(
        schema: AttributeSchema = AttributeSchema(), strict: Bool = false,
        limits: QueryLimits = QueryLimits()
    ) {
        self.schema = schema
        self.strict = strict
        self.limits = limits
    }
}
