import FresnelJSON
import FresnelLoad
import FresnelModel

/// What a load says on a terminal.
enum LoadText {
    /// - Parameter columns: those of the terminal; nil where no line is too long.
    static func lines(_ report: LoadReport, columns: Int?) -> [String] {
        let shown = report.measurements.filter { $0.purpose != .search }
        var lines: [String] = []
        for measurement in report.measurements where measurement.purpose == .search {
            lines.append(ReportText.searchLine(measurement, report.objective))
        }
        for measurement in shown {
            if !lines.isEmpty { lines.append("") }
            lines += ReportText.lines(measurement, columns: columns)
        }
        if let limit = report.limit, limit.rate != nil || limit.isLimited {
            lines.append("")
            lines.append(
                "holds \(report.setting.objective ?? "the objective")"
                    + (limit.isLimited ? ": " : " up to ") + limit.text)
        }
        if let scaling = report.scaling { lines += [""] + self.lines(scaling) }
        let remarks = report.warnings + report.remarks
        if !remarks.isEmpty { lines += [""] + remarks }
        if let interruption = report.interruption {
            lines += ["", "INCOMPLETE: \(interruption); this is what was measured until then"]
        }
        return lines
    }

    private static func lines(_ scaling: ScalingReport) -> [String] {
        var lines = ["scaling, by the \(scaling.measure.title):"]
        for point in scaling.points {
            lines.append(
                "\(Figure.count(point.workers, "worker")), \(point.documents) documents: "
                    + "\(point.throughputText), "
                    + "p50 \(Figure.time(point.latency.known(at: 50))), "
                    + "p99 \(Figure.time(point.latency.known(at: 99)))")
        }
        for law in scaling.laws {
            lines.append(
                "law of \(law.documents) documents: \(law.sentences.joined(separator: "; "))")
        }
        lines += scaling.remarks
        if let simulation = scaling.simulation {
            lines.append(simulation.text)
            for point in simulation.points {
                let size = Figure.count(point.workers, "worker")
                lines.append(
                    "simulation, \(size): p50 \(Figure.time(point.p50)), "
                        + "p99 \(Figure.time(point.p99))")
            }
        }
        return lines
    }

    /// Why a run says nothing.
    static func invalid(_ report: LoadReport) -> String {
        if let interruption = report.interruption {
            return "\(interruption); the report has what was measured until then"
        }
        if report.hasWrongAnswers { return "the cluster gave a wrong answer" }
        let first = report.complaints.first.map { ": \($0.label): \($0.text)" } ?? ""
        return "the run is invalid" + first
    }

    /// Why the objective did not hold; nil if a saturation was found, or every measurement kept it.
    static func complaint(_ report: LoadReport, _ objective: Objective?) -> String? {
        let missed = "missed the objective \(objective?.description ?? "p99<50ms")"
        if report.standing?.mark == .unknown, report.isLimitedSearch {
            return report.standing?.sentence
        }
        if let scaling = report.scaling, scaling.measure == .saturation {
            return scaling.points.allSatisfy { $0.throughput != nil } ? nil : missed
        }
        if report.limit != nil { return report.saturation == nil ? missed : nil }
        guard let objective else { return nil }
        for measurement in report.measurements {
            switch objective.verdict(measurement) {
            case .holds, .limited, .cutShort: continue
            case .missed(let what): return "\(missed): \(measurement.label): \(what)"
            case .unknown(let answers, let needed):
                return "\(objective) is not known of \(measurement.label): it had \(answers) "
                    + "answers, and needs \(needed); give a longer --duration"
            }
        }
        return nil
    }

    static func lines(_ comparison: Comparison) -> [String] {
        comparison.rows.map { row in
            let sign = row.isWorse ? "worse" : row.isBetter ? "better" : "the same"
            let text = { (value: Double) in
                row.isLatency ? Figure.time(UInt64(value)) : Figure.plain(value)
            }
            return "\(row.name): \(text(row.before)) → \(text(row.after)), \(sign) "
                + "(×\(Figure.plain(row.ratio.lowerBound))…\(Figure.plain(row.ratio.upperBound)))"
        }
    }

    static func line(_ difference: Comparison.Difference) -> String {
        difference.isDifferent
            ? "different \(difference.name): \(difference.before), then \(difference.after)"
            : "\(difference.name) of both: \(difference.before)"
    }

    static func json(_ comparison: Comparison, isWorse: Bool) -> JSONValue {
        let differences = (comparison.differences + comparison.remarks).filter(\.isDifferent)
        return [
            "worse": .bool(isWorse),
            "differences": .array(
                differences.map {
                    [
                        "name": .string($0.name), "before": .string($0.before),
                        "after": .string($0.after),
                    ]
                }),
            "figures": .array(
                comparison.rows.map { row in
                    [
                        "name": .string(row.name), "before": .number(row.before),
                        "after": .number(row.after), "ratioLow": .number(row.ratio.lowerBound),
                        "ratioHigh": .number(row.ratio.upperBound), "worse": .bool(row.isWorse),
                        "better": .bool(row.isBetter),
                    ]
                }),
        ]
    }
}
