/// Figures as people read them.
package enum Figure {
    /// Microseconds, with three digits and a unit.
    package static func time(_ microseconds: UInt64) -> String {
        switch microseconds {
        case ..<1000: "\(microseconds) µs"
        case ..<1_000_000: "\(plain(Double(microseconds) / 1000)) ms"
        default: "\(plain(Double(microseconds) / 1_000_000)) s"
        }
    }

    /// Microseconds; a dash where they are not known.
    package static func time(_ microseconds: UInt64?) -> String {
        guard let microseconds else { return "–" }
        return time(microseconds)
    }

    /// Requests a second.
    package static func rate(_ rate: Double) -> String { "\(plain(rate))/s" }

    /// The name of a percentile (0…100), as objectives write it: p50, p99.9.
    package static func percentile(_ percentile: Double) -> String {
        // Not rounded: 99.999 is not 100.
        "p" + (percentile == percentile.rounded() ? String(Int(percentile)) : String(percentile))
    }

    /// So many of something.
    package static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
        "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
    }

    /// A part of one (0...1).
    package static func percent(_ part: Double) -> String { "\(plain(part * 100)) %" }

    /// A number with three digits, as far as it has any behind its point.
    package static func plain(_ number: Double) -> String {
        let size = abs(number)
        let scale: Double = size < 10 ? 100 : size < 100 ? 10 : 1
        let rounded = (number * scale).rounded() / scale
        return Int(exactly: rounded).map(String.init) ?? String(rounded)
    }
}
