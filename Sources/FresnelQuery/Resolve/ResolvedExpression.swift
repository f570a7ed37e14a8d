/// A query after the clock was read: only texts and numbers are left.
///
/// This is what the reference matcher and the index evaluate. `Expression.resolved(in:)` makes it.
package enum ResolvedExpression: Hashable, Sendable {
    case constant(Bool)
    case and([ResolvedExpression])
    case or([ResolvedExpression])
    indirect case not(ResolvedExpression)
    case comparison(ResolvedComparison)
}
