import FresnelModel

/// Durations as people write them: `500ms`, `10s`, `5m`, `12h`, `30d`.
enum DurationText {
    private static let units: [(suffix: String, seconds: Double)] = [
        ("ms", 0.001), ("us", 0.000_001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
    ]

    /// Reads a duration; a number without a unit means seconds.
    static func parse(_ text: String, flag: String) throws(CommandError) -> Duration {
        let unit = units.first { text.hasSuffix($0.suffix) }
        let digits = unit.map { text.dropLast($0.suffix.count) } ?? text[...]
        guard let number = Double(digits), number.isFinite, number >= 0, number <= 1e12 else {
            throw .usage(
                "\(flag) must be a duration such as 500ms, 10s, 5m, 12h or 30d, not "
                    + "\"\(text)\"")
        }
        return .seconds(number * (unit?.seconds ?? 1))
    }

    /// Writes a short time for people.
    static func text(_ duration: Duration) -> String {
        let microseconds = Double(duration.wholeMicroseconds)
        // What is rounded to the next unit is written in it.
        switch microseconds {
        case ..<1000: return "\(Int(microseconds)) µs"
        case ..<999_500: return "\(decimal(microseconds / 1000)) ms"
        case ..<59_950_000: return "\(decimal(microseconds / 1_000_000)) s"
        default: return text(wholeSeconds: Int((microseconds / 1_000_000).rounded()))
        }
    }

    /// The two largest units, the smaller one where it is not zero.
    private static func text(wholeSeconds seconds: Int) -> String {
        let parts = [
            (seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "min"),
            (seconds % 60, "s"),
        ].drop { $0.0 == 0 }
        return parts.prefix(2).filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            .joined(separator: " ")
    }

    /// Three digits are enough for eyes.
    private static func decimal(_ number: Double) -> String {
        let scale: Double = number < 10 ? 100 : number < 100 ? 10 : 1
        let rounded = (number * scale).rounded() / scale
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
