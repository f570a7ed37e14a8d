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
        switch microseconds {
        case ..<1000: return "\(Int(microseconds)) µs"
        case ..<1_000_000: return "\(decimal(microseconds / 1000)) ms"
        case ..<60_000_000: return "\(decimal(microseconds / 1_000_000)) s"
        default:
            let seconds = Int(microseconds / 1_000_000)
            let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
            return hours > 0 ? "\(hours) h \(minutes) min" : "\(minutes) min \(seconds % 60) s"
        }
    }

    /// Three digits are enough for eyes.
    private static func decimal(_ number: Double) -> String {
        let scale: Double = number < 10 ? 100 : number < 100 ? 10 : 1
        let rounded = (number * scale).rounded() / scale
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
