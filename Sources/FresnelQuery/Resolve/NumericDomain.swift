/// Which values a numeric test looks at.
package enum NumericDomain: Hashable, Sendable {
    /// Numbers, and dates as seconds since 2001 (the literal was a bare number).
    case numbersAndDates
    /// Dates only (the literal was a `$time` form).
    case dates
}
