/// What a run has to hold: bounds of latency, and how many requests may go wrong.
///
/// Written as `p99<50ms,errors<1%`; several bounds hold together.
package struct Objective: Hashable, Sendable, CustomStringConvertible {
    /// One bound.
    package enum Bound: Hashable, Sendable {
        /// The value at a percentile (0…100) is below so many microseconds.
        case latency(percentile: Double, microseconds: UInt64)
        /// The part of requests that end in anything but a whole answer is below this (0…1).
        case failures(Double)
    }

    /// The bounds, in the order in which they were written.
    package let bounds: [Bound]

    /// At most a hundredth of the requests may go wrong, if nothing else is said.
    package static let failuresByDefault = 0.01

    package init(_ bounds: [Bound]) {
        self.bounds = bounds
    }

    /// Reads `p99<50ms`, `p99.9<2s`, `errors<0.5%`, several parted by commas.
    ///
    /// - Throws: `ObjectiveError` naming the bound that is none.
    package init(parsing text: String) throws(ObjectiveError) {
        var bounds: [Bound] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "<").map { $0.filter { $0 != " " } }
            guard sides.count == 2, let bound = Self.bound(sides[0], sides[1]) else {
                throw ObjectiveError(part: String(part))
            }
            bounds.append(bound)
        }
        self.init(bounds)
    }

    private static func bound(_ name: String, _ limit: String) -> Bound? {
        if name == "errors", limit.hasSuffix("%"), let part = Double(limit.dropLast()),
            part > 0, part <= 100
        {
            return .failures(part / 100)
        }
        guard name.hasPrefix("p"), let percentile = Double(name.dropFirst()),
            percentile > 0, percentile < 100, let microseconds = microseconds(limit)
        else { return nil }
        return .latency(percentile: percentile, microseconds: microseconds)
    }

    private static func microseconds(_ text: String) -> UInt64? {
        for (unit, factor) in [("ms", 1000.0), ("us", 1.0), ("µs", 1.0), ("s", 1e6)]
        where text.hasSuffix(unit) {
            guard let number = Double(text.dropLast(unit.count)), number > 0, number < 1e6 else {
                return nil
            }
            return UInt64(number * factor)
        }
        return nil
    }

    /// The part of requests (0...1) that may go wrong.
    package var failuresMost: Double {
        bounds.lazy.compactMap { bound in
            if case .failures(let part) = bound { part } else { nil }
        }.first ?? Self.failuresByDefault
    }

    /// The percentiles (0…100) that bounds are about, in their order.
    package var percentiles: [Double] {
        bounds.compactMap { bound in
            if case .latency(let percentile, _) = bound { percentile } else { nil }
        }
    }

    package var description: String {
        bounds.map { bound in
            switch bound {
            case .latency(let percentile, let microseconds):
                "p\(Self.plain(percentile))<\(Self.plain(Double(microseconds) / 1000))ms"
            case .failures(let part): "errors<\(Self.plain(part * 100))%"
            }
        }.joined(separator: ",")
    }

    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}

/// A bound of an objective that cannot be read.
package struct ObjectiveError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was written.
    package let part: String

    package var description: String {
        "'\(part)' is no objective: write p99<50ms, p50<2ms, p99.9<1s or errors<1%, several parted "
            + "by commas"
    }
}
