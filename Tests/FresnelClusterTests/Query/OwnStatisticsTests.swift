import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A query of one part")
struct OwnStatisticsTests {
    /// Worker a holds shards 0 and 1, and nobody else has any.
    private func harness(delivery: WireDelivery = .settled) throws -> StreamHarness {
        try StreamHarness(
            search("title == \"lens*\"", delivery: delivery), shards: part(of: "a", shards: [0, 1]))
    }

    private func statistics(_ documents: UInt64, _ leaf: UInt64) -> WireStatistics {
        var statistics = WireStatistics()
        statistics.documents = documents
        statistics.leafDocuments = [leaf]
        statistics.sequences = [7, 7]
        return statistics
    }

    private func found(_ names: [String], _ statistics: WireStatistics?) -> Command {
        var found = WireFound()
        found.items = UInt64(names.count)
        if let statistics { found.statistics = statistics }
        return .found(found)
    }

    private func done(_ found: UInt64, _ statistics: WireStatistics?) -> WirePartDone {
        var done = WirePartDone()
        done.shards = [report(0, found: found), report(1)]
        if let statistics { done.statistics = statistics }
        return done
    }

    /// Replicas of both shards on these workers.
    private func replicas(_ names: String...) -> (ShardKey) -> [ReplicaState] {
        { key in
            let name = names[Int(key.shard.number) % names.count]
            return [
                ReplicaState(
                    worker: WorkerID(name), identity: .unknown, isInSync: true, since: Epoch(1))
            ]
        }
    }

    private func subqueries(_ harness: StreamHarness, to worker: String) -> [WireSubquery] {
        harness.commands(to: worker).compactMap { command in
            if case .subquery(let subquery) = command { subquery } else { nil }
        }
    }

    @Test("It is asked once, counts for itself, and what it counted is kept")
    func once() throws {
        var harness = try harness()
        #expect(harness.commands(to: "a").map(\.verb) == [.subquery])
        #expect(subqueries(harness, to: "a")[0].ownStatistics)
        #expect(!subqueries(harness, to: "a")[0].hasStatistics)
        harness.receive(
            found(["a", "b"], statistics(20, 2)), part: 0, payload: hitBatch(["a", "b"]))
        harness.receive(.partDone(done(2, nil)), part: 0)
        #expect(try harness.delivered == ["a", "b"])
        #expect(harness.completions.map(\.status) == ["complete"])
        #expect(harness.completions.map(\.statistics) == ["asked"])
        #expect(harness.stream.countedEntry?.leafDocuments == [2])
        #expect(harness.stream.countedEntry?.documents == 20)
    }

    @Test("Where nothing is found the end tells what was counted")
    func nothing() throws {
        var harness = try harness()
        harness.receive(.partDone(done(0, statistics(20, 0))), part: 0)
        #expect(harness.completions.map(\.status) == ["complete"])
        #expect(harness.stream.countedEntry?.leafDocuments == [0])
    }

    @Test(
        "A worker that does not tell what it scored with, or what cannot be, is not believed",
        arguments: [nil, 21 as UInt64], [WireDelivery.settled, .found, .final])
    func lies(leaf: UInt64?, delivery: WireDelivery) throws {
        let told = leaf.map { statistics(20, $0) }
        for withHits in [true, false] {
            var harness = try harness(delivery: delivery)
            if withHits {
                harness.receive(found(["a"], told), part: 0, payload: hitBatch(["a"]))
            } else {
                harness.receive(.partDone(done(0, told)), part: 0)
            }
            #expect(try harness.delivered.isEmpty)
            #expect(harness.statuses == [.failed, .failed])
            #expect(harness.completions.count == 1)
            #expect(harness.stream.violations[.statisticsTrue] == 1)
        }
    }

    @Test("A worker that counts some of what scores, or none, is not believed")
    func short() throws {
        var harness = try harness()
        var told = statistics(20, 2)
        told.leafDocuments = []
        harness.receive(found(["a"], told), part: 0, payload: hitBatch(["a"]))
        #expect(try harness.delivered.isEmpty && harness.statuses == [.failed, .failed])
    }

    @Test("One that could not search tells nothing, and its error stands")
    func refused() throws {
        var harness = try harness()
        var failed = WirePartDone()
        failed.shards = [report(0, .failed), report(1, .failed)]
        failed.error = WireFailure(.internalError, "no")
        harness.receive(.partDone(failed), part: 0)
        #expect(harness.statuses == [.failed, .failed])
        #expect(harness.stream.faultCount == 0)
    }

    @Test("The replica that goes on scores with what was told")
    func goesOn() throws {
        var harness = try harness()
        harness.receive(found(["a"], statistics(20, 2)), part: 0, payload: hitBatch(["a"]))
        harness.take(harness.stream.lose(WorkerID("a"), at: at(2), replicas("b")))
        let asked = subqueries(harness, to: "b")
        #expect(asked.count == 1)
        #expect(!asked[0].ownStatistics)
        #expect(asked[0].statistics.leafDocuments == [2])
        #expect(asked[0].statistics.sequences.isEmpty)
    }

    @Test("The replica that begins anew counts for itself")
    func beginsAnew() throws {
        var harness = try harness()
        harness.take(harness.stream.lose(WorkerID("a"), at: at(2), replicas("b")))
        #expect(subqueries(harness, to: "b").map(\.ownStatistics) == [true])
        harness.receive(found(["a"], statistics(20, 2)), part: 1, payload: hitBatch(["a"]))
        var end = done(1, nil)
        end.shards[0].worker = "b"
        harness.receive(.partDone(end), part: 1)
        #expect(try harness.delivered == ["a"])
        #expect(harness.completions.map(\.status) == ["complete"])
    }

    @Test("Several that begin anew are asked for counts first, and score with the sums")
    func several() throws {
        var harness = try harness()
        harness.take(harness.stream.lose(WorkerID("a"), at: at(2), replicas("b", "c")))
        #expect(harness.commands(to: "b").map(\.verb) == [.statistics])
        #expect(harness.commands(to: "c").map(\.verb) == [.statistics])
        harness.receive(.statisticsReply(statistics(10, 1)), part: 1)
        harness.receive(.statisticsReply(statistics(10, 2)), part: 2)
        for worker in ["b", "c"] {
            let asked = subqueries(harness, to: worker)
            #expect(asked.map(\.ownStatistics) == [false])
            #expect(asked.map(\.statistics.documents) == [20])
            #expect(asked.map(\.statistics.leafDocuments) == [[3]])
        }
    }

    @Test("They have half of the time that is left, however late they are asked")
    func late() throws {
        var harness = try harness()
        harness.take(harness.stream.lose(WorkerID("a"), at: at(8), replicas("b", "c")))
        #expect(harness.stream.nextDue == at(9))
        harness.take(harness.stream.tick(at: at(8.5)))
        #expect(harness.completions.isEmpty)
        harness.receive(.statisticsReply(statistics(10, 1)), part: 1, after: 8.6)
        harness.take(harness.stream.tick(at: at(9)))
        #expect(subqueries(harness, to: "b").map(\.statistics.documents) == [10])
        #expect(harness.commands(to: "c").last == .cancel)
    }

    @Test("With nobody to go on the query ends without the shards")
    func nobody() throws {
        var harness = try harness()
        harness.take(harness.stream.lose(WorkerID("a"), at: at(2)))
        #expect(harness.statuses == [.unreachable, .unreachable])
    }

    @Test("Two parts, pages, and what is not scored go as ever")
    func others() throws {
        let two = try StreamHarness(search("title == \"lens*\""))
        #expect(two.commands(to: "a").map(\.verb) == [.statistics])
        let unscored = try StreamHarness(search(), shards: part(of: "a", shards: [0]))
        #expect(subqueries(unscored, to: "a").map(\.ownStatistics) == [false])
    }
}
