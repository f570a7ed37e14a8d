import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Statistics that the broker remembers")
struct CachedStatisticsStreamTests {
    private static let query = "title == \"lens*\""

    /// Shards 0 and 1 on worker a, 2 on b, each with its newest part.
    private func shards(_ settled: [UInt64?] = [5, 6, 7]) -> [SearchableShard] {
        var shards = part(of: "a", shards: [0, 1]) + part(of: "b", shards: [2])
        for number in shards.indices {
            shards[number].settledSequence = settled[number].map { SequenceNumber($0) }
        }
        return shards
    }

    private func statistics(_ sequences: [UInt64], validUntil: Double = 0) -> WireStatistics {
        var statistics = WireStatistics()
        statistics.documents = 10 * UInt64(sequences.count)
        statistics.leafDocuments = [2]
        statistics.sequences = sequences
        statistics.validUntil = validUntil
        return statistics
    }

    private func start(
        _ table: inout QueryTable, _ number: UInt64, shards: [SearchableShard]? = nil,
        query: String = Self.query, now: Double = 100
    ) throws -> [QueryTable.Action] {
        var search = search(query)
        search.context.now = now
        let plan = try QueryPlan(
            search, shards: shards ?? self.shards(), schema: AttributeSchema(), at: moment())
        return table.start(
            plan, request: request(number), client: SessionID(1),
            at: FresnelClusterTests.start, deadline: FresnelClusterTests.start + .seconds(10))
    }

    private func verbs(_ actions: [QueryTable.Action]) -> [Verb] {
        actions.map { action in
            switch action {
            case .toWorker(_, let message), .toClient(_, let message): message.verb
            }
        }
    }

    private func answer(
        _ table: inout QueryTable, _ number: UInt64, _ part: UInt32, _ command: Command
    ) -> [QueryTable.Action]? {
        let envelope = Envelope(id: RequestID(high: 0, low: number), part: part)
        return table.receive(
            Message(envelope, command), from: WorkerID(part == 0 ? "a" : "b"), at: at(1))
    }

    /// A table in which one query asked both workers.
    private func warm(validUntil: Double = 0) throws -> QueryTable {
        var table = QueryTable()
        let actions = try start(&table, 1)
        #expect(verbs(actions) == [.accepted, .statistics, .statistics])
        _ = answer(&table, 1, 0, .statisticsReply(statistics([5, 6], validUntil: validUntil)))
        _ = answer(&table, 1, 1, .statisticsReply(statistics([7])))
        return table
    }

    @Test("Q-21: a query that was asked before is not counted again, and says so")
    func hit() throws {
        var table = try warm()
        let actions = try start(&table, 2)
        #expect(verbs(actions) == [.accepted, .subquery, .subquery])
        guard case .toWorker(_, let first) = actions[1],
            case .subquery(let subquery) = first.command,
            case .toWorker(_, let second) = actions[2], case .subquery(let other) = second.command
        else {
            Issue.record("no sub-queries: \(actions)")
            return
        }
        #expect(subquery.statistics.documents == 30 && subquery.statistics.leafDocuments == [4])
        #expect(subquery.statistics.sequences == [5, 6] && other.statistics.sequences == [7])
        var done = WirePartDone()
        done.shards = [report(0), report(1)]
        _ = answer(&table, 2, 0, .partDone(done))
        done.shards = [report(2)]
        let end = try #require(answer(&table, 2, 1, .partDone(done)))
        guard case .toClient(_, let last)? = end.last, case .done(let completion) = last.command
        else {
            Issue.record("no completion: \(end)")
            return
        }
        #expect(completion.statistics == "cached" && completion.complete)
    }

    @Test("Q-25: what the only part counted is good for the next query")
    func ownCounts() throws {
        let shards = Array(shards().prefix(2))
        var table = QueryTable()
        #expect(verbs(try start(&table, 1, shards: shards)) == [.accepted, .subquery])
        var done = WirePartDone()
        done.shards = [report(0), report(1)]
        done.statistics = statistics([5, 6])
        _ = answer(&table, 1, 0, .partDone(done))
        guard case .toWorker(_, let message)? = try start(&table, 2, shards: shards).last,
            case .subquery(let subquery) = message.command
        else {
            Issue.record("no sub-query")
            return
        }
        #expect(!subquery.ownStatistics && subquery.statistics.leafDocuments == [2])
    }

    @Test("Q-22: who is lost is not asked when a query begins again")
    func lostBeforeRecount() throws {
        var table = try warm()
        _ = try start(&table, 2)
        var done = WirePartDone()
        done.shards = [report(0), report(1)]
        _ = answer(&table, 2, 0, .partDone(done))
        _ = table.lose(worker: WorkerID("a"), at: at(1))
        let again = try #require(answer(&table, 2, 1, .statisticsReply(statistics([8]))))
        let asked = again.compactMap { action in
            if case .toWorker(let worker, let message) = action, message.verb == .statistics {
                worker
            } else {
                nil
            }
        }
        #expect(asked == [WorkerID("b")])
        let counted = try #require(answer(&table, 3, 1, .statisticsReply(statistics([8]))))
        #expect(verbs(counted) == [.subquery])
        done.shards = [report(2)]
        let end = try #require(answer(&table, 3, 1, .partDone(done)))
        guard case .toClient(_, let last)? = end.last, case .done(let completion) = last.command
        else {
            Issue.record("no completion: \(end)")
            return
        }
        #expect(completion.shards.map(\.status) == [.unreachable, .unreachable, .complete])
    }

    @Test(
        "Q-20: another state, another instant or another question asks",
        arguments: [
            (settled: [5, 6, 8], now: 100.0, query: query),
            (settled: [5, nil, 7], now: 100.0, query: query),
            (settled: [5, 6, 7], now: 99.0, query: query),
            (settled: [5, 6, 7], now: 200.0, query: query),
            (settled: [5, 6, 7], now: 100.0, query: "title == \"lens*\"c"),
        ] as [(settled: [UInt64?], now: Double, query: String)])
    func miss(settled: [UInt64?], now: Double, query: String) throws {
        var table = try warm(validUntil: 200)
        let same = try start(&table, 2, now: 199)
        #expect(verbs(same) == [.accepted, .subquery, .subquery])
        let other = try start(&table, 3, shards: shards(settled), query: query, now: now)
        #expect(verbs(other) == [.accepted, .statistics, .statistics])
    }

    @Test(
        "Q-20: what was not counted whole, or beyond the snapshot, is not remembered",
        arguments: [[8], [7, 7], []] as [[UInt64]])
    func unusable(sequences: [UInt64]) throws {
        var table = QueryTable()
        _ = try start(&table, 1)
        _ = answer(&table, 1, 0, .statisticsReply(statistics([5, 6])))
        // The snapshot of the queries is 7.
        _ = answer(&table, 1, 1, .statisticsReply(statistics(sequences)))
        let known = shards([5, 6, sequences.last])
        #expect(verbs(try start(&table, 2, shards: known)).contains(.statistics))
    }

    @Test("Q-22: a worker that objects makes the query begin again under another id, once")
    func objection() throws {
        var table = try warm()
        _ = try start(&table, 2)
        let again = try #require(answer(&table, 2, 1, .statisticsReply(statistics([8]))))
        #expect(verbs(again) == [.cancel, .cancel, .statistics, .statistics])
        #expect(table.recountCount == 1)
        // The former id means nothing any more.
        #expect(answer(&table, 2, 0, .statisticsReply(statistics([5, 6]))) == nil)
        _ = answer(&table, 3, 0, .statisticsReply(statistics([5, 6])))
        let asked = try #require(answer(&table, 3, 1, .statisticsReply(statistics([8]))))
        #expect(verbs(asked) == [.subquery, .subquery])
        // To what it was not given nobody can object: that is an answer out of turn.
        let twice = try #require(answer(&table, 3, 1, .statisticsReply(statistics([9]))))
        #expect(verbs(twice) == [.cancel] && table.violations[.verbsInTurn] == 1)
        #expect(table.recountCount == 1)
        #expect(verbs(try start(&table, 4, shards: shards([5, 6, 7]))).contains(.statistics))
    }

    @Test("Q-22: nothing is delivered before every worker has accepted the statistics")
    func unconfirmed() throws {
        var found = search(Self.query, delivery: .found)
        found.context.now = 100
        let plan = try QueryPlan(
            found, shards: shards(), schema: AttributeSchema(), at: moment())
        let entry = StatisticsCache.Counts(
            documents: 30, leafDocuments: [4], sequences: [5, 6, 7], now: 100, validUntil: 0)
        var stream = QueryStream(
            plan, request: request(1), workerID: RequestID(high: 0, low: 1),
            at: FresnelClusterTests.start, deadline: FresnelClusterTests.start + .seconds(10),
            cached: entry)
        _ = stream.begin(at: at(0))
        var wire = WireFound()
        wire.items = 1
        let hit = Message(Envelope(id: stream.workerID), .found(wire), payload: hitBatch(["a"]))
        _ = stream.receive(hit, part: 0, at: at(1))
        #expect(stream.delivered == 0)
        _ = stream.receive(hit, part: 1, at: at(1))
        #expect(stream.delivered == 2)
    }

    @Test("The memory of the cache is bounded, and what is used stays")
    func bound() throws {
        var cache = StatisticsCache(capacityBytes: 40_000)
        let entry = StatisticsCache.Counts(
            documents: 30, leafDocuments: [4], sequences: [5, 6, 7], now: 100, validUntil: 0)
        func plan(_ word: String) throws -> QueryPlan {
            var search = search("title == \"\(word)\"")
            search.context.now = 100
            return try QueryPlan(
                search, shards: shards(), schema: AttributeSchema(), at: moment())
        }
        let hot = try plan("hot")
        cache.keep(entry, for: try #require(hot.question))
        for number in 0..<500 {
            cache.keep(entry, for: try #require(try plan("cold\(number)").question))
            #expect(cache.entry(for: hot) == entry)
        }
        #expect(cache.count < 45)
        #expect(cache.entry(for: try plan("cold0")) == nil)
    }
}
