/// The five orderings; `!=` is `.not` around `.equal`.
package enum OrderOperator: String, Hashable, Sendable {
    case equal = "=="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
}
