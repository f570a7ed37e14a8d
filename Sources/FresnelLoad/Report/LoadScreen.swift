import Histogram

/// How a measurement goes, as text: the last whole stretch of time, and curves of those before it.
///
/// While there is no whole one, dashes say so.
package struct LoadScreen {
    private let order: LoadOrder
    private let progress: LoadProgress
    /// Stretches that are at their end; the newest is not.
    private let steps: [Timeline.Step]

    /// Columns of a curve, and of the bar.
    private static let width = 24
    /// Columns that the name of a line and its figures take beside a curve.
    private static let besideCurves = 42
    /// Columns of a curve; figures go before curves on a narrow terminal.
    private var curveWidth = Self.width

    package init(_ order: LoadOrder, _ progress: LoadProgress) {
        self.order = order
        self.progress = progress
        steps = progress.steps.dropLast().suffix(Self.width)
    }

    /// All of it as one line, for output that is no terminal.
    package var line: String {
        var line = "\(order.label)  \(time)"
        if let rate = order.rate { line += "  \(Figure.rate(rate)) planned" }
        if let step = steps.last {
            line += "  \(Figure.rate(good(step))) good"
            if let percentiles = order.percentiles {
                // All of the same span of time, as is the curve behind them.
                let longest = steps.map(\.latency).filter { $0.count > 0 }.map(\.largest).max()
                line += percentiles.map { "  \(Figure.percentile($0)) \(judged($0))" }.joined()
                line += "  max \(Figure.time(longest))"
            } else {
                line += "  p50 \(Self.time(step) { $0.value(at: 50) })"
                line += "  max \(Self.time(step) { $0.largest })"
            }
            if let kept { line += "  \(kept)" }
            line += "  " + Self.curve(steps.map { Double($0.latency.largest) })
        }
        if let failures { line += "  \(failures)" }
        return line + "  \(progress.waiting) waiting"
    }

    /// A screen of a few lines, none longer than `columns`.
    package func lines(columns: Int) -> [String] {
        var screen = self
        screen.curveWidth = max(0, min(Self.width, columns - Self.besideCurves))
        return screen.lines().map { String($0.prefix(max(20, columns - 1))) }
    }

    private func lines() -> [String] {
        var lines = ["\(order.label)  \(bar) \(time)"]
        let planned = order.rate.map { "\(Figure.rate($0)) planned, " } ?? ""
        let good = steps.last.map { Figure.rate(self.good($0)) } ?? "–"
        lines.append(
            row(
                "rate", curve { self.good($0) },
                "\(planned)\(good) good" + (kept.map { ", \($0)" } ?? "")))
        for (name, value) in Self.latencies {
            lines.append(
                row(name, curve { Double(value($0.latency)) }, Self.time(steps.last, value)))
        }
        for percentile in order.percentiles ?? [] where ![50, 90].contains(percentile) {
            lines.append(
                row(
                    Figure.percentile(percentile),
                    curve { Double($0.latency.value(at: percentile)) },
                    "\(judged(percentile)) of all these"))
        }
        lines.append(
            row("failed", curve { Double($0.failed) }, failures ?? "none")
                + ", \(progress.waiting) waiting")
        for worker in Set(steps.flatMap(\.searching.keys)).sorted().prefix(16) {
            let busy = { (step: Timeline.Step) in
                Double(step.searching[worker] ?? 0) / 1e6 / progress.stepSeconds
            }
            let now = steps.last.map { Figure.plain(busy($0)) } ?? "–"
            lines.append(row(worker, curve(busy), "searches \(now) shards at a time"))
        }
        return lines
    }

    /// A percentile of all stretches together, since most need more answers than one has.
    private func judged(_ percentile: Double) -> String {
        var all = LatencySummary(digits: .two)
        for step in steps { all.add(step.latency) }
        return Figure.time(all.known(at: percentile))
    }

    /// A latency of one stretch; a dash where nothing was answered.
    private static func time(
        _ step: Timeline.Step?, _ value: (LatencySummary) -> UInt64
    ) -> String {
        guard let latency = step?.latency, latency.count > 0 else { return "–" }
        return Figure.time(value(latency))
    }

    private static let latencies: [(String, @Sendable (LatencySummary) -> UInt64)] = [
        ("p50", { $0.value(at: 50) }), ("p90", { $0.value(at: 90) }), ("max", { $0.largest }),
    ]

    private func row(_ name: String, _ curve: String, _ text: String) -> String {
        let gap = curveWidth > 0 ? curveWidth - curve.count + 2 : 0
        return "  " + name + String(repeating: " ", count: max(1, 10 - name.count)) + curve
            + String(repeating: " ", count: gap) + text
    }

    private func good(_ step: Timeline.Step) -> Double {
        Double(step.good) / progress.stepSeconds
    }

    /// How far it came, and how long all of it will still take where that is known.
    private var time: String {
        let passed = min(progress.seconds, order.seconds)
        let text = "\(Figure.plain(passed)) of \(Figure.plain(order.seconds)) s"
        guard let after = order.secondsAfter else { return text }
        let left = Int((order.seconds - passed + after).rounded())
        return text + ", \(left < 120 ? "\(left) s" : "\(left / 60) min") left"
    }

    private var bar: String {
        let part = order.seconds > 0 ? min(1, progress.seconds / order.seconds) : 1
        let full = Int(part * Double(curveWidth))
        return String(repeating: "█", count: full)
            + String(repeating: "░", count: curveWidth - full)
    }

    private var failures: String? {
        let failed = progress.failures.sorted {
            ($0.value, $1.key.title) > ($1.value, $0.key.title)
        }
        guard !failed.isEmpty else { return nil }
        return failed.prefix(3).map { "\($0.value) \($0.key.title)" }.joined(separator: ", ")
    }

    /// The part of the newest answers that the broker told again; nil where it told none.
    private var kept: String? {
        guard let step = steps.last, step.kept > 0 else { return nil }
        return "\(Figure.percent(Double(step.kept) / Double(step.answers))) kept"
    }

    private func curve(_ value: (Timeline.Step) -> Double) -> String {
        Self.curve(steps.suffix(curveWidth).map(value))
    }

    /// A spark line, its highest value the full height.
    static func curve(_ values: [Double]) -> String {
        let bars = Array("▁▂▃▄▅▆▇█")
        let most = max(values.max() ?? 1, .leastNormalMagnitude)
        return String(values.map { bars[Int($0 / most * Double(bars.count - 1))] })
    }
}
