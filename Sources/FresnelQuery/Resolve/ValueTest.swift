/// What one element of an attribute's value must satisfy; any element is enough.
package enum ValueTest: Hashable, Sendable {
    /// Any value at all.
    case exists
    /// A text that the pattern matches. A number value matches when `number` equals it (a quoted
    /// number against a numeric attribute).
    case text(TextPattern, number: Double?)
    /// A number or date in the interval; `domain` says which of them take part.
    case numeric(NumericInterval, domain: NumericDomain)
}
