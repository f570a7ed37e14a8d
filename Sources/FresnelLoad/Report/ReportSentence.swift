/// What a report says in one sentence, for who reads nothing else.
enum ReportSentence {
    static func of(_ report: LoadReport) -> String {
        if let complaint = report.complaints.first {
            return "These figures do not count: \(complaint.label): \(complaint.text)."
        }
        if let scaling = report.scaling { return sentence(scaling, report) }
        let bounds = report.setting.objective ?? "the objective"
        guard let limit = report.limit else { return sentence(report.measurements, report) }
        guard let rate = limit.rate else {
            return limit.isLimited
                ? "Nobody knows what this cluster holds: the load itself was the limit."
                : "This cluster held \(bounds) at no rate that was tried."
        }
        let least = limit.isLimited ? "at least " : ""
        let why = limit.isLimited ? "; the load itself was the limit" : ""
        return "This cluster holds \(least)\(requests(rate)) at \(bounds)\(why)."
    }

    private static func sentence(_ scaling: ScalingReport, _ report: LoadReport) -> String {
        let points = scaling.points.map { point in
            let several = Set(scaling.points.map(\.documents)).count > 1
            let size = Figure.count(point.workers, "worker")
            let documents = several ? " on \(point.documents) documents" : ""
            return "\(size)\(documents): \(point.throughputText)"
        }
        let bounds = report.setting.objective.map { " at \($0)" } ?? ""
        return "The \(scaling.measure.title)\(bounds), by size: \(points.joined(separator: ", "))."
    }

    private static func sentence(
        _ measurements: [LoadReport.Measurement], _ report: LoadReport
    ) -> String {
        guard let objective = report.objective, measurements.count > 1 else {
            guard let only = measurements.first, measurements.count == 1 else {
                return several(measurements)
            }
            return sentence(only)
        }
        let held = measurements.filter { $0.verdict == .holds }.compactMap(\.plannedRate).max()
        guard let held else { return "This cluster held \(objective) at no rate of the plan." }
        return
            "Of the rates that were planned this cluster holds \(requests(held)) at \(objective)."
    }

    /// What held at each of them: the worst figures of all.
    private static func several(_ measurements: [LoadReport.Measurement]) -> String {
        let rates = measurements.compactMap(\.plannedRate)
        let isOfRates = rates.count == measurements.count
        let plan =
            if isOfRates, let least = rates.min(), let most = rates.max() {
                "From \(Figure.plain(least)) to \(requests(most))"
            } else {
                "In each of \(Figure.count(measurements.count, "measurement"))"
            }
        let failures = measurements.map(\.total.failures).max() ?? 0
        let answered =
            failures > 0 ? "at most \(Figure.percent(failures)) failed" : "no request failed"
        let times = [(50.0, "half of them within"), (99, "99 of 100 within")].compactMap {
            percentile, words in
            let known = measurements.compactMap { $0.total.completion.known(at: percentile) }
            let worst = known.count == measurements.count ? known.max() : nil
            return worst.map { "\(words) \(Figure.time($0))" }
        }
        return ([plan, answered] + times).joined(separator: ", ") + "."
    }

    private static func sentence(_ measurement: LoadReport.Measurement) -> String {
        let total = measurement.total
        let plan =
            measurement.plannedRate.map { "Of \(requests($0))" }
            ?? measurement.loops.map { "Of \(Figure.count($0, "closed loop"))" }
            ?? "Of what was recorded"
        let answered = "\(plan) the cluster answered \(Figure.plain(measurement.goodput)) well"
        let times = [(50.0, "half of them within"), (99, "99 of 100 within")].compactMap {
            percentile, words in
            total.completion.known(at: percentile).map { "\(words) \(Figure.time($0))" }
        }
        let failures = total.failures > 0 ? "; \(Figure.percent(total.failures)) failed" : ""
        return ([answered] + times).joined(separator: ", ") + failures + "."
    }

    private static func requests(_ rate: Double) -> String {
        "\(Figure.plain(rate)) requests a second"
    }
}
