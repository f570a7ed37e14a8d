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

    /// Something that two reports do not have in common.
    package struct Difference: Hashable, Sendable {
        /// What it is: `seed`, `documents`.
        package let name: String
        package let before: String
        package let after: String

        /// Whether the two say something else; two invalid reports have that in common.
        package var isDifferent: Bool { before != after }
    }

    package let rows: [Row]
    /// What was asked differently, so that figures say nothing about each other.
    package let differences: [Difference]
    /// What else is different, and is perhaps what one wants to compare.
    package let remarks: [Difference]

    /// Of these each is part of the question.
    private static let asked = [
        "workload", "plan", "objective", "seed", "workers", "shards", "documents",
    ]
    private static let around = [
        "version", "commit", "host", "processors", "processes", "keptAnswers",
        "copies", "processorModel",
    ]

    /// Compares the measurements of the same label, the first of it with the first, and the
    /// highest rates that held.
    ///
    /// What follows a search at a multiple of its rate is compared at the same rate only.
    ///
    /// Bounds of a percentile come from its order statistics (binomial, the normal approximation),
    /// those of the ratio from the outer bounds of both, so they are rather too wide than too
    /// narrow.
    ///
    /// - Throws: `ComparisonError` when one is no report, or they have nothing in common.
    package init(_ before: JSONValue, _ after: JSONValue) throws(ComparisonError) {
        let (old, new) = (try Self.measurements(before), try Self.measurements(after))
        let limits = LimitComparison(before, after)
        let alone = try MissingMeasurements(before, after, limits)
        var (rows, remarks) = (limits.rows, limits.remarks + alone.remarks)
        for (name, first) in old {
            guard let second = new.first(where: { $0.0 == name })?.1 else { continue }
            if let remark = Self.cutShort(name, first, second) { remarks.append(remark) }
            if let difference = Self.otherKept(name, first, second) { remarks.append(difference) }
            if let difference = Self.otherRates(name, first, second) {
                remarks.append(difference)
            } else {
                rows += Self.rows(name.text, first, second)
            }
        }
        guard !rows.isEmpty else { throw ComparisonError.nothingInCommon(remarks) }
        self.rows = rows
        differences =
            Self.differences(Self.asked, before["setting"], after["setting"]) + alone.differences
        let validity = Difference(
            name: "valid", before: Self.text(before["valid"]), after: Self.text(after["valid"]))
        self.remarks =
            Self.differences(Self.around, before["setting"], after["setting"]) + remarks
            + (before["valid"] == .bool(true) && after["valid"] == .bool(true) ? [] : [validity])
    }

    /// Checks that a value is a report, and that its figures can be.
    ///
    /// - Throws: `ComparisonError` if it is none, or damaged.
    package static func check(_ report: JSONValue) throws(ComparisonError) {
        try ReportCheck.check(report)
    }

    private static func differences(
        _ names: [String], _ before: JSONValue?, _ after: JSONValue?
    ) -> [Difference] {
        names.compactMap { name in
            let difference = Difference(
                name: name, before: text(before?[name]), after: text(after?[name]))
            return difference.before == difference.after ? nil : difference
        }
    }

    private static func text(_ value: JSONValue?) -> String {
        // What an older report does not have is what a newer one does not know.
        guard let value, value != .null else { return "nothing" }
        return value.string ?? value.serialized()
    }

    /// Whether anything became worse by more than `tolerance` (0...), and not by chance.
    package func isWorse(beyond tolerance: Double) -> Bool {
        rows.contains { row in
            row.isLatency
                ? row.ratio.lowerBound > 1 + tolerance : row.ratio.upperBound < 1 - tolerance
        }
    }

    static func measurements(
        _ report: JSONValue
    ) throws(ComparisonError) -> [(Name, JSONValue)] {
        try ReportCheck.check(report)
        var seen: [String: Int] = [:]
        return (report["measurements"]?.array ?? []).compactMap { value in
            guard let label = value["label"]?.string else { return nil }
            seen[label, default: 0] += 1
            return (Name(label: label, occurrence: seen[label] ?? 1), value)
        }
    }

    /// What tells a measurement from the others of its report: a search tries a rate again.
    struct Name: Hashable {
        let label: String
        /// From 1.
        let occurrence: Int

        var text: String { occurrence == 1 ? label : "\(label), try \(occurrence)" }
    }

    /// Which of two measurements were interrupted; nil where both were made to their end.
    private static func cutShort(
        _ name: Name, _ old: JSONValue, _ new: JSONValue
    ) -> Difference? {
        let text = { (value: JSONValue) in value["complete"] == .bool(false) ? "cut short" : "whole"
        }
        let difference = Difference(
            name: "measurement \(name.text)", before: text(old), after: text(new))
        return difference.isDifferent || difference.before == "cut short" ? difference : nil
    }

    /// The planned rates of what is not measured at one that was given; nil where they are equal.
    private static func otherRates(
        _ name: Name, _ old: JSONValue, _ new: JSONValue
    ) -> Difference? {
        guard ["overload", "recovery"].contains(where: { name.label.contains($0) }),
            let before = old["plannedRate"]?.double, let after = new["plannedRate"]?.double,
            abs(after - before) > 1e-6 * before
        else { return nil }
        return Difference(
            name: "rate of \(name.text), not compared", before: Figure.rate(before),
            after: Figure.rate(after))
    }

    /// The parts of the answers that a broker told again; nil where they are about equal.
    ///
    /// A report of before there were such answers has had none.
    private static func otherKept(
        _ name: Name, _ old: JSONValue, _ new: JSONValue
    ) -> Difference? {
        let share = { (report: JSONValue) in report["total"]?["keptShare"]?.double ?? 0 }
        let (before, after) = (share(old), share(new))
        guard abs(after - before) >= LoadReport.keptLeast else { return nil }
        return Difference(
            name: "share of kept answers in \(name.text)", before: Figure.percent(before),
            after: Figure.percent(after))
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
            else { continue }  // Too few requests in one of them.
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
        guard LatencySummary.isKnown(percentile, of: UInt64(total)) else { return nil }
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
    /// Something in it that no load writes.
    case damaged(place: String, complaint: String)
    /// No figure of one has a counterpart; and what of both was not compared.
    case nothingInCommon([Comparison.Difference])

    package var description: String {
        switch self {
        case .notAReport:
            """
            no report in a version that is known; give files that `fresnel load --json-report \
            FILE` wrote
            """
        case .damaged(let place, let complaint):
            "\(place): \(complaint); no load writes that, so the file is damaged: measure again"
        case .nothingInCommon(let others) where others.isEmpty:
            "the reports have no measurement of the same name"
        case .nothingInCommon(let others):
            "there is no figure that both reports have: "
                + others.map { "\($0.name): \($0.before), then \($0.after)" }
                .joined(separator: "; ")
        }
    }
}
