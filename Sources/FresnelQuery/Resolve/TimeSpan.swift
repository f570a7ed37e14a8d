/// What a `$time` form stands for, in seconds since 2001.
struct TimeSpan: Hashable {
    let start: Double
    /// The first instant after the span; nil when the form is an instant.
    let end: Double?

    /// What `==` accepts.
    var interval: NumericInterval {
        NumericInterval(
            lower: start, upper: end ?? start, includesLower: true, includesUpper: end == nil)
    }
}
