/// What the value of an attribute must satisfy.
package enum Relation: Hashable, Sendable {
    /// `== "*"`: the attribute has a value.
    case exists
    /// `== "…"`: the pattern matches under the modifiers; never holds the `t` modifier.
    case matches(TextPattern)
    /// A number (or Boolean, or date in seconds since 2001) compared.
    case number(OrderOperator, Double)
    /// A date compared with a `$time` form; `.equal` means "inside its span".
    case time(OrderOperator, TimeExpression)
    /// `InRange`, both ends inclusive.
    case range(RangePoint, RangePoint)
}
