import Foundation
import FresnelJSON
import FresnelModel
import FresnelSystem
import Testing

@testable import FresnelLoad

/// Parts of a load that processes of their own make.
@Suite("Loads of several processes")
struct ProcessTests {
    private let seed: UInt64 = 7

    /// What one recorder comes to when it takes the records whose number belongs to a share.
    private func contents(_ share: LoadShare) -> Recorder.Contents {
        var contents = Recorder.Contents(classes: Workload.standard.classes, seconds: 10)
        var draws = SeededGenerator(seed: seed)
        for number in 0..<3000 {
            let record = record(number, &draws)
            guard share.has(number) else { continue }
            contents.classes[record.place].take(record)
            contents.timeline.take(record)
            contents.health.take(record)
            contents.takeShards(of: record)
        }
        return contents
    }

    private func record(_ number: Int, _ draws: inout SeededGenerator) -> RequestRecord {
        let latency = Int64(draws.next() % 3_000_000_000)
        let outcomes: [Outcome] = [
            .complete, .complete, .failed(.busy), .incomplete(.deadline), .wrong, .superseded,
        ]
        let planned = Int64(number) * 2_000_000
        var record = RequestRecord(
            place: number % 5, planned: planned, sent: planned + 3000, ended: planned + latency,
            outcome: outcomes[Int(draws.next() % 6)])
        record.moments = [(.completion, latency), (.firstItem, latency / 2)]
        record.found = draws.next() % 100
        var report = ShardReport(
            index: .standard, shard: ShardID(UInt32(number % 3)), worker: WorkerID("w1"),
            status: number % 7 == 0 ? .deadline : .complete)
        report.timings.match = draws.next() % 10_000
        record.shards = [report]
        record.shardFaults = number % 7 == 0 ? ["shard"] : []
        return record
    }

    /// The same after it went to another process.
    private func sent(_ contents: Recorder.Contents) throws -> Recorder.Contents {
        try JSONDecoder().decode(
            Recorder.Contents.self, from: try JSONEncoder().encode(contents))
    }

    private func json(_ contents: Recorder.Contents) -> String {
        var contents = contents
        // Of the parts of a load there are as many as processes.
        contents.health = GeneratorHealth()
        return LoadReport.Measurement(
            label: "main", plannedRate: 100, loops: nil, contents: contents
        ).json.serialized()
    }

    @Test("However many processes make a load, it comes to the same", arguments: [1, 2, 3, 7])
    func merges(count: Int) throws {
        var merged = Recorder.Contents(classes: Workload.standard.classes, seconds: 10)
        for number in 0..<count {
            merged.add(try sent(contents(LoadShare(number: number, count: count))))
        }
        #expect(json(merged) == json(contents(.whole)), "seed \(seed)")
        #expect(merged.health.lateness.count == 3000 && merged.health.parts.count == count)
    }

    @Test("Every planned request belongs to one process")
    func shares() {
        for count in 1...8 {
            let shares = (0..<count).map { LoadShare(number: $0, count: count) }
            for number in 0..<100 {
                #expect(shares.count { $0.has(number) } == 1)
            }
        }
    }

    @Test("One process that was late, or that ended, makes the whole run invalid")
    func health() {
        var (prompt, late, all) = (GeneratorHealth(), GeneratorHealth(), GeneratorHealth())
        for number in 0..<1000 {
            let sent: Int64 = number < 15 ? 50_000_000 : 0
            let record = RequestRecord(
                place: 0, planned: 0, sent: sent, ended: sent, outcome: .complete)
            late.take(record)
            for _ in 0..<9 {
                prompt.take(
                    RequestRecord(place: 0, planned: 0, sent: 0, ended: 0, outcome: .complete))
            }
        }
        all.add(prompt)
        #expect(all.complaint(closed: false) == nil)
        all.add(late)
        #expect(all.complaint(closed: false)?.contains("process 2 of 2") == true)
        var lost = GeneratorHealth()
        lost.add(prompt)
        lost.lose("load process 2 of 2 ended")
        var report = Recorder.Contents(classes: Workload.standard.classes, seconds: 10)
        report.health = lost
        let measurement = LoadReport.Measurement(
            label: "search", plannedRate: 9, loops: nil, contents: report, purpose: .search)
        #expect(measurement.complaints == ["load process 2 of 2 ended"])
    }

    @Test("Two processes that were answered differently are told like one that was")
    func answers() throws {
        var (first, second) = (AnswerBook(), AnswerBook())
        var completion = Completion(status: .complete, shards: [])
        completion.digest = "one"
        completion.snapshot = [.standard: SequenceNumber(4)]
        _ = first.take("q", place: 0, completion)
        _ = second.take("q", place: 0, completion)
        first.add(second)
        #expect(first.compared == 1 && first.differences.isEmpty)
        completion.digest = "two"
        var third = AnswerBook()
        _ = third.take("q", place: 0, completion)
        first.add(third)
        #expect(first.differences.count == 1)
    }

    @Test("What processes tell while they measure adds up, whoever speaks first")
    func progress() {
        var told: [LoadProgress] = []
        for number in 0..<3 {
            let all = contents(LoadShare(number: number, count: 3))
            var early = all
            early.timeline = Timeline(seconds: 10)
            for _ in 0..<5 {
                early.timeline.take(
                    RequestRecord(
                        place: 0, planned: 1_000_000_000, sent: 0, ended: 0, outcome: .complete))
            }
            var progress = LoadProgress(early)
            progress.take(LoadProgress(all, newest: 6))
            told.append(progress)
        }
        var sum = told[0]
        sum.add(told[1])
        sum.add(told[2])
        let whole = LoadProgress(contents(.whole))
        #expect(sum.steps.map(\.planned) == whole.steps.map(\.planned))
        #expect(sum.failures == whole.failures && sum.seconds == whole.seconds)
    }
}
