/// A report as lines for a terminal.
package enum ReportText {
    /// What one measurement came to.
    package static func lines(_ measurement: LoadReport.Measurement) -> [String] {
        let total = measurement.total
        var lines = [
            "\(measurement.label): \(measurement.planText), "
                + "\(Figure.rate(measurement.goodput)) good, "
                + "\(Figure.percent(total.failures)) of \(total.count) failed"
        ]
        // Where nothing was told again there is no column for it.
        let kept = { (tally: ClassTally) -> [String] in
            total.kept > 0 ? [tally.keptShare.map(Figure.percent) ?? "–"] : []
        }
        let columns = ["answers", "p50", "p90", "p99", "p99.9", "max"]
        lines.append(row("", columns + (total.kept > 0 ? ["kept"] : [])))
        for moment in Moment.allCases {
            guard let latencies = total.moments[moment] else { continue }
            lines.append(
                row(moment.title, cells(latencies) + (moment == .completion ? kept(total) : [])))
        }
        lines.append("")
        for tally in measurement.contents.classes where tally.count > 0 {
            lines.append(row(tally.name, cells(tally.completion) + kept(tally)))
        }
        for (outcome, count) in total.outcomesByCount where outcome != .complete {
            lines.append("\(outcome.title): \(count)")
        }
        for (fault, count) in total.shardFaults.sorted(by: { $0.value > $1.value }).prefix(10) {
            lines.append("shard \(fault): \(count)")
        }
        for (name, span) in measurement.contents.memory.spans.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "memory of \(name): \(span.first >> 20) MiB, at most \(span.most >> 20), at the "
                    + "end \(span.last >> 20)")
        }
        if let cutOff = measurement.cutOffText { lines.append(cutOff) }
        lines += measurement.complaints.map { "INVALID: \($0)" }
        lines += measurement.remarks.map { "meant to be too much: \($0)" }
        return lines
    }

    /// What one rate of a search came to: the percentiles that its objective is about.
    package static func searchLine(
        _ measurement: LoadReport.Measurement, _ objective: Objective?
    ) -> String {
        let total = measurement.total
        let figures =
            (objective?.percentiles ?? []).map { percentile in
                let value = Figure.time(total.completion.known(at: percentile))
                return "\(Figure.percentile(percentile)) \(value)"
            } + ["\(Figure.percent(total.failures)) failed"]
            + (measurement.keptText.map { ["\($0) kept"] } ?? [])
        let verdict = measurement.verdict.map { "; \($0.text)" } ?? ""
        return "\(measurement.label): \(figures.joined(separator: ", "))\(verdict)"
    }

    private static func cells(_ latencies: LatencySummary) -> [String] {
        [String(latencies.count)]
            + LatencySummary.shown.map { Figure.time(latencies.known(at: $0.percentile)) }
            + [Figure.time(latencies.count > 0 ? latencies.largest : nil)]
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        func padded(_ text: String, _ width: Int) -> String {
            String(repeating: " ", count: max(0, width - text.count))
        }
        return name + padded(name, 18)
            + cells.map { padded($0, 11) + $0 }.joined()
    }
}
