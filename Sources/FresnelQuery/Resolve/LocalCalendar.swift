import FresnelModel

/// The Gregorian calendar as people in one time zone live it.
///
/// A local time that a clock change skips stands for the instant the same distance after the
/// change; one that occurs twice stands for its first occurrence. So a day lasts from its midnight
/// to the next, be that 23, 24 or 25 hours.
struct LocalCalendar {
    let offsets: ZoneOffsets
    /// ISO numbering: 1 Monday … 7 Sunday.
    let firstWeekday: Int

    /// The local day and seconds after midnight of an instant, or nil outside the calendar.
    func local(_ instant: Double) -> (day: CivilDate, secondsOfDay: Double)? {
        guard abs(instant) < 1e12 else { return nil }
        let seconds = instant + Double(offsets.offset(at: instant))
        let dayNumber = (seconds / 86_400).rounded(.down)
        guard let day = CivilDate.checked(daysSince2001: Int(dayNumber)) else { return nil }
        return (day, seconds - dayNumber * 86_400)
    }

    /// The instant of a local time, in seconds since 2001.
    func instant(of day: CivilDate, secondsOfDay: Double = 0) -> Double {
        let local = Double(day.daysSince2001) * 86_400 + secondsOfDay
        let before = local - Double(offsets.offset(at: local - 86_400))
        if before + Double(offsets.offset(at: before)) == local { return before }
        let after = local - Double(offsets.offset(at: local + 86_400))
        if after + Double(offsets.offset(at: after)) == local { return after }
        return before
    }

    /// The first day of the week that holds `day`.
    func startOfWeek(_ day: CivilDate) -> CivilDate? {
        day.adding(days: -((day.weekday - firstWeekday + 7) % 7))
    }
}
