// A $time form is an instant (as bound and for orderings) and, but for `now` and full ISO dates, a
// span from that instant to one base unit later (for ==). An offset in the calendar's units moves
// the first day of the span; one in hours, minutes or seconds moves both of its ends.

import FresnelModel

/// Reads `$time` forms under the stamp of one query.
struct TimeResolver {
    private let calendar: LocalCalendar
    private let now: Double

    /// Checks the stamp.
    ///
    /// - Throws: when the zone is unknown or the first weekday is none.
    init(_ context: borrowing QueryContext) throws(QueryError) {
        guard let offsets = ZoneOffsets(identifier: context.timeZone) else {
            throw QueryError(
                offset: 0, expected: "an IANA time zone in the query context",
                found: "'\(QueryScanner.printable(context.timeZone))'",
                hint: "for example UTC or Europe/Berlin")
        }
        guard (1...7).contains(context.firstWeekday) else {
            throw QueryError(
                offset: 0, expected: "a first weekday in the query context",
                found: "\(context.firstWeekday)", hint: "1 is Monday, 7 is Sunday")
        }
        calendar = LocalCalendar(offsets: offsets, firstWeekday: context.firstWeekday)
        now = context.now.seconds
    }

    /// The span of a form that stands at `offset` in the query.
    func span(of time: TimeExpression, at offset: Int) throws(QueryError) -> TimeSpan {
        guard let span = span(of: time) else {
            throw QueryError(
                offset: offset, expected: "a date in the years 1 to 9999", found: "\(time)")
        }
        return span
    }

    private func span(of time: TimeExpression) -> TimeSpan? {
        switch time.base {
        case .iso(let text): isoSpan(text)
        case .now: shiftedNow(by: time.offset, time.unit).map { TimeSpan(start: $0, end: nil) }
        case .day, .week, .month, .year: unitSpan(time)
        }
    }

    private func isoSpan(_ text: String) -> TimeSpan? {
        guard let iso = ISO8601(text) else { return nil }
        guard let second = iso.secondOfDay else { return days(from: iso.date, .day) }
        if iso.zoneOffset != nil { return TimeSpan(start: iso.timestamp().seconds, end: nil) }
        let seconds = Double(second) + iso.fraction
        return TimeSpan(
            start: calendar.instant(of: iso.date, secondsOfDay: seconds), end: nil)
    }

    private func shiftedNow(by count: Int, _ unit: TimeExpression.Unit) -> Double? {
        if let length = unit.seconds { return now + Double(count) * length }
        guard let (day, seconds) = calendar.local(now), let shifted = day.adding(count, unit)
        else { return nil }
        return count == 0 ? now : calendar.instant(of: shifted, secondsOfDay: seconds)
    }

    private func unitSpan(_ time: TimeExpression) -> TimeSpan? {
        let own = TimeExpression.ownUnit(of: time.base)
        guard let (today, _) = calendar.local(now), let first = firstDay(of: time.base, today)
        else { return nil }
        if let length = time.unit.seconds {
            let shift = Double(time.offset) * length
            return days(from: first, own).map {
                TimeSpan(start: $0.start + shift, end: $0.end.map { $0 + shift })
            }
        }
        return first.adding(time.offset, time.unit).flatMap { days(from: $0, own) }
    }

    private func firstDay(of base: TimeExpression.Base, _ today: CivilDate) -> CivilDate? {
        switch base {
        case .week: calendar.startOfWeek(today)
        case .month: CivilDate(year: today.year, month: today.month, day: 1)
        case .year: CivilDate(year: today.year, month: 1, day: 1)
        case .now, .day, .iso: today
        }
    }

    /// From the midnight of `day` to the midnight one `unit` later.
    private func days(from day: CivilDate, _ unit: TimeExpression.Unit) -> TimeSpan? {
        guard let next = day.adding(1, unit) else { return nil }
        return TimeSpan(start: calendar.instant(of: day), end: calendar.instant(of: next))
    }
}

extension TimeExpression.Unit {
    /// The length of a unit that every day has alike; nil for the calendar's units.
    fileprivate var seconds: Double? {
        switch self {
        case .second: 1
        case .minute: 60
        case .hour: 3600
        case .day, .week, .month, .year: nil
        }
    }
}

extension CivilDate {
    /// The day `count` units later; units below a day do not move it.
    fileprivate func adding(_ count: Int, _ unit: TimeExpression.Unit) -> CivilDate? {
        let factor: Int
        switch unit {
        case .second, .minute, .hour: return self
        case .day: return adding(days: count)
        case .week: factor = 7
        case .month: return adding(months: count)
        case .year: factor = 12
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: factor)
        guard !overflow else { return nil }
        return unit == .week ? adding(days: product) : adding(months: product)
    }
}
