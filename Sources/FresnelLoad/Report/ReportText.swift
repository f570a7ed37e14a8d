/// A report as lines for a terminal.
package enum ReportText {
    /// What one measurement came to.
    ///
    /// - Parameter columns: those of the terminal; a narrow one gets fewer percentiles. Nil where
    ///   no line is too long.
    package static func lines(
        _ measurement: LoadReport.Measurement, columns: Int? = nil
    ) -> [String] {
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
        let layout = Layout(columns: columns, hasKept: total.kept > 0)
        let row = { (name: String, cells: [String]) in layout.row(name, cells) }
        lines.append(row("", Layout.titles + (total.kept > 0 ? ["kept"] : [])))
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

    /// Which figures stand in a line, and how far apart.
    private struct Layout {
        static let titles = ["answers", "p50", "p90", "p99", "p99.9", "max"]
        /// What is shown, by its place: figures that matter least are left out first.
        private let shown: [Int]
        private let nameWidth: Int
        private let cellWidth: Int

        private static let cellWidths = 8...11

        init(columns: Int?, hasKept: Bool) {
            let kept = hasKept ? [Self.titles.count] : []
            let choices = [
                (name: 18, shown: Array(Self.titles.indices)), (name: 18, shown: [0, 1, 3, 5]),
                (name: 14, shown: [1, 3, 5]),
            ]
            let room = columns ?? .max
            let choice =
                choices.first { choice in
                    let cells = choice.shown.count + kept.count
                    return choice.name + cells * Self.cellWidths.lowerBound <= room
                } ?? (name: 14, shown: [1, 3])
            (nameWidth, shown) = (choice.name, choice.shown + kept)
            let width = (room - nameWidth) / shown.count
            cellWidth = max(Self.cellWidths.lowerBound, min(Self.cellWidths.upperBound, width))
        }

        func row(_ name: String, _ cells: [String]) -> String {
            // A cell of its own for what is told again stands only where it was told.
            let cells = shown.filter { $0 < cells.count }.map { cells[$0] }
            return name + blanks(nameWidth - name.count)
                + cells.map { blanks(cellWidth - $0.count) + $0 }.joined()
        }

        private func blanks(_ count: Int) -> String {
            String(repeating: " ", count: max(0, count))
        }
    }
}
