import Foundation
import FresnelJSON
import FresnelModel
import Testing

@testable import FresnelLoad

/// When a report says that its figures are not what was asked for.
@Suite("Validity of a load report")
struct ValidityTests {
    private func measurement(
        good: Int, failed: Int = 0, rate: Double = 100, label: String = "main"
    ) -> LoadReport.Measurement {
        var contents = Recorder.Contents(classes: Workload.standard.classes, seconds: 10)
        for number in 0..<good + failed {
            var record = RequestRecord(
                place: number < good ? 0 : 1, planned: 0, sent: 0, ended: 2_000_000,
                outcome: number < good ? .complete : .failed(.invalidQuery))
            record.moments = [(.completion, 2_000_000)]
            contents.classes[record.place].take(record)
        }
        contents.health.wallNanoseconds = 10_000_000_000
        return LoadReport.Measurement(
            label: label, plannedRate: rate, plannedSeconds: 10, loops: nil, contents: contents)
    }

    private func report(_ measurements: [LoadReport.Measurement]) -> LoadReport {
        LoadReport(
            setting: .init(
                began: "2026-01-01T00:00:00Z", endpoint: "tcp://127.0.0.1:1", workload: "mix",
                seed: 1, version: "fresnel", host: "here", processors: 2, workers: 2, shards: 6,
                documents: 10, plan: "100/s", objective: nil),
            measurements: measurements)
    }

    @Test("A run in which a class never succeeded is invalid, and names the class")
    func hopeless() {
        #expect(report([measurement(good: 3000)]).isValid)
        let report = report([measurement(good: 3000, failed: 1)])
        #expect(!report.isValid)
        let text = report.complaints.map(\.text).joined()
        #expect(text.contains("class rare word never succeeded in 1 request, mostly failed: "))
        var overload = measurement(good: 10, failed: 90)
        overload.purpose = .overload
        #expect(self.report([overload]).isValid, "overload is meant to hurt")
    }

    @Test("A measurement without a request is invalid, and its objective unknown")
    func nothingAsked() throws {
        var report = report([measurement(good: 0)])
        for objective in ["p99<50ms", "errors<1%"] {
            report.judge(by: try Objective(parsing: objective))
            #expect(report.standing?.mark == .unknown, "\(objective)")
            report.measurements[0].verdict = nil
        }
        #expect(!report.isValid)
        let text = report.complaints.map(\.text).joined()
        #expect(text.contains("no request was made"), "\(text)")
        #expect(try ReportPage.html(report).contains("no request was made"))
        report.measurements[0].isCutShort = true
        #expect(report.isValid, "an interrupt says so itself")
        report.measurements[0].isCutShort = false
        report.measurements[0].purpose = .search
        #expect(report.isValid, "that rate did not hold")
    }

    @Test("Of several rates the first sentence has the worst figures")
    func severalRates() throws {
        let slow = measurement(good: 3000, rate: 5)
        var fast = measurement(good: 3000, rate: 40)
        let held = "From 5 to 40 requests a second, no request failed, half of them within 2 ms"
        #expect(try ReportPage.html(report([fast, slow])).contains(held))
        for _ in 0..<1000 {
            fast.contents.classes[0].take(
                RequestRecord(place: 0, planned: 0, sent: 0, ended: 1, outcome: .failed(.busy)))
        }
        let failed = "From 5 to 40 requests a second, at most 25 % failed"
        #expect(try ReportPage.html(report([slow, fast])).contains(failed))
    }

    @Test("The page tells by class how requests ended")
    func outcomes() throws {
        var mixed = measurement(good: 80, failed: 3)
        for outcome in [Outcome.failed(.busy), .failed(.busy), .incomplete(.deadline)] {
            mixed.contents.classes[0].take(
                RequestRecord(place: 0, planned: 0, sent: 0, ended: 1, outcome: outcome))
        }
        let page = try ReportPage.html(report([mixed]))
        #expect(page.contains("<td>2 failed: busy, 301; 1 incomplete: deadline</td></tr>"))
        #expect(page.contains("<td>3 failed: invalidQuery, -2002</td></tr>"))
    }

    @Test("The curve over planned rates leaves recovery out, which has the rate of a search")
    func curve() throws {
        var recovery = measurement(good: 10, rate: 50, label: LoadReport.recovery)
        recovery.purpose = .figures
        let page = try ReportPage.html(report([measurement(good: 10, rate: 50), recovery]))
        #expect(page.contains("run.plannedRate && run.label != \"\(LoadReport.recovery)\""))
    }

    @Test("What was interrupted is invalid in both reports, and its objective is unknown")
    func interrupted() throws {
        var cut = measurement(good: 3000)
        cut.isCutShort = true
        var report = report([measurement(good: 3000, label: "first"), cut])
        report.interruption = "interrupted"
        report.judge(by: try Objective(parsing: "p99<50ms"))
        #expect(!report.isValid && report.standing?.mark == .unknown)
        #expect(report.json["interruption"] == "interrupted")
        let complete = report.json["measurements"]?.array?.map { $0["complete"]?.bool }
        #expect(complete == [true, false])
        #expect(try ReportPage.html(report).contains("the load: interrupted"))
        report.measurements.removeLast()
        #expect(report.standing?.mark == .unknown, "not all of the plan was measured")
    }

    @Test("No name of a workload, a class or a query ends or begins a script of the page")
    func scripts() throws {
        let name = "<!--<script>&</script>]]>\u{2028}"
        var report = report([measurement(good: 3000, label: name)])
        report.setting.workload = name
        let page = try ReportPage.html(report)
        let tag = "<script type=\"application/json\" id=\"data\">"
        let start = try #require(page.range(of: tag)).upperBound
        let end = try #require(page.range(of: "</script>", range: start..<page.endIndex))
        let data = page[start..<end.lowerBound]
        #expect(!data.contains("<"), "a page reads on from such a one as it likes")
        let value = try JSONValue(parsing: String(data))
        #expect(value == report.json)
        #expect(!page.contains("<!--"), "nor does any other place of the page")
    }

    @Test("Where many requests failed both reports say so, and what to do about too much")
    func failures() throws {
        #expect(report([measurement(good: 91, failed: 9)]).warnings.isEmpty)
        var busy = measurement(good: 80, failed: 19)
        #expect(!report([busy]).warnings.joined().contains("--saturate"), "no query is too much")
        for _ in 0..<40 {
            busy.contents.classes[0].take(
                RequestRecord(
                    place: 0, planned: 0, sent: 0, ended: 1_000_000, outcome: .failed(.busy)))
        }
        var report = report([busy])
        let words = "main: 42.4 % of the requests did not succeed, mostly failed: busy"
        for text in [
            report.warnings.joined(), try ReportPage.html(report),
            report.json["remarks"]?.array?.last?.string ?? "",
        ] { #expect(text.contains(words) && text.contains("--saturate"), "\(text.suffix(500))") }
        #expect(!report.complaints.contains { $0.text.contains("42.4") }, "the figures are right")
        report.measurements[0].purpose = .overload
        #expect(report.warnings.isEmpty, "that is meant to be too much")
    }

    @Test("Rates of a search are folded on the page with what came of them, other figures are not")
    func folded() throws {
        let page = try ReportPage.html(
            try search([(10, .holds), (20, .missed("p99 1 s"))], saturation: 10))
        #expect(page.ranges(of: "<details>").count == 2 && !page.contains("<details open>"))
        #expect(page.contains("; missed: p99 1 s</h2>") && page.contains("; holds</h2>"))
        let plain = try ReportPage.html(report([measurement(good: 10)]))
        #expect(plain.ranges(of: "<details open>").count == 1 && !plain.contains("<details>"))
        #expect(plain.contains("failed</h2>"))
    }

    @Test("The page counts one answer as one")
    func singular() throws {
        var measurement = measurement(good: 1)
        for _ in 0..<2 {
            _ = measurement.contents.answers.take(
                "a", place: 0, Completion(status: .complete, shards: []))
        }
        #expect(measurement.contents.answers.compared == 1)
        #expect(try ReportPage.html(report([measurement])).contains("1 answer was compared"))
    }

    @Test("The last stretch of time is as long as requests were planned in it, and no longer")
    func stretches() throws {
        var measurement = measurement(good: 1)
        measurement.plannedSeconds = 2.25
        for second in 0..<4 {
            measurement.contents.timeline.take(
                RequestRecord(
                    place: 0, planned: Int64(second) * 1_000_000_000, sent: 0, ended: 0,
                    outcome: .complete))
        }
        let steps = try #require(measurement.json["timeline"]?["steps"]?.array)
        #expect(steps.compactMap { $0["seconds"]?.double } == [1, 1, 0.25, 0])
        measurement.plannedSeconds = nil
        let unknown = try #require(measurement.json["timeline"]?["steps"]?.array)
        #expect(unknown.compactMap { $0["seconds"]?.double } == [1, 1, 1, 1])
    }

    @Test("A search that was interrupted tells what had held, and no highest rate")
    func search() throws {
        var measurements = [
            measurement(good: 3000, rate: 10), measurement(good: 3000, rate: 40),
            measurement(good: 3000, rate: 20),
        ]
        for place in measurements.indices {
            measurements[place].purpose = .search
            measurements[place].verdict = place == 1 ? .missed("p99 1 s") : .holds
        }
        var report = report(measurements)
        report.interruption = "interrupted"
        report.judge(by: try Objective(parsing: "p99<50ms"))
        #expect(report.standing?.mark == .unknown)
        #expect(report.standing?.text.contains("20/s held it") == true)
        report.interruption = nil
        #expect(report.standing?.mark == .missed)
    }

    /// A search that tried these rates.
    private func search(
        _ tries: [(rate: Double, verdict: Objective.Verdict)], saturation: Double?
    ) throws -> LoadReport {
        var report = report(
            tries.map { rate, verdict in
                var measurement = measurement(good: 3000, rate: rate, label: "search")
                measurement.purpose = .search
                measurement.verdict = verdict
                return measurement
            })
        report.saturation = saturation
        report.judge(by: try Objective(parsing: "p99<50ms"))
        return report
    }

    @Test("Where the generator ended a search, the limit is at least that, and the rest unknown")
    func limited() throws {
        let limited = Objective.Verdict.limited("late")
        var report = try search([(10, .holds), (20, limited), (20, limited)], saturation: 10)
        let words = "at least 10/s: the generator was the limit"
        #expect(report.standing?.mark == .unknown && report.standing?.text == words)
        #expect(ReportHeadline.of(report).first?.value == words)
        #expect(try ReportPage.html(report).contains(words))
        #expect(report.json["objective"]?["verdict"] == "unknown")
        #expect(report.json["objective"]?["text"]?.string == words)
        #expect(report.json["saturationLimit"] == "the generator" && report.isValid)
        report.interruption = "interrupted in the overload"
        #expect(report.standing?.mark == .unknown && report.standing?.text == words)
        let nothing = try search([(4, limited), (4, limited), (1, limited)], saturation: nil)
        #expect(nothing.standing?.mark == .unknown)
        let missed = try search(
            [(10, .holds), (20, limited), (20, .missed("p99 1 s"))], saturation: 10)
        #expect(missed.standing?.mark == .held && missed.json["saturationLimit"] == .null)
        let hiccup = try search(
            [(10, limited), (10, .holds), (20, .missed("a")), (20, .missed("a"))], saturation: 10)
        #expect(hiccup.standing?.mark == .held, "what held at the second try has held")
    }

    @Test("A size that the generator limited is not held, and no law is fitted to it")
    func limitedSizes() throws {
        let points = [1, 2, 4].map { size in
            ScalingReport.Point(
                workers: size, documents: 10, throughput: 100 * Double(size),
                latency: LatencySummary(), services: ServiceSamples(), isLimited: size == 4)
        }
        var report = report([measurement(good: 3000)])
        report.scaling = ScalingReport(points, measure: .saturation, processors: 64, seed: 1)
        report.judge(by: try Objective(parsing: "p99<50ms"))
        #expect(report.standing?.mark == .unknown)
        #expect(report.standing?.text.contains("4 workers at least 400/s") == true)
        #expect(report.scaling?.remarks.contains { $0.contains("no law is fitted") } == true)
        #expect(report.scaling?.laws.first?.sentences.last?.contains("2 sizes") == true)
        #expect(ReportHeadline.of(report).last?.value.hasPrefix("at least 400/s") == true)
        #expect(report.json["scaling"]?["points"]?.array?.last?["limited"] == true)
    }
}
