extension Timestamp {
    /// Reads an ISO 8601 date or date and time; nil when the text is neither.
    ///
    /// - Parameter assumed: seconds east of UTC for a text without a zone.
    public init?(iso8601 text: some StringProtocol, assumingOffset assumed: Int = 0) {
        guard let parsed = ISO8601(text) else { return nil }
        self = parsed.timestamp(assumingOffset: assumed)
    }

    /// The instant in UTC, `2026-11-18T09:00:00Z`; nil outside the years 0001...9999.
    ///
    /// As many digits follow the second as reading it back needs, at most 9.
    public var iso8601: String? {
        guard seconds >= Self.firstPrintable, seconds < Self.endOfPrintable else { return nil }
        var whole = seconds.rounded(.down)
        var digits = Self.fractionDigits(of: seconds, whole: whole)
        if digits.count > 9 {
            whole += 1
            digits = ""
        }
        let total = Int(whole)
        let day = Int((whole / 86_400).rounded(.down))
        let second = total - day * 86_400
        let date = CivilDate(daysSince2001: day)
        let time = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, to: 2) }
        let fraction = digits.isEmpty ? "" : "." + digits
        return "\(date)T\(time.joined(separator: ":"))\(fraction)Z"
    }

    /// The fewest digits after the second that give the same number; 10 of them mean "round up".
    private static func fractionDigits(of seconds: Double, whole: Double) -> String {
        let fraction = seconds - whole
        if fraction == 0 { return "" }
        var scale = 1.0
        for count in 1...9 {
            scale *= 10
            let numerator = (fraction * scale).rounded()
            if whole + numerator / scale == seconds || count == 9 {
                let text = padded(Int(numerator), to: count)
                return text.count > count ? padded(0, to: 10) : text
            }
        }
        return ""
    }

    fileprivate static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// 0001-01-01T00:00:00Z.
    private static let firstPrintable: Double = -730_485 * 86_400
    /// 10000-01-01T00:00:00Z.
    private static let endOfPrintable: Double = 2_921_574 * 86_400
}

extension CivilDate: CustomStringConvertible {
    /// The date as `2026-11-18`.
    public var description: String {
        let digits = [Timestamp.padded(month, to: 2), Timestamp.padded(day, to: 2)]
        return "\(Timestamp.padded(year, to: 4))-\(digits.joined(separator: "-"))"
    }
}

extension Timestamp: CustomStringConvertible {
    /// The instant in UTC, or the seconds since 2001 where the calendar does not reach.
    public var description: String { iso8601 ?? "\(seconds)" }
}
