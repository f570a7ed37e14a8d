/// An ISO 8601 calendar date, perhaps with a time of day, perhaps with a zone.
///
/// Accepted: `2026-11-20`, then `T`, `t` or a space and `15:30`, `15:30:05` or `15:30:05.25`, then
/// `Z`, `+02`, `+0200`, `+02:00` or nothing. The calendar is Gregorian for all years 1…9999.
package struct ISODate: Hashable, Sendable {
    /// The day.
    package let day: CivilDate
    /// Seconds after midnight; nil for a bare date.
    package let secondsOfDay: Double?
    /// East of Greenwich, in seconds; nil means the query's zone.
    package let zoneOffset: Int?

    /// Parses a text, or nil when it is not such a date.
    package init?(_ text: String) {
        var reader = DigitReader(text)
        guard let year = reader.digits(4), reader.take("-"),
            let month = reader.digits(2), reader.take("-"),
            let date = reader.digits(2),
            let day = CivilDate(year: year, month: month, day: date)
        else { return nil }
        self.day = day
        guard !reader.isAtEnd else {
            secondsOfDay = nil
            zoneOffset = nil
            return
        }
        guard reader.take("T") || reader.take("t") || reader.take(" "),
            let seconds = reader.timeOfDay()
        else { return nil }
        secondsOfDay = seconds
        if reader.isAtEnd {
            zoneOffset = nil
            return
        }
        guard let zone = reader.zone(), reader.isAtEnd else { return nil }
        zoneOffset = zone
    }
}

/// Reads fixed-width numbers from ASCII.
private struct DigitReader {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func take(_ mark: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: mark) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func digits(_ count: Int) -> Int? {
        guard rest.count >= count else { return nil }
        var value = 0
        for byte in rest.prefix(count) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        rest.removeFirst(count)
        return value
    }

    /// `HH:MM[:SS[.fraction]]` as seconds after midnight.
    mutating func timeOfDay() -> Double? {
        guard let hour = digits(2), hour < 24, take(":"), let minute = digits(2), minute < 60
        else { return nil }
        var seconds = Double(hour * 3600 + minute * 60)
        guard take(":") else { return seconds }
        guard let second = digits(2), second < 60 else { return nil }
        seconds += Double(second)
        guard take(".") else { return seconds }
        var scale = 0.1
        guard let first = digits(1) else { return nil }
        seconds += Double(first) * scale
        while let digit = digits(1) {
            scale /= 10
            seconds += Double(digit) * scale
        }
        return seconds
    }

    /// `Z`, `±HH`, `±HHMM` or `±HH:MM` as seconds east of Greenwich.
    mutating func zone() -> Int? {
        if take("Z") || take("z") { return 0 }
        let sign: Int
        if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
        guard let hour = digits(2), hour < 24 else { return nil }
        guard !isAtEnd else { return sign * hour * 3600 }
        _ = take(":")
        guard let minute = digits(2), minute < 60 else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }
}
