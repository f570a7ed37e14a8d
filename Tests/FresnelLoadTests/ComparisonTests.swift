import FresnelJSON
import FresnelModel
import Testing

@testable import FresnelLoad

/// Two reports beside each other.
@Suite("Comparing reports of searches")
struct ReportComparisonTests {
    private func measurement(
        _ label: String, rate: Double, milliseconds: Int64,
        _ purpose: LoadReport.Measurement.Purpose = .search, holds: Bool = true
    ) -> LoadReport.Measurement {
        var contents = Recorder.Contents(classes: Workload.standard.classes, seconds: 10)
        for _ in 0..<2000 {
            var record = RequestRecord(
                place: 0, planned: 0, sent: 0, ended: milliseconds * 1_000_000, outcome: .complete)
            record.moments = [(.completion, milliseconds * 1_000_000)]
            contents.classes[0].take(record)
        }
        contents.health.wallNanoseconds = 10_000_000_000
        var measurement = LoadReport.Measurement(
            label: label, plannedRate: rate, plannedSeconds: 10, loops: nil, contents: contents,
            purpose: purpose)
        measurement.verdict = holds ? .holds : .missed("p99 \(milliseconds) ms")
        return measurement
    }

    /// A search that found `limit`, with a rate that was tried twice.
    private func report(limit: Double?, scaling: ScalingReport? = nil) -> LoadReport {
        let rate = limit ?? 1
        var report = LoadReport(
            setting: .init(
                began: "2026-01-01T00:00:00Z", endpoint: "tcp://127.0.0.1:1", workload: "mix",
                seed: 1, version: "fresnel", host: "here", processors: 2, workers: 2, shards: 6,
                documents: 10, plan: "saturation", objective: nil),
            measurements: [
                measurement("search 100/s", rate: 100, milliseconds: 5),
                measurement("search 200/s", rate: 200, milliseconds: 500, holds: false),
                measurement("search 200/s", rate: 200, milliseconds: 90, holds: false),
                measurement("overload 1.5", rate: 1.5 * rate, milliseconds: 600, .overload),
                measurement("recovery", rate: 0.5 * rate, milliseconds: 4, .figures),
            ], saturation: limit)
        report.scaling = scaling
        return report
    }

    private func scaling(_ throughputs: [Double?]) -> ScalingReport {
        ScalingReport(
            throughputs.enumerated().map { number, throughput in
                ScalingReport.Point(
                    workers: number + 1, documents: 10, throughput: throughput,
                    latency: LatencySummary(), services: ServiceSamples())
            }, measure: .saturation, processors: 64, seed: 1)
    }

    @Test("A report compared with itself has no difference, also where a rate was tried twice")
    func itself() throws {
        for report in [report(limit: 100), report(limit: 100, scaling: scaling([50, 90]))] {
            let same = try Comparison(report.json, report.json)
            #expect(same.rows.allSatisfy { !$0.isWorse && !$0.isBetter && $0.before == $0.after })
            #expect(same.differences.isEmpty && same.remarks.isEmpty)
            #expect(!same.isWorse(beyond: 0))
            #expect(Set(same.rows.map(\.name)).count == same.rows.count)
        }
    }

    @Test("A lower limit is worse, a higher one better, and what the search left open neither")
    func limits() throws {
        let comparison = { (old: Double?, new: Double?) throws in
            try Comparison(self.report(limit: old).json, self.report(limit: new).json)
        }
        let row = { (comparison: Comparison) in
            comparison.rows.first { $0.name == "highest rate that held the objective" }
        }
        let worse = try comparison(100, 60)
        #expect(row(worse)?.isWorse == true && worse.isWorse(beyond: 0.05))
        #expect(row(try comparison(100, 150))?.isBetter == true)
        let near = try #require(row(try comparison(100, 97)))
        #expect(!near.isWorse && !near.isBetter)
        #expect(try comparison(100, nil).isWorse(beyond: 0.5), "no rate held any more")
        let first = try comparison(nil, 100)
        #expect(first.remarks.contains { $0.before == "no rate" && $0.after == "100/s" })
    }

    @Test("Overload and recovery at other rates are named, and not compared as if equal")
    func otherRates() throws {
        let comparison = try Comparison(report(limit: 100).json, report(limit: 60).json)
        let named = comparison.remarks.map(\.name)
        #expect(named.contains("rate of overload 1.5, not compared"))
        #expect(named.contains("rate of recovery, not compared"))
        #expect(!comparison.rows.contains { $0.name.hasPrefix("overload") })
        #expect(comparison.rows.contains { $0.name.hasPrefix("search 200/s, try 2: ") })
    }

    @Test("Of several sizes the throughput of each is compared")
    func sizes() throws {
        let comparison = try Comparison(
            report(limit: nil, scaling: scaling([50, 90])).json,
            report(limit: nil, scaling: scaling([50, 60])).json)
        let worse = comparison.rows.filter(\.isWorse).map(\.name)
        #expect(worse == ["2 workers, 10 documents: highest rate that held the objective"])
    }

    @Test("A limit of the generator is told and not compared as the cluster's")
    func generator() throws {
        var limited = report(limit: 100)
        for place in limited.measurements.indices
        where limited.measurements[place].verdict != .holds {
            limited.measurements[place].verdict = .limited("late")
        }
        let comparison = try Comparison(report(limit: 200).json, limited.json)
        #expect(!comparison.isWorse(beyond: 0.05))
        #expect(
            comparison.remarks.contains {
                $0.before == "200/s" && $0.after == "at least 100/s: the generator was the limit"
            })
        var alone = report(limit: 200)
        alone.measurements.removeLast(4)
        limited.measurements.removeFirst()
        let others = [alone.json, limited.json]
        #expect { try Comparison(others[0], others[1]) } throws: { error in
            let text = "\(error)"
            return text.hasPrefix("there is no figure that both reports have: highest rate")
                && text.contains("200/s, then at least 100/s: the generator was the limit")
        }
    }

    @Test("Measurements of one report alone are another question, rates that a search tried not")
    func alone() throws {
        var steps = report(limit: nil)
        steps.measurements = [
            measurement("10/s", rate: 10, milliseconds: 5, .figures),
            measurement("20/s", rate: 20, milliseconds: 5, .figures),
        ]
        var first = steps
        first.measurements.removeLast()
        let lost = try Comparison(steps.json, first.json)
        #expect(
            lost.differences == [
                .init(name: "measurements of one report alone", before: "20/s", after: "none")
            ])
        #expect(try Comparison(first.json, steps.json).differences.map(\.after) == ["20/s"])

        let (wide, narrow) = (report(limit: 100), report(limit: 100))
        var other = narrow
        other.measurements.remove(at: 2)
        other.measurements[0].label = "search 90/s"
        let searches = try Comparison(wide.json, other.json)
        #expect(searches.differences.isEmpty, "each tries what it has to")
        #expect(
            searches.remarks.contains(
                .init(
                    name: "rates of one search alone",
                    before: "search 100/s, search 200/s, try 2", after: "search 90/s")))
        // Of a search that did not come to its end nobody knows what it would have tried.
        other.interruption = "interrupted"
        other.measurements.removeLast(2)
        let cut = try Comparison(wide.json, other.json).differences
        #expect(
            cut.map(\.name) == [
                "measurements of one report alone", "limits of one report alone",
            ])
        #expect(cut[0].before.contains("overload 1.5, recovery"), "\(cut)")
    }

    @Test("A size that only one report has measured is named")
    func otherSizes() throws {
        let comparison = try Comparison(
            report(limit: nil, scaling: scaling([50, 90])).json,
            report(limit: nil, scaling: scaling([50])).json)
        #expect(
            comparison.differences == [
                .init(
                    name: "limits of one report alone",
                    before: "2 workers, 10 documents: highest rate that held the objective",
                    after: "none")
            ])
    }

    @Test("A measurement that was cut short is named, also where both were")
    func cutShort() throws {
        var cut = report(limit: 100)
        cut.measurements[4].isCutShort = true
        let named = { (before: LoadReport, after: LoadReport) throws in
            try Comparison(before.json, after.json).remarks
                .filter { $0.name.contains("measurement") }
        }
        #expect(
            try named(report(limit: 100), cut) == [
                .init(name: "measurement recovery", before: "whole", after: "cut short")
            ])
        #expect(try named(cut, cut).map(\.isDifferent) == [false])
    }
}
