package import FresnelJSON
import FresnelSystem
import Glibc

/// Two reports beside each other: how much a figure differs, and within which bounds that is known.
package struct Comparison: Sendable {
    /// One figure of both.
    package struct Row: Sendable {
        package let name: String
        package let before: Double
        package let after: Double
        /// Bounds of after ÷ before, of 95 % confidence.
        package let ratio: ClosedRange<Double>
        /// Whether more is worse.
        package let isLatency: Bool

        /// Whether the second is worse, and not by chance.
        package var isWorse: Bool { isLatency ? ratio.lowerBound > 1 : ratio.upperBound < 1 }
        /// Whether the second is better, and not by chance.
        package var isBetter: Bool { isLatency ? ratio.upperBound < 1 : ratio.lowerBound > 1 }
    }

    package let rows: [Row]

    /// Compares the measurements of the same label.
    ///
    /// Bounds of a percentile come from its order statistics (binomial, the normal approximation),
    /// those of the ratio from the outer bounds of both, so they are rather too wide than too
    /// narrow.
    ///
    /// - Throws: `ComparisonError` when one is no report, or they have nothing in common.
    package init(_ before: JSONValue, _ after: JSONValue) throws(ComparisonError) {
        let (old, new) = (try Self.measurements(before), try Self.measurements(after))
        var rows: [Row] = []
        for (label, first) in old {
            guard let second = new.first(where: { $0.0 == label })?.1 else { continue }
            rows += Self.rows(label, first, second)
        }
        guard !rows.isEmpty else { throw ComparisonError.nothingInCommon }
        self.rows = rows
    }

    /// Whether anything became worse by more than `tolerance` (0...), and not by chance.
    package func isWorse(beyond tolerance: Double) -> Bool {
        rows.contains { row in
            row.isLatency
                ? row.ratio.lowerBound > 1 + tolerance : row.ratio.upperBound < 1 - tolerance
        }
    }

    private static func measurements(
        _ report: JSONValue
    ) throws(ComparisonError) -> [(String, JSONValue)] {
        guard report["format"]?.integer == LoadReport.format,
            let measurements = report["measurements"]?.array
        else { throw .notAReport }
        return measurements.compactMap { value in value["label"]?.string.map { ($0, value) } }
    }

    private static func rows(_ label: String, _ old: JSONValue, _ new: JSONValue) -> [Row] {
        var rows: [Row] = []
        if let before = old["goodput"]?.double, let after = new["goodput"]?.double,
            let (first, second) = counts(old, new), before > 0, first > 0, second > 0
        {
            // Answers come one by one: the spread of a count is its root.
            let spread = 1.96 * (1 / first + 1 / second).squareRoot()
            let ratio = after / before
            rows.append(
                Row(
                    name: "\(label): good answers a second", before: before, after: after,
                    ratio: ratio * exp(-spread)...ratio * exp(spread), isLatency: false))
        }
        let first = old["total"]?["moments"]?["completion"]
        let second = new["total"]?["moments"]?["completion"]
        for (name, percentile) in LatencySummary.shown {
            guard let before = bounds(first, percentile), let after = bounds(second, percentile)
            else { continue }
            let low = after.low / max(before.high, 1)
            rows.append(
                Row(
                    name: "\(label): \(name)", before: before.value, after: after.value,
                    ratio: low...max(low, after.high / max(before.low, 1)), isLatency: true))
        }
        return rows
    }

    private static func counts(_ old: JSONValue, _ new: JSONValue) -> (Double, Double)? {
        guard let first = old["total"]?["good"]?.double, let second = new["total"]?["good"]?.double
        else { return nil }
        return (first, second)
    }

    /// A percentile of recorded values with its bounds.
    private static func bounds(
        _ latencies: JSONValue?, _ percentile: Double
    ) -> (low: Double, value: Double, high: Double)? {
        let recorded = (latencies?["recorded"]?.array ?? []).compactMap { pair in
            pair.array.flatMap { pair in
                pair.count == 2
                    ? pair[0].double.flatMap { v in pair[1].double.map { (v, $0) } } : nil
            }
        }
        let total = recorded.reduce(0) { $0 + $1.1 }
        guard total > 0 else { return nil }
        let part = percentile / 100
        let spread = 1.96 * (part * (1 - part) / total).squareRoot()
        func value(at part: Double) -> Double {
            var seen = 0.0
            for (value, count) in recorded {
                seen += count
                if seen >= part * total { return value }
            }
            return recorded.last?.0 ?? 0
        }
        return (value(at: max(0, part - spread)), value(at: part), value(at: min(1, part + spread)))
    }
}

/// Why two files cannot be compared.
package enum ComparisonError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAReport
    case nothingInCommon

    package var description: String {
        switch self {
        case .notAReport:
            "this is no report of `fresnel load --json-report` in a version that is known"
        case .nothingInCommon: "the reports have no measurement of the same name"
        }
    }
}
