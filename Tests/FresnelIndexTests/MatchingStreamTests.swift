import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@Suite("The hits of a search")
struct MatchingStreamTests {
    private let schema = AttributeSchema()

    private func corpus() throws -> MatchingCorpus {
        var corpus = MatchingCorpus(schema: schema)
        for batch in 0..<3 {
            try corpus.append(
                (0..<10).map { number in
                    Document(
                        uniqueIdentifier: "d\(batch)\(number)",
                        attributes: [
                            "title": .string("apple \(number)"), "rating": .number(Double(number)),
                            "textContent": .string(String(repeating: "long ", count: 200)),
                        ])
                })
        }
        return corpus
    }

    private func matched(
        _ search: WireSearch, _ corpus: MatchingCorpus,
        control: SearchControl = SearchControl(time: ManualTime())
    ) throws -> MatchedHits {
        let plan = try SearchPlan(search: search, schema: schema)
        return ShardSearch(plan, counts: nil, control: control).run([corpus.target()])
    }

    @Test("have the attributes that were asked for and no others")
    func projection() throws {
        var search = MatchingCorpus.search("title == \"apple*\"")
        search.attributes = ["kMDItemTitle", "nosuch"]
        let answer = try MatchingCorpus.run(search, over: [corpus().target()], schema: schema)
        #expect(answer.hits.count == 30)
        for hit in answer.hits {
            #expect(Array(try hit.decodeDocument().attributes.keys) == ["title"])
        }
    }

    @Test("come in batches within their bounds, one at least", arguments: [1, 700, 3000, 1 << 20])
    func batches(bytes: Int) throws {
        var search = MatchingCorpus.search("title == \"apple*\"")
        search.allAttributes = true
        var hits = try matched(search, corpus()).hits
        var count = 0
        var isLast = false
        while !isLast {
            let batch = try hits.nextBatch(maximumItems: 4, maximumBytes: bytes)
            #expect(batch.items >= 1 && batch.items <= 4)
            #expect(batch.items == 1 || batch.payload.count <= bytes)
            count += batch.items
            isLast = batch.isLast
        }
        #expect(count == 30)
        #expect(hits.remaining == 0)
    }

    @Test("are cut at the limit, and counted beyond it", arguments: [WireDelivery.found, .final])
    func limit(delivery: WireDelivery) throws {
        var search = MatchingCorpus.search("rating >= 5")
        search.limit = 4
        search.delivery = delivery
        let answer = try MatchingCorpus.run(search, over: [corpus().target()], schema: schema)
        #expect(answer.hits.count == 4)
        #expect(answer.reports[0].found == 15)
        #expect(answer.reports[0].searched == 30)
        #expect(answer.reports[0].owned == 30)
        #expect(answer.reports[0].status == .complete)
        #expect(answer.keys.allSatisfy { $0.isEmpty == (delivery == .found) })
    }

    @Test("are none when only the count is wanted")
    func countOnly() throws {
        var search = MatchingCorpus.search("rating >= 5")
        search.countOnly = true
        let matched = try matched(search, corpus())
        #expect(matched.hits.remaining == 0)
        #expect(matched.reports[0].found == 15)
    }

    @Test("by identifier come in the order of identifiers, each once")
    func identifiers() throws {
        var search = MatchingCorpus.search("")
        search.identifiers = ["d21", "nosuch", "d00", "d21", "d1"]
        #expect(try corpus().identifiers(search) == ["d00", "d21"])
    }

    @Test("are what an earlier sequence number saw")
    func snapshot() throws {
        var corpus = try corpus()
        let before = corpus.snapshot.sequence
        corpus.delete(["d00", "d11"])
        let search = MatchingCorpus.search("title == \"*\"")
        let plan = try SearchPlan(search: search, schema: schema)
        let control = SearchControl(time: ManualTime())
        let found = [(before.value, 30), (before.value + 1, 28), (1, 10)].map { sequence, count in
            let target = SearchTarget(
                index: "default", shard: ShardID(0), snapshot: corpus.snapshot,
                sequence: SequenceNumber(sequence))
            let report = ShardSearch(plan, counts: nil, control: control).run([target])
                .reports[0]
            return report.found == count && report.owned == count
        }
        #expect(found == [true, true, true])
    }

    @Test("of a search that was called off are reported as such, with what was searched")
    func stops() throws {
        let search = MatchingCorpus.search("title == \"*pple*\"c")
        let cancelled = SearchControl(time: ManualTime())
        cancelled.cancel()
        let late = SearchControl(
            deadline: Instant(nanoseconds: 5), time: ManualTime(monotonicNanoseconds: 5))
        let reports = try [cancelled, late].map {
            try matched(search, corpus(), control: $0).reports[0]
        }
        #expect(reports.map(\.status) == [.cancelled, .deadline])
        #expect(reports.map(\.searched) == [0, 0])
        #expect(reports.map(\.owned) == [30, 30])
    }

    @Test("with very long texts have bounded sort keys that keep one order over segments")
    func longTexts() throws {
        let long = String(repeating: "é", count: 2000)
        let titles = [long + "b", long + "A", long, "e", String(repeating: "e", count: 1025), "É"]
        let all = titles.enumerated().map { number, title in
            Document(uniqueIdentifier: "d\(number)", attributes: ["title": .string(title)])
        }
        var whole = MatchingCorpus(schema: schema)
        try whole.append(all)
        var parts = MatchingCorpus(schema: schema)
        for document in all { try parts.append([document]) }
        for descending in [false, true] {
            var search = MatchingCorpus.search("title == \"*\"")
            var key = WireSortKey()
            key.attribute = "title"
            key.descending = descending
            search.sort = [key]
            let one = try MatchingCorpus.run(search, over: [whole.target()], schema: schema)
            let many = try MatchingCorpus.run(search, over: [parts.target()], schema: schema)
            #expect(one.keys == many.keys)
            #expect(one.keys.allSatisfy { $0.count < WireLimits.standard.sortKeyBytes })
            let isAscending = zip(one.keys, one.keys.dropFirst()).allSatisfy {
                ByteOrder.compare($0.span, $1.span) < 0
            }
            #expect(isAscending)
        }
    }
}
