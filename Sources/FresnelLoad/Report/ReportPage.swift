import FresnelJSON
import Mustache

/// A report as one page that needs no network: tables, and charts drawn by Chart.js in the page.
package enum ReportPage {
    /// The page as HTML.
    package static func html(_ report: LoadReport) throws -> String {
        let template = try MustacheTemplate(string: ReportTemplate.page)
        return template.render(values(of: report))
    }

    private static func values(of report: LoadReport) -> [String: Any] {
        let setting = report.setting
        return [
            "title": "\(setting.workload) on \(setting.documents) documents",
            "sentence": ReportSentence.of(report),
            "verdict": report.isValid ? "valid" : "invalid",
            "standing": report.standing.map {
                [["mark": $0.mark.rawValue, "text": $0.sentence]]
            } ?? [],
            "closed": report.measurements.contains { $0.loops != nil },
            "remarks": report.remarks,
            "warnings": report.warnings,
            "complaints": report.complaints.map { ["label": $0.label, "text": $0.text] },
            "setting": rows(of: setting),
            "headline": ReportHeadline.of(report).map { ["name": $0.name, "value": $0.value] },
            "scaling": report.scaling.map { [values(of: $0)] } ?? [],
            "measurements": report.measurements.map(values),
            "library": ChartLibrary.source,
            // In a script a page looks for its end and for comments; in JSON this stands in texts
            // only.
            "data": report.json.serialized().replacing("<", with: "\\u003c"),
        ]
    }

    private static func rows(of setting: LoadReport.Setting) -> [[String: String]] {
        var rows: [(String, String)] = [
            (
                "began",
                String(setting.began.prefix { $0 != "." && $0 != "Z" })
                    .replacing("T", with: " ") + " UTC"
            ),
            ("plan", setting.plan),
            ("workload", "\(setting.workload), seed \(setting.seed)"),
            (
                "cluster",
                "\(setting.workers) workers, \(setting.shards) shards, \(setting.documents) "
                    + "documents, \(setting.copiesText)at \(setting.endpoint)"
                    + (setting.keptAnswersText.map { ", \($0)" } ?? "")
            ),
            (
                "load made on",
                "\(setting.host), \(setting.processors) processors, by "
                    + "\(Figure.count(setting.processes, "process", plural: "processes")) over "
                    + Figure.count(setting.connections, "connection")
                    + (setting.processorModel.map { "; \($0)" } ?? "")
            ),
            (
                "program",
                setting.version + (setting.commit.map { ", commit \($0)" } ?? "")
            ),
        ]
        if let objective = setting.objective { rows.append(("objective", objective)) }
        return rows.map { ["name": $0.0, "value": $0.1] }
    }

    private static func values(of scaling: ScalingReport) -> [String: Any] {
        [
            "points": scaling.points.map { point in
                [
                    "workers": String(point.workers), "documents": String(point.documents),
                    "throughput": point.throughputText,
                    "p50": Figure.time(point.latency.known(at: 50)),
                    "p99": Figure.time(point.latency.known(at: 99)),
                ]
            },
            "measure": scaling.measure.title,
            "laws": scaling.laws.map { law in
                [
                    "documents": String(law.documents),
                    "text": law.sentences.joined(separator: "; "),
                ]
            },
            "remarks": scaling.remarks,
            "simulation": scaling.simulation.map { [["text": $0.text]] } ?? [],
        ]
    }

    private static func values(of measurement: LoadReport.Measurement) -> [String: Any] {
        let total = measurement.total
        let health = measurement.contents.health
        return [
            "label": measurement.label,
            "open": measurement.purpose != .search,
            "judged": measurement.purpose == .search
                ? [measurement.verdict?.text].compactMap(\.self) : [],
            "planned": measurement.planText,
            "goodput": Figure.rate(measurement.goodput),
            "failures": Figure.percent(total.failures),
            "moments": Moment.allCases.compactMap { moment in
                total.moments[moment].map { row(moment.title, $0) }
            },
            "classes": measurement.contents.classes.filter { $0.count > 0 }.map { tally in
                var values = row(tally.name, tally.completion)
                values["requests"] = String(tally.count)
                values["failures"] = Figure.percent(tally.failures)
                values["kept"] = tally.keptShare.map(Figure.percent) ?? "–"
                values["others"] = tally.othersText
                values["found"] = tally.good > 0 ? String(tally.found / UInt64(tally.good)) : ""
                return values
            },
            "outcomes": total.outcomesByCount.map {
                ["name": $0.outcome.title, "count": String($0.count)]
            },
            "shards": total.shardFaults.sorted { $0.value > $1.value }.map {
                ["name": $0.key, "count": String($0.value)]
            },
            "places": places(measurement.contents.shards),
            "memory": memory(measurement.contents.memory),
            "happened": events(measurement.contents.timeline),
            "notes": notes(of: measurement),
            "health": sentence(of: health),
            "compared": Figure.count(
                measurement.contents.answers.compared, "answer was", plural: "answers were"),
            "matched": String(measurement.contents.matched),
        ]
    }

    /// A table as a list of at most one, since an empty one needs no head.
    private static func places(_ shards: [ShardPlace: ShardTally]) -> [[String: Any]] {
        let rows = shards.sorted { $0.key < $1.key }.map { place, tally in
            [
                "name": "\(place.index) \(place.shard)", "worker": place.worker ?? "nobody",
                "documents": String(tally.documents), "whole": String(tally.whole),
                "missing": String(tally.missing), "queue50": Figure.time(tally.queue.known(at: 50)),
                "queue99": Figure.time(tally.queue.known(at: 99)),
                "search50": Figure.time(tally.search.known(at: 50)),
                "search99": Figure.time(tally.search.known(at: 99)),
            ]
        }
        return rows.isEmpty ? [] : [["rows": rows]]
    }

    private static func memory(_ course: MemoryCourse) -> [[String: Any]] {
        let rows = course.spans.sorted { $0.key < $1.key }.map { name, span in
            [
                "name": name, "first": "\(span.first >> 20) MiB", "most": "\(span.most >> 20) MiB",
                "last": "\(span.last >> 20) MiB",
            ]
        }
        return rows.isEmpty ? [] : [["rows": rows]]
    }

    private static func events(_ timeline: Timeline) -> [[String: Any]] {
        let all =
            timeline.events.map { ($0, "by the load") }
            + timeline.observed.map { ($0, "by the cluster") }
        let rows = all.sorted { $0.0.seconds < $1.0.seconds }.map { event, who in
            ["name": "\(Figure.plain(event.seconds)) s", "text": event.text, "who": who]
        }
        return rows.isEmpty ? [] : [["rows": rows]]
    }

    private static func notes(of measurement: LoadReport.Measurement) -> [String] {
        let verdict = measurement.verdict.map { ["objective: \($0.text)"] } ?? []
        let cutOff = [measurement.cutOffText].compactMap(\.self)
        let kept =
            (measurement.keptShare ?? 0) > 0
            ? [
                "Kept answers were told again by the broker; shards and workers did nothing for "
                    + "them and are told without."
            ] : []
        return verdict + cutOff + measurement.complaints + measurement.remarks + kept
    }

    private static func sentence(of health: GeneratorHealth) -> String {
        let parts = health.parts.enumerated().map { number, part in
            "process \(number + 1): \(part.lateness.count) requests, "
                + "\(Figure.time(part.lateness.value(at: 99))), "
                + "\(Figure.plain(part.processors)) processors"
        }
        return "The generator sent 99 % of the requests at most "
            + "\(Figure.time(health.lateness.value(at: 99))) late and kept "
            + "\(Figure.plain(health.processors)) processors busy"
            + (parts.isEmpty ? "." : " (\(parts.joined(separator: "; "))).")
    }

    private static func row(_ name: String, _ latencies: LatencySummary) -> [String: String] {
        var values = ["name": name, "count": String(latencies.count)]
        for (column, percentile) in LatencySummary.shown {
            // Mustache reads a dot as a way into a value.
            values[column.filter { $0 != "." }] = Figure.time(latencies.known(at: percentile))
        }
        values["max"] = Figure.time(latencies.count > 0 ? latencies.largest : nil)
        return values
    }
}

extension LoadReport.Setting {
    /// How many copies there are, in words, for the line about the cluster.
    fileprivate var copiesText: String {
        guard let copies else { return "" }
        return copies == 1 ? "one copy of each shard, " : "\(copies) copies of each shard, "
    }
}
