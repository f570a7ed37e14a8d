/// A parsed query: one Boolean expression over comparisons, before any clock is read.
///
/// Normalised: `!=` is `.not` of `==`, the `t` modifier is rewritten to a conjunction, file-style
/// modifiers and aliases are in their canonical spelling.
package enum Expression: Hashable, Sendable {
    /// `true` or `false`, as saved searches end in `&& (true)`.
    case constant(Bool)
    /// Every part holds; at least two parts.
    case and([Expression])
    /// Some part holds; at least two parts.
    case or([Expression])
    /// The part does not hold.
    indirect case not(Expression)
    /// One predicate over one attribute.
    case comparison(Comparison)
}
