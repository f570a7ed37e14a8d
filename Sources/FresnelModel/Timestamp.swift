/// A point in time, as seconds since 2001-01-01 00:00:00 UTC.
///
/// The unit and the epoch are Core Spotlight's; Unix time is this plus 978 307
/// 200.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Seconds between the Unix epoch and this type's epoch.
    public static let unixEpochOffset: Double = 978_307_200

    /// Seconds since 2001-01-01 00:00:00 UTC, always finite.
    public let seconds: Double

    /// Makes a point in time from seconds since 2001, or nil when the number is not finite.
    public init?(seconds: Double) {
        guard seconds.isFinite else { return nil }
        self.seconds = seconds
    }

    /// Makes a point in time from whole seconds since 2001.
    public init(wholeSeconds: Int64) {
        seconds = Double(wholeSeconds)
    }

    /// What a wall clock shows, in seconds since 1970-01-01 00:00:00 UTC.
    ///
    /// Every clock of a machine shows a finite number.
    package init(wallClock unixSeconds: Double) {
        precondition(unixSeconds.isFinite, "a clock shows \(unixSeconds)")
        seconds = unixSeconds - Self.unixEpochOffset
    }

    /// Seconds since 1970-01-01 00:00:00 UTC.
    public var unixSeconds: Double { seconds + Self.unixEpochOffset }

    /// The earlier of two points in time is the lesser.
    public static func < (lhs: Timestamp, rhs: Timestamp) -> Bool { lhs.seconds < rhs.seconds }
}
