/// A day of the Gregorian calendar, also before it was in use.
///
/// Source: Howard Hinnant, "chrono-compatible low-level date algorithms". Years are counted from
/// March, so that the leap day is the last of its year and months need no table; 400 years
/// (146 097 days) repeat.
public struct CivilDate: Hashable, Sendable {
    /// The year; 0 is 1 BC.
    public let year: Int
    /// 1...12.
    public let month: Int
    /// 1...31.
    public let day: Int

    /// Makes a date, or nil when the month has no such day.
    public init?(year: Int, month: Int, day: Int) {
        guard abs(year) <= Self.farthestYear, (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.days(inMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Makes the date a number of days after 2001-01-01, at most a million years away.
    public init(daysSince2001 days: Int) {
        precondition(abs(days) <= 366_000_000, "day \(days) is beyond the calendar")
        let shifted = days + Self.epochShift
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days from 2001-01-01 to this date.
    public var daysSince2001: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - Self.epochShift
    }

    /// The day of the week, 1 Monday … 7 Sunday; 2001-01-01 was a Monday.
    public var weekday: Int {
        let remainder = daysSince2001 % 7
        return (remainder < 0 ? remainder + 7 : remainder) + 1
    }

    /// Days of a month.
    public static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether a year has a 29 February.
    public static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// Days from 0000-03-01 to 2001-01-01.
    private static let epochShift = 730_791
    private static let farthestYear = 1_000_000
}
