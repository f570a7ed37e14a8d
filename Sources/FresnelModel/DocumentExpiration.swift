/// When a stored document vanishes, by its own date or by the rule of its index.
package enum DocumentExpiration: Hashable, Sendable {
    /// At this instant.
    case at(Timestamp)
    /// Never.
    case never

    /// Of seconds since 2001; what is not finite is never.
    package init(seconds: Double) {
        self = Timestamp(seconds: seconds).map { .at($0) } ?? .never
    }
}
