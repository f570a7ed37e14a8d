import FresnelModel
import Testing

@testable import FresnelLoad

/// What a load says of itself while it runs, and of its search.
@Suite("The live view of a load")
struct LoadScreenTests {
    /// A measurement in whose seconds so many requests took so many milliseconds each.
    private func contents(_ seconds: [(count: Int, milliseconds: Int64)]) -> Recorder.Contents {
        var contents = Recorder.Contents(classes: Workload.standard.classes, seconds: 10)
        for (second, (count, milliseconds)) in seconds.enumerated() {
            for number in 0..<count {
                var record = RequestRecord(
                    place: 0, planned: Int64(second) * 1_000_000_000, sent: 0, ended: 0,
                    outcome: .complete)
                // The slowest hundredth takes ten times as long.
                let factor: Int64 = number % 100 == 99 ? 10 : 1
                record.moments = [(.completion, milliseconds * factor * 1_000_000)]
                contents.classes[0].take(record)
                contents.timeline.take(record)
            }
        }
        return contents
    }

    private func order(_ percentiles: [Double]? = nil) -> LoadOrder {
        var order = LoadOrder(
            label: "main", arrivals: .open(.constant(100, seconds: 10), .poisson), seconds: 10)
        order.percentiles = percentiles
        return order
    }

    private func screen(
        _ seconds: [(count: Int, milliseconds: Int64)], _ percentiles: [Double]? = nil
    ) -> LoadScreen {
        LoadScreen(order(percentiles), LoadProgress(contents(seconds)))
    }

    @Test("In its first second it shows dashes, since nothing is known yet")
    func first() {
        let screen = screen([(7, 2)])
        let lines = screen.lines(columns: 100)
        #expect(lines[1].hasSuffix("100/s planned, – good"), "\(lines)")
        #expect(lines[2...4].allSatisfy { $0.hasSuffix("–") }, "\(lines)")
        #expect(!lines.dropFirst().joined().contains("0 µs"), "\(lines)")
        #expect(!screen.line.contains("0/s good"), "\(screen.line)")
        let later = self.screen([(70, 2), (7, 3)]).lines(columns: 100)
        #expect(later[1].hasSuffix("70/s good") && later[2].hasSuffix("2 ms"), "\(later)")
    }

    @Test("On a narrow terminal curves give way to figures", arguments: [40, 60, 80, 100])
    func narrow(columns: Int) {
        let lines = screen([(70, 2), (70, 2), (7, 3)]).lines(columns: columns)
        #expect(lines.allSatisfy { $0.count < columns }, "\(lines)")
        #expect(lines[1].hasSuffix("100/s planned, 70/s good"), "\(lines)")
        #expect(lines[2].hasSuffix("2 ms"), "\(lines)")
        #expect(lines[2].contains("█") == (columns > 40), "\(lines)")
    }

    @Test(
        "The table of a measurement has as many percentiles as the terminal is wide",
        arguments: [(40, ["p50", "p99"]), (60, ["p50", "p99", "max"]), (80, ["p50", "p99.9"])])
    func tables(columns: Int, titles: [String]) throws {
        let measurement = LoadReport.Measurement(
            label: "main", plannedRate: 100, plannedSeconds: 10, loops: nil,
            contents: contents([(1500, 2)]))
        let lines = ReportText.lines(measurement, columns: columns)
        let table = lines.dropFirst().prefix { !$0.isEmpty }
        #expect(table.allSatisfy { $0.count <= columns }, "\(lines)")
        #expect(titles.allSatisfy(lines[1].contains), "\(lines)")
        #expect(lines[1].contains("p90") == (columns >= 80), "\(lines)")
        let whole = ReportText.lines(measurement)
        #expect(whole[1].count == 84 && whole[1].contains("p99.9"), "\(whole)")
    }

    @Test("A second without an answer has no latency, and a worker no more than it searched")
    func nothing() {
        let lines = screen([(70, 2), (0, 2), (0, 2), (1, 2)]).lines(columns: 100)
        #expect(lines[1].hasSuffix("0/s good") && lines[2].hasSuffix("–"), "\(lines)")
        #expect(!screen([(70, 2), (0, 2), (0, 2), (1, 2)]).line.contains("0 µs"))
        var measured = contents([(70, 2), (7, 3)])
        var record = RequestRecord(place: 0, planned: 0, sent: 0, ended: 0, outcome: .complete)
        var shard = ShardReport(
            index: .standard, shard: ShardID(0), worker: WorkerID("w1"), status: .complete)
        shard.timings.match = 2_500_000
        record.shards = [shard]
        measured.timeline.take(record)
        let worker = LoadScreen(order(), LoadProgress(measured)).lines(columns: 100).last ?? ""
        #expect(worker.contains("w1") && worker.hasSuffix("searches 2.5 shards at a time"))
    }

    @Test("A search shows the percentiles of its objective, as far as they are known")
    func percentiles() throws {
        let seconds: [(count: Int, milliseconds: Int64)] = [(600, 2), (600, 2), (1, 2)]
        let line = screen(seconds, [99.9, 95]).line
        #expect(line.contains("p99.9 –") && line.contains("p95 2"), "\(line)")
        #expect(!line.contains("p50"), "\(line)")
        let lines = screen(seconds, [50, 95]).lines(columns: 100)
        #expect(lines.contains { $0.contains("p95") && $0.contains("2") }, "\(lines)")
        #expect(lines.count { $0.contains("p50") } == 1, "\(lines)")
    }

    @Test("Percentiles of a line and its largest latency are of the same time")
    func sameTime() {
        let seconds: [(count: Int, milliseconds: Int64)] = [(400, 50), (400, 2), (1, 2)]
        let judged = screen(seconds, [90]).line
        #expect(judged.contains("p90 50") && judged.contains("max 502 ms"), "\(judged)")
        let newest = screen(seconds).line
        #expect(newest.contains("p50 2.01 ms") && newest.contains("max 20.1 ms"), "\(newest)")
    }

    @Test(
        "A rate of a search is told with the percentiles that the objective is about",
        arguments: [
            ("p50<5ms", "search 100/s: p50 2 ms, 0 % failed; holds"),
            ("p90<5ms,p99.9<1s", "search 100/s: p90 2 ms, p99.9 –, 0 % failed; holds"),
            ("errors<1%", "search 100/s: 0 % failed; holds"),
        ])
    func search(objective: String, expected: String) throws {
        var measurement = LoadReport.Measurement(
            label: "search 100/s", plannedRate: 100, loops: nil, contents: contents([(1200, 2)]),
            purpose: .search)
        measurement.verdict = .holds
        let line = ReportText.searchLine(measurement, try Objective(parsing: objective))
        #expect(line == expected)
    }

    @Test("What a load left is told with a command for each index that it wrote into")
    func leftovers() throws {
        let error = SearchError(.indexUnreachable, "nobody is there")
        let text = Leftovers(error: error, indexes: [.standard, try IndexName("shop")]).description
        #expect(text.contains("nobody is there"))
        #expect(
            text.hasSuffix(
                "fresnel delete --domain fresnel.load; "
                    + "fresnel delete --domain fresnel.load --index shop"), "\(text)")
    }
}
