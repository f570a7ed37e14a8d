import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Workers that lie")
struct LyingWorkerTests {
    enum Lie: CaseIterable {
        case hitsThatNeverCame, fewerHitsThanFound, hitsWithoutCount
        case disorderInBatch, disorderBetweenBatches, wrongNumberOfItems, beyondCredit
        case hitsAfterTheEnd, secondEnd, foreignShard, shardTwice
        case boundWentBack, hitBeforeBound, gap, unreadable, moreScoredThanFound
        case unaskedStatistics

        /// The promise that it breaks.
        var invariant: StreamInvariant {
            switch self {
            case .hitsThatNeverCame, .fewerHitsThanFound, .hitsWithoutCount, .wrongNumberOfItems,
                .moreScoredThanFound:
                .countsTrue
            case .disorderInBatch, .disorderBetweenBatches: .orderAscending
            case .beyondCredit: .creditNeverExceeded
            case .hitsAfterTheEnd, .secondEnd: .exactlyOneCompletion
            case .foreignShard, .shardTwice: .manifestSumsToOwned
            case .boundWentBack, .hitBeforeBound: .boundMonotone
            case .gap: .sequenceUnbroken
            case .unreadable: .messagesReadable
            case .unaskedStatistics: .verbsInTurn
            }
        }
    }

    @Test(
        "A part whose worker says what cannot be is failed with a reason, and the query ends once",
        arguments: Lie.allCases)
    func lies(lie: Lie) throws {
        var harness = try StreamHarness(search(credit: 10))
        let reports = [report(0), report(1)]
        switch lie {
        case .hitsThatNeverCame:
            harness.finish(part: 0, [report(0, found: 3), report(1)])
        case .fewerHitsThanFound:
            harness.find(["a", "b"], part: 0)
            harness.finish(part: 0, [report(0, found: 2), report(1, found: 1)])
        case .hitsWithoutCount:
            harness.find(["a", "b"], part: 0)
            harness.finish(part: 0, [report(0, found: 1), report(1)])
        case .disorderInBatch: harness.find(["b", "a"], part: 0)
        case .disorderBetweenBatches:
            harness.find(["b"], part: 0)
            harness.find(["a"], part: 0, sequence: 1)
        case .wrongNumberOfItems:
            var found = WireFound()
            found.items = 3
            harness.receive(.found(found), part: 0, payload: hitBatch(["a", "b"]))
        case .beyondCredit: harness.find((0..<11).map { "a\($0)" }.sorted(), part: 0)
        case .hitsAfterTheEnd:
            harness.finish(part: 0, reports)
            harness.find(["a"], part: 0)
        case .secondEnd:
            harness.finish(part: 0, reports)
            harness.finish(part: 0, reports)
        case .foreignShard: harness.finish(part: 0, reports + [report(2)])
        case .shardTwice: harness.finish(part: 0, [report(0), report(1), report(0)])
        case .boundWentBack:
            harness.find(["a"], part: 0, bound: "c")
            harness.find([], part: 0, sequence: 1, bound: "b")
        case .hitBeforeBound:
            harness.find(["a"], part: 0, bound: "c")
            harness.find(["b"], part: 0, sequence: 1)
        case .gap: harness.find(["a"], part: 0, sequence: 1)
        case .unreadable: harness.receive(.found(WireFound()), part: 0, payload: [1])
        case .moreScoredThanFound:
            var first = report(0, found: 0)
            (first.scored, first.skipped) = (1, .max)
            harness.finish(part: 0, [first, report(1)])
        case .unaskedStatistics: harness.receive(.statisticsReply(WireStatistics()), part: 0)
        }
        #expect(harness.stream.violations[lie.invariant] == 1)
        #expect(harness.stream.faultCount == 1 && harness.completions.isEmpty)
        harness.find(["m"], part: 1)
        harness.finish(part: 1, [report(2)])
        let done = try #require(harness.completions.first)
        #expect(harness.completions.count == 1 && !done.complete && done.status != "complete")
        #expect(harness.statuses == [.failed, .failed, .complete])
        #expect(done.shards.prefix(2).allSatisfy { !$0.message.isEmpty && $0.found == 0 })
        #expect(try harness.delivered.last == "m")
    }

    @Test("Counts that are true are believed: with a limit, a count only, and cut short")
    func truths() throws {
        var limited = try StreamHarness(search(limit: 2))
        limited.find(["x", "y"], part: 0)
        limited.finish(part: 0, [report(0, found: 5), report(1, found: 7)])
        #expect(limited.stream.faultCount == 0)

        var counting = search()
        counting.countOnly = true
        var counted = try StreamHarness(counting)
        counted.finish(part: 0, [report(0, found: 5), report(1, found: 7)])
        #expect(counted.stream.faultCount == 0)

        var late = try StreamHarness(search())
        late.find(["x"], part: 0)
        late.finish(part: 0, [report(0, .deadline, found: 5), report(1, .deadline, found: 7)])
        #expect(late.stream.faultCount == 0)
    }

    @Test("Hits of two indexes may have one key, and unordered hits any")
    func equalKeys() throws {
        var ordered = try StreamHarness(search())
        ordered.find(["a", "a"], part: 0)
        ordered.find(["a"], part: 0, sequence: 1)
        #expect(ordered.stream.faultCount == 0)
        var unordered = try StreamHarness(search(delivery: .found))
        unordered.find(["b", "a"], part: 0)
        #expect(try unordered.delivered == ["b", "a"] && unordered.stream.faultCount == 0)
    }

    @Test("A hit that comes after its part was given up is late, not a second lie")
    func lateHits() throws {
        var harness = try StreamHarness(search())
        harness.find(["b", "a"], part: 0)
        harness.find(["c"], part: 0, sequence: 1)
        harness.take(harness.stream.lose(WorkerID("b"), at: at(1)))
        harness.find(["d"], part: 1)
        #expect(harness.stream.faultCount == 1)
        #expect(harness.statuses == [.failed, .failed, .unreachable])
    }

    @Test(
        "Statistics that cannot be true are not passed on to other workers",
        arguments: [[11], [1, 1]] as [[UInt64]])
    func statistics(leaves: [UInt64]) throws {
        var harness = try StreamHarness(search("title == \"lens*\""))
        var lie = WireStatistics()
        lie.documents = 10
        lie.leafDocuments = leaves
        harness.receive(.statisticsReply(lie), part: 0)
        #expect(harness.commands(to: "a").last == .cancel)
        harness.receive(.statisticsReply(WireStatistics()), part: 1)
        guard case .subquery(let subquery)? = harness.commands(to: "b").last else {
            Issue.record("the other worker was not asked")
            return
        }
        #expect(subquery.statistics.documents == 0)
    }

    @Test("An answer in the wrong phase fails the part: an end before hits were asked for")
    func earlyEnd() throws {
        var harness = try StreamHarness(search("title == \"lens*\""))
        harness.finish(part: 0, [report(0), report(1)])
        #expect(harness.stream.faultCount == 1 && harness.commands(to: "a").last == .cancel)
        #expect(harness.stream.parts[0].reports.map(\.status) == [.failed, .failed])
    }

    @Test(
        "Q-12: Statistics in place of hits fail the part at once, also of one that has sent some",
        arguments: [false, true])
    func statisticsForHits(hasSent: Bool) throws {
        var harness = try StreamHarness(search("title == \"lens*\""))
        for part in 0...1 { harness.receive(.statisticsReply(WireStatistics()), part: part) }
        #expect(harness.commands(to: "a").last?.verb == .subquery)
        if hasSent { harness.find(["a"], part: 0) }
        harness.receive(.statisticsReply(WireStatistics()), part: 0)
        #expect(harness.commands(to: "a").last == .cancel)
        #expect(harness.stream.violations[.verbsInTurn] == 1)
        harness.receive(.statisticsReply(WireStatistics()), part: 0)
        harness.finish(part: 1, [report(2)])
        #expect(harness.statuses == [.failed, .failed, .complete])
        #expect(harness.stream.faultCount == 1, "what comes after that is late")
    }

    @Test("Numbers without measure are added up without overflow")
    func numbers() throws {
        var harness = try StreamHarness(search())
        var reports = [report(0, .deadline), report(1, .deadline)]
        for number in reports.indices {
            reports[number].searched = .max
            reports[number].owned = .max
            reports[number].found = .max
            reports[number].queueUs = .max
            reports[number].matchUs = .max
            reports[number].fetchUs = .max
        }
        harness.finish(part: 0, reports)
        harness.finish(part: 1, [report(2)])
        let done = try #require(harness.completions.first)
        #expect(done.found == .max && done.searched == .max && done.owned == .max)
        #expect(done.shards[0].wireUs == 0 && !done.complete)
    }

    @Test("A worker whose time ran out is reported as late, not as broken")
    func late() throws {
        var harness = try StreamHarness(search("title == \"lens*\""))
        harness.receive(.error(WireFailure(.budgetExhausted, "late")), part: 0)
        harness.receive(.error(WireFailure(.internalError, "broken")), part: 1)
        #expect(harness.statuses == [.deadline, .deadline, .failed])
    }
}
