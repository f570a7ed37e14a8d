/// One bound of `InRange`.
package enum RangePoint: Hashable, Sendable {
    case number(Double)
    case time(TimeExpression)
}
