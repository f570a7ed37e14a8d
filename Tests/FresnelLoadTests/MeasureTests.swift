import FresnelJSON
@testable import FresnelLoad
import FresnelModel
import Testing

@Suite("What a load measures")
struct MeasureTests {
    private func record(
        _ milliseconds: Int64, late: Int64 = 0, _ outcome: Outcome = .complete
    ) -> RequestRecord {
        var record = RequestRecord(
            place: 0, planned: 0, sent: late * 1_000_000, ended: milliseconds * 1_000_000,
            outcome: outcome)
        record.moments = [(.completion, milliseconds * 1_000_000)]
        return record
    }

    private func report(_ latencies: [Int64], label: String = "main") -> LoadReport {
        let workload = Workload.standard
        let recorder = Recorder(classes: workload.classes, seconds: 10)
        var contents = recorder.contents
        for latency in latencies { contents.classes[0].take(record(latency)) }
        contents.health.wallNanoseconds = 10_000_000_000
        return LoadReport(
            setting: .init(
                began: "2026-01-01T00:00:00Z", endpoint: "tcp://127.0.0.1:1", workload: "</script>",
                seed: 1, version: "fresnel", host: "here", processors: 2, workers: 2, shards: 6,
                documents: 10, plan: "100/s", objective: nil),
            measurements: [
                .init(label: label, plannedRate: 100, loops: nil, contents: contents)
            ])
    }

    @Test("A generator that was late too often makes the run invalid, one that was not does not")
    func lateness() {
        var health = GeneratorHealth()
        for _ in 0..<989 { health.take(record(1)) }
        for _ in 0..<9 { health.take(record(50, late: 40)) }
        #expect(health.complaint(closed: false) == nil)
        for _ in 0..<4 { health.take(record(50, late: 40)) }
        #expect(health.complaint(closed: false) != nil)
        #expect(health.complaint(closed: true) == nil)
    }

    @Test("Requests that were not sent make it invalid")
    func unsent() {
        var health = GeneratorHealth()
        health.take(record(0, .unsent))
        #expect(health.complaint(closed: false) != nil)
    }

    @Test("The same question at the same snapshot has one answer")
    func answers() throws {
        var book = AnswerBook()
        var completion = Completion(status: .complete, shards: [])
        completion.digest = "one"
        completion.snapshot = [.standard: SequenceNumber(4)]
        let isFirst = book.take("q", place: 0, completion)
        let isSame = book.take("q", place: 0, completion)
        completion.digest = "two"
        let isOther = book.take("q", place: 0, completion)
        let isOtherClass = book.take("q", place: 1, completion)
        completion.snapshot = [.standard: SequenceNumber(5)]
        let isLater = book.take("q", place: 0, completion)
        #expect(
            (isFirst, isSame, isOther, isOtherClass, isLater) == (true, true, false, true, true))
        #expect(book.differences.count == 1)
    }

    @Test("What failed has no latency, and superseded requests count for neither side")
    func outcomes() {
        var tally = ClassTally(name: "c")
        tally.take(record(1))
        tally.take(record(5000, .failed(.busy)))
        tally.take(record(1, .superseded))
        #expect(tally.completion.count == 1)
        #expect(tally.failures == 0.5)
    }

    @Test("A page has no network and survives what names contain")
    func page() throws {
        let html = try ReportPage.html(report([1, 2, 3]))
        #expect(!html.contains("src=") && !html.contains("href="))
        #expect(html.contains("&lt;/script&gt;"))
        // Three scripts are opened and three are closed, whatever a name says.
        #expect(html.components(separated: "<script").count == 4)
        #expect(html.components(separated: "</script>").count == 4)
    }

    @Test("A percentile is told when ten requests lie beyond it, and is unknown of fewer")
    func fewRequests() throws {
        for (percentile, least) in [(50.0, 20), (90, 100), (99, 1000), (99.9, 10_000)] {
            var summary = LatencySummary()
            for _ in 1..<least { summary.record(nanoseconds: 1_000_000) }
            #expect(summary.known(at: percentile) == nil)
            summary.record(nanoseconds: 1_000_000)
            #expect(summary.known(at: percentile) == summary.value(at: percentile))
        }
        let json = report([1, 2, 3]).json
        let completion = json["measurements"]?.array?.first?["total"]?["moments"]?["completion"]
        #expect(completion?["p99"] == .null)
        #expect(completion?["max"]?.integer ?? 0 >= 3000)
    }

    @Test("Of a rate that is too much on purpose a late generator does not spoil the report")
    func overload() {
        var report = report([1, 2, 3])
        for _ in 0..<9 {
            report.measurements[0].contents.health.take(record(50, late: 40))
        }
        #expect(!report.isValid)
        report.measurements[0].purpose = .overload
        #expect(report.isValid)
        #expect(report.measurements[0].remarks.count == 1)
        #expect(!ReportText.lines(report.measurements[0]).contains { $0.contains("INVALID") })
    }

    @Test("Both reports say whether the objective was held, with the figure")
    func standing() throws {
        let slow = (0..<2000).map { _ in Int64(420) }
        for (objective, latencies, mark, words) in [
            ("p99<250ms", slow, "missed", "main: p99 420 ms"),
            ("p99<500ms", slow, "held", "main: p99 420 ms, 0 % failed"),
            ("p99<500ms", [1, 2, 3], "unknown", "main: too few answers to judge: 3"),
        ] {
            var report = report(latencies)
            #expect(report.json["objective"] == .null)
            report.judge(by: try Objective(parsing: objective))
            #expect(report.json["objective"]?["verdict"] == .string(mark))
            #expect(report.json["measurements"]?.array?.first?["verdict"] != .null)
            let html = try ReportPage.html(report)
            #expect(html.contains("<span class=\"\(mark)\">objective"))
            #expect(report.standing?.text.hasPrefix(words) == true)
        }
    }

    @Test("A failure that comes late does not make the good answers fewer a second")
    func span() {
        let recorder = Recorder(classes: Workload.standard.classes, seconds: 4)
        for number in 0..<91 {
            _ = recorder.begin(most: 1000)
            recorder.end(record(Int64(number) * 25))
        }
        _ = recorder.begin(most: 1000)
        recorder.end(record(9000, .failed(.busy)))
        recorder.close(processorNanoseconds: 1, wallNanoseconds: 9_000_000_000)
        var measurement = LoadReport.Measurement(
            label: "main", plannedRate: 40, plannedSeconds: 4, loops: nil,
            contents: recorder.contents)
        #expect(measurement.goodput == 91.0 / 4)
        #expect(measurement.elapsedSeconds == 9)
        // Answers that came after the plan had its time are no faster for that.
        measurement.contents.lastGoodNanoseconds = 8_000_000_000
        #expect(measurement.goodput == 91.0 / 8)
    }

    @Test("A replay is no closed loop, and closed loops do not claim planned latencies")
    func words() throws {
        var report = report([1, 2, 3])
        report.measurements[0].plannedRate = nil
        #expect(report.measurements[0].planText == "replayed at recorded times")
        #expect(try ReportPage.html(report).contains("at which a request was planned"))
        report.measurements[0].loops = 1
        #expect(report.measurements[0].planText == "1 closed loop")
        let closed = try ReportPage.html(report)
        #expect(!closed.contains("at which a request was planned"))
        #expect(closed.contains("for comparison only"))
    }

    @Test("Reports that asked different questions say so, other programs are only a remark")
    func questions() throws {
        let first = report((0..<2000).map { 10 + $0 % 10 })
        var second = first
        second.setting.seed = 2
        second.setting.documents = 11
        second.setting.version = "another"
        let comparison = try Comparison(first.json, second.json)
        #expect(comparison.differences.map(\.name) == ["seed", "documents"])
        #expect(comparison.remarks.map(\.name) == ["version"])
        #expect(try Comparison(first.json, first.json).differences.isEmpty)
    }

    @Test("Twice as slow is worse, the same is not, and both ways")
    func comparison() throws {
        let fast = report((0..<2000).map { 10 + $0 % 10 })
        let slow = report((0..<2000).map { 20 + 2 * ($0 % 10) })
        #expect(try Comparison(fast.json, slow.json).isWorse(beyond: 0.05))
        #expect(try !Comparison(slow.json, fast.json).isWorse(beyond: 0.05))
        #expect(try !Comparison(fast.json, fast.json).isWorse(beyond: 0))
        #expect(throws: ComparisonError.notAReport) { try Comparison(.null, fast.json) }
        #expect(throws: ComparisonError.nothingInCommon([])) {
            try Comparison(fast.json, report([1], label: "other").json)
        }
    }

    @Test("Requests that an interrupt cut off are told, at their times, and the course has its end")
    func stall() throws {
        let recorder = Recorder(classes: Workload.standard.classes, seconds: 60)
        for second in 0..<8 {
            #expect(recorder.begin(most: 100))
            let planned = Int64(second) * 1_000_000_000
            var record = RequestRecord(
                place: 0, planned: planned, sent: planned, ended: planned + 1_000_000,
                outcome: second < 3 ? .complete : .failed(.cancelled))
            record.moments = second < 3 ? [(.completion, 1_000_000)] : []
            if second < 3 { recorder.end(record) } else { recorder.cutOff(record) }
        }
        var measurement = LoadReport.Measurement(
            label: "main", plannedRate: 1, plannedSeconds: 9.5, loops: nil,
            contents: recorder.contents)
        measurement.contents.timeline.reach(9.5)
        let steps = try #require(measurement.json["timeline"]?["steps"]?.array)
        #expect(steps.compactMap { $0["cutOff"]?.integer } == [0, 0, 0, 1, 1, 1, 1, 1, 0, 0])
        #expect(steps.compactMap { $0["good"]?.integer }.prefix(4) == [1, 1, 1, 0])
        #expect(measurement.json["total"]?["requests"] == 3)
        let words = "5 requests under way when the load was interrupted"
        #expect(ReportText.lines(measurement).contains { $0.contains(words) })
    }
}

extension String {
    fileprivate func components(separated by: String) -> [Substring] {
        split(separator: by, omittingEmptySubsequences: false)
    }
}
