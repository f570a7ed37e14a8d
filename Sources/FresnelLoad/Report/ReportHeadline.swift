/// The few figures that stand on top of a page.
enum ReportHeadline {
    /// What somebody looks for first: the limit and what is beyond it, or what came of the plan.
    static func of(_ report: LoadReport) -> [(name: String, value: String)] {
        if let scaling = report.scaling {
            return scaling.points.map { point in
                let documents = Set(scaling.points.map(\.documents)).count > 1
                let size = Figure.count(point.workers, "worker")
                return (
                    documents ? "\(size), \(point.documents) documents" : size,
                    point.throughputText
                )
            }
        }
        guard let limit = report.limit else {
            return report.measurements.count == 1 ? figures(of: report.measurements[0]) : []
        }
        var figures = [
            (
                "hold \(report.setting.objective ?? "the objective")",
                limit.text
            )
        ]
        for overload in report.measurements where overload.purpose == .overload {
            let rate = overload.plannedRate.map(Figure.rate) ?? ""
            figures.append(
                ("good answers, where \(rate) are planned", Figure.rate(overload.goodput)))
            guard let refusals = overload.total.moments[.refusal],
                let late = refusals.known(at: 99)
            else { continue }
            figures.append(("p99 of refusals then", Figure.time(late)))
        }
        let shares = report.measurements.compactMap(\.keptShare)
        if report.keptWarning != nil, let most = shares.max() {
            figures.append(("told again by the broker, at most", Figure.percent(most)))
        }
        return figures
    }

    private static func figures(
        of measurement: LoadReport.Measurement
    ) -> [(name: String, value: String)] {
        let total = measurement.total
        let shown = LatencySummary.shown.filter { [50, 99].contains($0.percentile) }
        return [("good answers", Figure.rate(measurement.goodput))]
            + shown.map { ($0.name, Figure.time(total.completion.known(at: $0.percentile))) }
            + [
                ("the slowest", Figure.time(total.completion.largest)),
                ("failed", Figure.percent(total.failures)),
            ] + (measurement.keptText.map { [("told again by the broker", $0)] } ?? [])
    }
}
