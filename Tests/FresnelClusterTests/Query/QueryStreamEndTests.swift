import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("The end of a query")
struct QueryStreamEndTests {
    @Test("Every part reported whole: complete")
    func complete() throws {
        var harness = try StreamHarness(search())
        harness.finishAll()
        let done = try #require(harness.completions.first)
        #expect(done.status == "complete" && done.complete)
        #expect(done.shards.map(\.shard) == [0, 1, 2] && done.searched == 30 && done.owned == 30)
        #expect(done.snapshot.map(\.sequence) == [7])
    }

    @Test("Cancel ends a query once, tells open workers, and says what is missing")
    func cancel() throws {
        var harness = try StreamHarness(search())
        harness.finish(part: 1, [report(2)])
        harness.take(harness.stream.cancel(at: at(1)))
        harness.take(harness.stream.cancel(at: at(2)))
        #expect(harness.completions.map(\.status) == ["cancelled"])
        #expect(harness.statuses == [.cancelled, .cancelled, .complete])
        #expect(harness.commands(to: "a").last == .cancel)
        #expect(harness.commands(to: "b").last != .cancel)
    }

    @Test("A query that ends early says what had been counted by then, and never less than it sent")
    func counted() throws {
        var harness = try StreamHarness(search())
        var first = report(0)
        (first.found, first.searched, first.owned) = (40, 90, 90)
        harness.find(["a", "b"], part: 0, counted: [first, report(1)])
        harness.take(harness.stream.cancel(at: at(1)))
        let done = try #require(harness.completions.first)
        #expect(done.found == 40 && done.searched == 90 + report(1).searched)
        #expect(harness.statuses == [.cancelled, .cancelled, .cancelled] && !done.complete)
    }

    @Test("Hits beyond what their worker counted, or counts of foreign shards, are not believed")
    func miscounted() throws {
        var harness = try StreamHarness(search())
        var first = report(0)
        first.found = 1
        harness.find(["a", "b"], part: 0, counted: [first])
        harness.find(["a"], part: 1, counted: [report(7)])
        #expect(harness.statuses == [.failed, .failed, .failed])
    }

    @Test("The deadline ends a query, and not before its time", arguments: [(9.9, 0), (10.0, 1)])
    func deadline(seconds: Double, completions: Int) throws {
        var harness = try StreamHarness(search())
        harness.take(harness.stream.tick(at: at(seconds)))
        #expect(harness.completions.count == completions)
        #expect(harness.completions.allSatisfy { $0.status == "deadline" && !$0.complete })
    }

    @Test("What a lost worker sent is delivered, what it did not send is reported unreachable")
    func lostWorker() throws {
        var harness = try StreamHarness(search())
        harness.find(["b"], part: 1)
        harness.take(harness.stream.lose(WorkerID("b"), at: at(1)))
        harness.find(["a", "c"], part: 0)
        harness.finish(part: 0, [report(0), report(1)])
        #expect(try harness.delivered == ["a", "b", "c"])
        #expect(harness.statuses == [.complete, .complete, .unreachable])
        #expect(harness.completions.count == 1 && harness.completions[0].complete == false)
    }

    @Test("A shard that nobody holds is in the manifest, and the answer is not complete")
    func unreachableShard() throws {
        let shards = part(of: "a", shards: [0]) + part(of: "", shards: [1])
        var harness = try StreamHarness(search(), shards: shards)
        harness.finish(part: 0, [report(0)])
        #expect(harness.statuses == [.complete, .unreachable])
        #expect(harness.completions.first?.complete == false)
    }

    @Test("A query over nothing at all is complete and empty")
    func nothing() throws {
        let harness = try StreamHarness(search(), shards: [])
        #expect(harness.completions.map(\.status) == ["complete"])
    }

    @Test("A shard that its worker leaves out of the report is failed, not forgotten")
    func missingReport() throws {
        var harness = try StreamHarness(search())
        harness.finish(part: 0, [report(0)])
        harness.finish(part: 1, [report(2)])
        #expect(harness.statuses == [.complete, .failed, .complete])
        #expect(harness.completions.first?.complete == false)
    }

    @Test("Reports of shards that were not asked for, or doubled, do not reach the manifest")
    func foreignReport() throws {
        var harness = try StreamHarness(search())
        harness.finish(part: 0, [report(0), report(0), report(1), report(9)])
        harness.finish(part: 1, [report(2)])
        #expect(harness.completions.first?.shards.map(\.shard) == [0, 1, 2])
    }

    @Test("A part that ends with an error is not complete, whatever its reports say")
    func partError() throws {
        var harness = try StreamHarness(search())
        var done = WirePartDone()
        done.shards = [report(0), report(1)]
        done.error = WireFailure(.internalError, "broken")
        harness.receive(.partDone(done), part: 0)
        harness.finish(part: 1, [report(2)])
        #expect(harness.statuses == [.failed, .failed, .complete])
    }

    enum Fault: CaseIterable {
        case gap, repetition, beyondCredit, garbage, wrongVerb
    }

    @Test(
        "A faulty batch fails its part, cancels it, and nothing of it is papered over",
        arguments: Fault.allCases)
    func faults(fault: Fault) throws {
        var harness = try StreamHarness(search(credit: 2))
        harness.find(["z"], part: 0)
        switch fault {
        case .gap: harness.find(["zz"], part: 0, sequence: 2)
        case .repetition: harness.find(["z"], part: 0, sequence: 0)
        case .beyondCredit: harness.find(["zz", "zzz"], part: 0, sequence: 1)
        case .garbage: harness.receive(.found(WireFound()), part: 0, sequence: 1, payload: [1, 2])
        case .wrongVerb: harness.receive(.joined, part: 0)
        }
        #expect(harness.commands(to: "a").last == .cancel)
        harness.find(["a"], part: 1)
        harness.finish(part: 1, [report(2)])
        #expect(try harness.delivered == ["a"])
        #expect(harness.statuses == [.failed, .failed, .complete])
        #expect(harness.completions.count == 1)
    }

    @Test(
        "A worker too busy sheds its shards; one that breaks fails them",
        arguments: [(true, WireShardStatus.shed), (false, .failed)])
    func refusals(isBusy: Bool, status: WireShardStatus) throws {
        var harness = try StreamHarness(search())
        let failure = WireFailure(.busy, "no")
        harness.receive(isBusy ? .busy(failure) : .error(failure), part: 0)
        harness.finish(part: 1, [report(2)])
        #expect(harness.statuses == [status, status, .complete])
    }

    @Test("After the end nothing changes and nothing is sent")
    func afterTheEnd() throws {
        var harness = try StreamHarness(search())
        harness.finishAll()
        let sent = (harness.toClient.count, harness.toWorkers.count)
        harness.find(["a"], part: 0)
        harness.finishAll()
        harness.take(harness.stream.cancel(at: at(2)))
        harness.take(harness.stream.tick(at: at(99)))
        harness.take(harness.stream.grant(items: 99, bytes: 99, at: at(2)))
        harness.take(harness.stream.lose(WorkerID("a"), at: at(2)))
        #expect(harness.toClient.count == sent.0 && harness.toWorkers.count == sent.1)
    }

    @Test("Scores are asked for with the sum of every part's statistics")
    func statistics() throws {
        var harness = try StreamHarness(search("title == \"lens*\""))
        #expect(harness.toWorkers.allSatisfy { $0.message.verb == .statistics })
        for (part, documents) in [(0, 20), (1, 7)] as [(Int, UInt64)] {
            var statistics = WireStatistics()
            statistics.documents = documents
            statistics.leafDocuments = [documents / 2]
            harness.receive(.statisticsReply(statistics), part: part)
        }
        for worker in ["a", "b"] {
            guard case .subquery(let subquery)? = harness.commands(to: worker).last else {
                Issue.record("worker \(worker) was not asked")
                continue
            }
            #expect(subquery.statistics.documents == 27)
            #expect(subquery.statistics.leafDocuments == [13])
        }
        harness.finishAll()
        #expect(harness.completions.map(\.status) == ["complete"])
    }

    @Test("A worker lost while counting does not hold up the others")
    func lostWhileCounting() throws {
        var harness = try StreamHarness(search("title == \"lens*\""))
        harness.receive(.statisticsReply(WireStatistics()), part: 0)
        harness.take(harness.stream.lose(WorkerID("b"), at: at(1)))
        #expect(harness.commands(to: "a").last?.verb == .subquery)
        #expect(harness.commands(to: "b").last?.verb == .statistics)
        harness.finish(part: 0, [report(0), report(1)])
        #expect(harness.statuses == [.complete, .complete, .unreachable])
    }

    @Test("Hits before they were asked for fail the part")
    func hitsWhileCounting() throws {
        var harness = try StreamHarness(search("title == \"lens*\""))
        harness.find(["a"], part: 0)
        #expect(harness.commands(to: "a").last == .cancel)
    }

    @Test(
        "A query that cannot be run is refused with a reason",
        arguments: [
            "limit", "credit", "coverage", "slot", "query",
        ])
    func refusedPlans(what: String) throws {
        var search = search()
        switch what {
        case "limit": search.limit = 0
        case "credit": search.creditItems = 0
        case "coverage": search.coverage = 2
        case "slot": search.slot = String(repeating: "s", count: Limits.slotBytes + 1)
        default: search.query = "title == "
        }
        #expect(throws: PlanRefusal.self) { _ = try StreamHarness(search) }
    }
}
