/// A date, or a date and time, as ISO 8601 writes it: what was said, before any zone is assumed.
///
/// Accepted: `2026-11-18`, then `T` or a space, `09:00`, `:30`, `.125`, then `Z`, `+01:00`, `+0100`
/// or `+01`. Years 0001...9999; a leap second is the first second of the next minute.
public struct ISO8601: Hashable, Sendable {
    /// The day.
    public var date: CivilDate
    /// Whole seconds since its midnight; nil for a bare date.
    public var secondOfDay: Int?
    /// The part of a second after them, 0..<1.
    public var fraction: Double = 0
    /// Seconds east of UTC; nil when the text names no zone.
    public var zoneOffset: Int?

    /// Reads a whole text; nil when it is not a date.
    public init?(_ text: some StringProtocol) {
        var reader = Reader(bytes: Array(text.utf8))
        guard let date = reader.date() else { return nil }
        self.date = date
        if reader.isAtEnd { return }
        guard reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let second = reader.secondOfDay()
        else { return nil }
        secondOfDay = second
        if reader.skip(".") {
            guard let fraction = reader.fraction() else { return nil }
            self.fraction = fraction
        }
        if reader.isAtEnd { return }
        guard let offset = reader.zone(), reader.isAtEnd else { return nil }
        zoneOffset = offset
    }

    /// The instant meant; a bare date means its midnight.
    ///
    /// - Parameter assumed: seconds east of UTC for a text without a zone.
    public func timestamp(assumingOffset assumed: Int = 0) -> Timestamp {
        let midnight = date.daysSince2001 * 86_400 - (zoneOffset ?? assumed)
        // The whole seconds are exact, so only the addition of the fraction rounds.
        let seconds = Double(midnight + (secondOfDay ?? 0)) + fraction
        return Timestamp(seconds: seconds) ?? Timestamp(wholeSeconds: 0)
    }
}

/// Reads the fields of a date from left to right; each is nil when it is not there.
private struct Reader {
    let bytes: [UInt8]
    var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: character) else {
            return false
        }
        position += 1
        return true
    }

    mutating func date() -> CivilDate? {
        guard let year = digits(4), year > 0, skip("-"), let month = digits(2), skip("-"),
            let day = digits(2)
        else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    mutating func secondOfDay() -> Int? {
        guard let hour = digits(2), hour < 24, skip(":"), let minute = digits(2), minute < 60
        else { return nil }
        guard skip(":") else { return hour * 3600 + minute * 60 }
        guard let second = digits(2), second <= 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Any number of digits; those beyond the nanosecond are read but say nothing.
    mutating func fraction() -> Double? {
        var value = 0.0
        var scale = 1.0
        var count = 0
        while let digit = digits(1) {
            count += 1
            guard count <= 9 else { continue }
            value = value * 10 + Double(digit)
            scale *= 10
        }
        return count > 0 ? value / scale : nil
    }

    /// Seconds east of UTC.
    mutating func zone() -> Int? {
        if skip("Z") || skip("z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hours = digits(2), hours < 24 else { return nil }
        var offset = hours * 3600
        if !isAtEnd {
            _ = skip(":")
            guard let minutes = digits(2), minutes < 60 else { return nil }
            offset += minutes * 60
        }
        return isWest ? -offset : offset
    }

    private mutating func digits(_ count: Int) -> Int? {
        guard position + count <= bytes.count else { return nil }
        var value = 0
        for index in position..<position + count {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        position += count
        return value
    }
}
