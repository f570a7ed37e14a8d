import FresnelModel

extension CivilDate {
    /// The days queries reckon with: years of four digits, and one more so that the last one ends.
    private static let years = 1...10_000

    /// The day `count` days after 2001-01-01, or nil outside the years 1…10 000.
    static func checked(daysSince2001 count: Int) -> CivilDate? {
        guard abs(count) < 3_660_000 else { return nil }
        let date = CivilDate(daysSince2001: count)
        return years.contains(date.year) ? date : nil
    }

    /// The day `count` days later, or nil outside the calendar.
    func adding(days count: Int) -> CivilDate? {
        let (sum, overflow) = daysSince2001.addingReportingOverflow(count)
        return overflow ? nil : Self.checked(daysSince2001: sum)
    }

    /// The same day `count` months later, the month's last day where it is shorter.
    func adding(months count: Int) -> CivilDate? {
        let (months, overflow) = (year * 12 + month - 1).addingReportingOverflow(count)
        guard !overflow, months >= 0, Self.years.contains(months / 12) else { return nil }
        let newMonth = months % 12 + 1
        let length = Self.days(inMonth: newMonth, year: months / 12)
        return CivilDate(year: months / 12, month: newMonth, day: min(day, length))
    }
}
