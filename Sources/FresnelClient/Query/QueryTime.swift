import FresnelQuery

/// A point in time, or a day, week, month or year seen from when the query runs (`$time`).
public struct QueryTime: Hashable, Sendable {
    let point: RangePoint

    private init(_ base: TimeExpression.Base, _ offset: Int, _ unit: TimeExpression.Unit) {
        let bound = Self.farthestOffset
        let offset = Swift.min(Swift.max(offset, -bound), bound)
        point = .time(TimeExpression(base: base, offset: offset, unit: unit))
    }

    /// A fixed instant.
    public init(_ timestamp: Timestamp) {
        point = .number(timestamp.seconds + 0)
    }

    /// When the query starts, shifted by whole seconds.
    public static func now(_ seconds: Int = 0) -> QueryTime { QueryTime(.now, seconds, .second) }

    /// The current day, or one so many days later.
    public static func today(_ days: Int = 0) -> QueryTime { QueryTime(.day, days, .day) }

    /// The current week, or one so many weeks later.
    public static func thisWeek(_ weeks: Int = 0) -> QueryTime { QueryTime(.week, weeks, .week) }

    /// The current month, or one so many months later.
    public static func thisMonth(_ months: Int = 0) -> QueryTime {
        QueryTime(.month, months, .month)
    }

    /// The current year, or one so many years later.
    public static func thisYear(_ years: Int = 0) -> QueryTime { QueryTime(.year, years, .year) }

    /// The day before the current one.
    public static let yesterday = today(-1)

    /// Beyond any calendar; the language takes no larger offsets.
    private static let farthestOffset = 1_000_000_000
}
