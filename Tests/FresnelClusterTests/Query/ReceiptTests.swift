import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Receipts of the shards of a query")
struct ReceiptTests {
    enum End: CaseIterable {
        case deadline, cancel, loss, busy, error, fault
    }

    /// Ends what is open, three seconds after it was sent, the deadline after ten.
    private func end(_ harness: inout StreamHarness, as end: End) {
        switch end {
        case .deadline: harness.take(harness.stream.tick(at: at(10)))
        case .cancel: harness.take(harness.stream.cancel(at: at(3)))
        case .loss: harness.take(harness.stream.lose(WorkerID("a"), at: at(3)))
        case .busy: harness.receive(.busy(WireFailure(.busy, "no")), part: 0, after: 3)
        case .error: harness.receive(.error(WireFailure(.internalError, "no")), part: 0, after: 3)
        case .fault: harness.receive(.joined, part: 0, after: 3)
        }
    }

    @Test(
        "Q-15: A part that its worker never ended tells the time since it was sent, nothing else",
        arguments: End.allCases)
    func unheard(how: End) throws {
        var harness = try StreamHarness(search())
        harness.finish(part: 1, [report(2)])
        end(&harness, as: how)
        let done = try #require(harness.completions.first)
        for shard in done.shards.prefix(2) {
            #expect(shard.wireUs == (how == .deadline ? 10_000_000 : 3_000_000))
            #expect(!shard.hasQueueUs && !shard.hasMatchUs && !shard.hasScoreUs)
            #expect(!shard.hasFetchUs && shard.status != .complete)
        }
        #expect(done.shards[2].wireUs == 1_000_000 && done.shards[2].status == .complete)
    }

    @Test("A shard whose worker could not begin owns what it was known to hold")
    func ownedUnsearched() throws {
        var harness = try StreamHarness(search())
        let owned = harness.stream.parts[0].targets.map(\.documents)
        var reports = [report(0), report(1)]
        for number in reports.indices {
            reports[number].status = .failed
            reports[number].owned = 0
        }
        var done = WirePartDone()
        done.shards = reports
        done.error = WireFailure(.shardUnavailable, "no")
        harness.receive(.partDone(done), part: 0)
        harness.finish(part: 1, [report(2)])
        let shards = try #require(harness.completions.first).shards.prefix(2)
        #expect(shards.map(\.owned) == owned && !owned.contains(0), "\(owned)")
    }

    /// What matching of a shard counted, with its times.
    private func counted(_ shard: UInt32, match: UInt64) -> WireShardReport {
        var report = report(shard)
        report.found = 1
        report.queueUs = 50
        report.matchUs = match
        report.scoreUs = 0
        return report
    }

    @Test(
        "Q-15: What a worker told with its first hits stays, and is no part of the wire",
        arguments: End.allCases)
    func heard(how: End) throws {
        var harness = try StreamHarness(search())
        harness.finish(part: 1, [report(2)])
        harness.find(
            ["a"], part: 0, counted: [counted(0, match: 400_000), counted(1, match: 100_000)])
        end(&harness, as: how)
        let done = try #require(harness.completions.first)
        let took: UInt64 = how == .deadline ? 10_000_000 : 3_000_000
        // Nothing of a worker is believed that broke what is promised.
        let isBelieved = ![.fault, .error].contains(how)
        for shard in done.shards.prefix(2) {
            #expect(shard.wireUs == (isBelieved ? took - 500_050 : took))
            #expect(shard.queueUs == (isBelieved ? 50 : 0))
            #expect(shard.hasScoreUs == isBelieved && !shard.hasFetchUs)
        }
        #expect(
            done.shards.prefix(2).map(\.matchUs) == (isBelieved ? [400_000, 100_000] : [0, 0]))
    }

    @Test("Q-15: A shard that nobody was asked for has no times at all")
    func unasked() throws {
        let shards = part(of: "a", shards: [0]) + part(of: "", shards: [1])
        var harness = try StreamHarness(search(), shards: shards)
        harness.finish(part: 0, [report(0)])
        let done = try #require(harness.completions.first)
        #expect(done.shards.map(\.hasWireUs) == [true, false])
    }

    @Test(
        "Q-15: A worker tells every time of a part that it ended, none of them only where it is 0")
    func workersWord() throws {
        var tasks = TaskTable()
        var subquery = WireSubquery()
        subquery.search = search()
        let started = tasks.start(.matching, subquery, request(1), at: start, until: at(10))
        let id = try #require(started)
        let outcome = MatchOutcome(reports: [report(0), report(1)], available: 0)
        let done = tasks.matched(id, outcome, at: start).compactMap { action -> WirePartDone? in
            guard case .send(.partDone(let done), _, _) = action else { return nil }
            return done
        }
        for report in try #require(done.first).shards {
            #expect(report.hasQueueUs && report.hasMatchUs && report.hasScoreUs)
            #expect(report.hasFetchUs && !report.hasWireUs)
        }
    }
}
