import FresnelJSON
import FresnelModel
import Testing

@testable import FresnelLoad

/// What a load says of answers that the broker told again without asking a worker.
@Suite("Kept answers in a load")
struct KeptAnswersTests {
    private func record(isKept: Bool?, place: Int = 0, second: Int64 = 0) -> RequestRecord {
        var record = RequestRecord(
            place: place, planned: second * 1_000_000_000, sent: 0, ended: 0, outcome: .complete)
        record.moments = [(.completion, 2_000_000)]
        record.isKept = isKept
        return record
    }

    /// Answers of the first class in every of so many seconds, some of them told again, and as many
    /// writes.
    private func contents(kept: Int, of answers: Int, seconds: Int64 = 1) -> Recorder.Contents {
        let recorder = Recorder(classes: Workload.standard.classes, seconds: 10)
        for second in 0..<seconds {
            for number in 0..<answers {
                _ = recorder.begin(most: .max)
                recorder.end(record(isKept: number < kept, second: second))
                _ = recorder.begin(most: .max)
                recorder.end(record(isKept: nil, place: 1, second: second))
            }
        }
        return recorder.contents
    }

    private func report(_ kept: [Int], of answers: Int = 100) -> LoadReport {
        LoadReport(
            setting: .init(
                began: "2026-01-01T00:00:00Z", endpoint: "tcp://127.0.0.1:1", workload: "mix",
                seed: 1, version: "fresnel", host: "here", processors: 2, workers: 2, shards: 6,
                documents: 10, plan: "100/s", objective: nil),
            measurements: kept.enumerated().map { number, kept in
                .init(
                    label: number == 0 ? "main" : "main \(number)", plannedRate: 100,
                    plannedSeconds: 1, loops: nil, contents: contents(kept: kept, of: answers))
            })
    }

    /// A whole answer whose one shard says that it worked.
    private func completion(isKept: Bool) -> Completion {
        var shard = ShardReport(
            index: .standard, shard: ShardID(0), worker: WorkerID("w1"), status: .complete)
        (shard.timings.match, shard.timings.score, shard.timings.fetch) = (700, 20, 30)
        var completion = Completion(status: .complete, shards: [shard])
        completion.isKept = isKept
        return completion
    }

    @Test("The reports of a kept answer count as no work of shards and workers")
    func work() throws {
        let recorder = Recorder(classes: Workload.standard.classes, seconds: 10)
        for isKept in [false, true, true] {
            _ = recorder.begin(most: 10)
            var watch = AnswerWatch(planned: 0, sent: 0)
            watch.complete(at: 2_000_000)
            recorder.end(watch.record(of: completion(isKept: isKept), place: 0, ended: 2_000_000))
        }
        let contents = recorder.contents
        #expect(contents.classes[0].answers == 3 && contents.classes[0].kept == 2)
        #expect(contents.classes[0].good == 3 && contents.classes[0].completion.count == 3)
        #expect(contents.shards.values.map(\.whole) == [1])
        #expect(contents.shards.values.map(\.search.count) == [1])
        #expect(contents.services.samples.count == 1)
        #expect(contents.timeline.steps.first?.searching == ["w1": 750])
    }

    @Test("A kept answer is compared with what the same question gave before, like any other")
    func compared() {
        var book = AnswerBook()
        var answer = completion(isKept: false)
        answer.digest = "one"
        _ = book.take("q", place: 0, answer)
        answer = completion(isKept: true)
        answer.digest = "two"
        let isKnown = book.take("q", place: 0, answer)
        #expect(!isKnown && book.compared == 1 && book.differences.count == 1)
    }

    @Test("Kept answers of several processes add up, and those that are none are not asked about")
    func processes() throws {
        var all = contents(kept: 38, of: 100)
        all.add(contents(kept: 12, of: 100))
        #expect(all.classes[0].answers == 200 && all.classes[0].kept == 50)
        #expect(all.classes[0].keptShare == 0.25 && all.classes[1].keptShare == nil)
        #expect(all.timeline.steps[0].kept == 50 && all.timeline.steps[0].answers == 200)
    }

    @Test("Text, page and JSON tell the share of kept answers by class and in all")
    func told() throws {
        let report = report([38])
        let lines = ReportText.lines(report.measurements[0])
        #expect(lines[1].hasSuffix("kept") && lines[2].hasSuffix("38 %"), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("word") && $0.hasSuffix("38 %") }, "\(lines)")
        let none = ReportText.lines(self.report([0]).measurements[0])
        #expect(!none.contains { $0.contains("kept") }, "\(none)")
        let page = try ReportPage.html(report)
        #expect(page.contains("<th>kept</th>") && page.contains("<td>38 %</td>"))
        #expect(page.contains("<strong>38 %</strong>told again by the broker"))
        let measurement = try #require(report.json["measurements"]?.array?.first)
        #expect(measurement["total"]?["kept"] == 38)
        #expect(measurement["total"]?["keptShare"] == 0.38)
        #expect(measurement["classes"]?.array?[0]["kept"] == 38)
        #expect(measurement["classes"]?.array?[1]["keptShare"] == .null)
        #expect(measurement["timeline"]?["steps"]?.array?[0]["kept"] == 38)
    }

    @Test("From a tenth on a remark says so, and how to measure the search alone")
    func remark() throws {
        #expect(report([9]).warnings.isEmpty && report([0, 9]).warnings.isEmpty)
        var report = report([38])
        let words = "38 % of the answers were told again by the broker"
        for text in [
            report.warnings.joined(), try ReportPage.html(report),
            report.json["remarks"]?.array?.last?.string ?? "",
        ] { #expect(text.contains(words) && text.contains("a broker with --kept-answers 0")) }
        #expect(report.isValid, "the figures are right")
        report.setting.keptAnswers = 16
        #expect(report.warnings.joined().contains("; --kept-answers 0 measures the search alone"))
        #expect(try ReportPage.html(report).contains("16 MiB of kept answers"))
        #expect(report.json["setting"]?["keptAnswers"] == 16)
        let several = self.report([0, 38]).warnings
        #expect(several.count == 1 && several[0].hasPrefix("0 % to 38 % of a measurement's"))
    }

    @Test("Reports with other shares are compared and say so, also with those of before")
    func comparison() throws {
        let names = { (before: JSONValue, after: JSONValue) throws in
            try Comparison(before, after).remarks.map { "\($0.name): \($0.before), \($0.after)" }
        }
        let (none, some) = (report([0]).json, report([38]).json)
        let share = "share of kept answers in main: 0 %, 38 %"
        #expect(try names(none, some) == [share])
        #expect(try names(some, some).isEmpty)
        var old = none.without("keptAnswers", "kept", "keptShare")
        #expect(old.serialized().contains("\"kept") == false)
        #expect(try names(old, none).isEmpty)
        #expect(try names(old, some) == [share])
        var own = report([38])
        own.setting.keptAnswers = 16
        old = own.json.without("kept", "keptShare")
        #expect(try names(some, own.json) == ["keptAnswers: nothing, 16"])
        #expect(try names(own.json, old).count == 1, "a share that is not there is none")
    }

    @Test("The live view tells the share of the newest answers, and nothing where none was kept")
    func live() {
        var order = LoadOrder(
            label: "main", arrivals: .open(.constant(200, seconds: 10), .poisson), seconds: 10)
        order.percentiles = nil
        let screen = { LoadScreen(order, LoadProgress($0)) }
        let some = screen(contents(kept: 38, of: 100, seconds: 2))
        #expect(some.line.contains("  38 % kept  "), "\(some.line)")
        #expect(some.lines(columns: 80)[1].hasSuffix("200/s good, 38 % kept"))
        let none = screen(contents(kept: 0, of: 100, seconds: 2))
        #expect(!none.line.contains("kept") && !none.lines(columns: 80)[1].contains("kept"))
    }
}

extension JSONValue {
    /// The same without members of these names, at any depth.
    fileprivate func without(_ names: String...) -> JSONValue { without(Set(names)) }

    private func without(_ names: Set<String>) -> JSONValue {
        if let object {
            var left = JSONObject()
            for (name, value) in object where !names.contains(name) {
                left[name] = value.without(names)
            }
            return .object(left)
        }
        return array.map { .array($0.map { $0.without(names) }) } ?? self
    }
}
