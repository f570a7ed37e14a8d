/// A day of the Gregorian calendar, extended to all years 1…9999.
///
/// Source: Howard Hinnant, "chrono-compatible low-level date algorithms" (days_from_civil and its
/// inverse), with days counted from 2001-01-01.
package struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 2001-01-01, a Monday.
    package let dayNumber: Int

    /// The years the calendar covers.
    package static let years = 1...9999
    private static let dayNumbers: ClosedRange<Int> = {
        dayNumber(year: 1, month: 1, day: 1)...dayNumber(year: 9999, month: 12, day: 31)
    }()

    /// The day `dayNumber` days after 2001-01-01, or nil outside the calendar.
    package init?(dayNumber: Int) {
        guard Self.dayNumbers.contains(dayNumber) else { return nil }
        self.dayNumber = dayNumber
    }

    /// The day with these parts, or nil when there is none.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1,
            day <= Self.length(of: month, in: year)
        else { return nil }
        dayNumber = Self.dayNumber(year: year, month: month, day: day)
    }

    /// Year, month 1…12 and day 1…31.
    package var parts: (year: Int, month: Int, day: Int) {
        let shifted = dayNumber + 730_791
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// 1 Monday … 7 Sunday.
    package var weekday: Int { ((dayNumber % 7) + 7) % 7 + 1 }

    /// The day `count` days later, or nil outside the calendar.
    package func adding(days count: Int) -> CivilDate? {
        let (sum, overflow) = dayNumber.addingReportingOverflow(count)
        return overflow ? nil : CivilDate(dayNumber: sum)
    }

    /// The same day `count` months later, the month's last day where it is shorter.
    package func adding(months count: Int) -> CivilDate? {
        let (year, month, day) = parts
        let (months, overflow) = (year * 12 + month - 1).addingReportingOverflow(count)
        guard !overflow, months >= 0 else { return nil }
        let newYear = months / 12
        let newMonth = months % 12 + 1
        guard Self.years.contains(newYear) else { return nil }
        let newDay = min(day, Self.length(of: newMonth, in: newYear))
        return CivilDate(year: newYear, month: newMonth, day: newDay)
    }

    /// The earlier day is the lesser.
    package static func < (lhs: CivilDate, rhs: CivilDate) -> Bool {
        lhs.dayNumber < rhs.dayNumber
    }

    private static func length(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let marchMonth = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 730_791
    }
}
