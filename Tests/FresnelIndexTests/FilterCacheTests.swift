import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("Filters that are known")
struct FilterCacheTests {
    private func run(
        _ search: WireSearch, _ corpus: MatchingCorpus, _ cache: FilterCache?
    ) throws -> (identifiers: [String], scores: [Double?], known: UInt64) {
        let plan = try SearchPlan(search: search, schema: corpus.schema)
        let control = SearchControl(time: ManualTime())
        var matched = ShardSearch(plan, counts: nil, control: control, cache: cache)
            .run([corpus.target()])
        let batch = try matched.hits.nextBatch(maximumItems: 1000, maximumBytes: 1 << 20)
        let reader = try HitBatchReader(batch.payload)
        let hits = try (0..<reader.count).map { place in
            try HitBody(reader.bytes, in: reader.bodyRange(place))
        }
        return (
            try hits.map { try $0.decodeDocument().uniqueIdentifier }, hits.map(\.score),
            matched.knownFilters
        )
    }

    @Test(
        "give the same answer as without, also after deletions and new documents", arguments: 0..<4)
    func same(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        let cache = FilterCache()
        var searches: [WireSearch] = []
        for batch in 0..<3 {
            try corpus.append((0..<24).map { chance.document("d\(batch)-\($0)") })
            corpus.delete(["d\(batch)-3", "d0-\(batch * 2)"])
            for _ in 0..<8 {
                var search = MatchingCorpus.search("\(chance.expression(depth: 1))")
                search.filters = (0...chance.below(2)).map { _ in
                    "\(chance.expression(depth: 1))"
                }
                search.context.language = chance.chance(0.2) ? "tr" : ""
                searches.append(search)
            }
            for search in searches {
                let expected = try run(search, corpus, nil)
                let comment: Comment = "seed \(seed) \(search.query) \(search.filters)"
                for _ in 0..<2 {
                    let answer = try run(search, corpus, cache)
                    #expect(answer.identifiers == expected.identifiers, comment)
                    #expect(answer.scores == expected.scores, comment)
                }
            }
        }
        #expect(cache.counters.hits > 0 && cache.counters.misses > 0)
    }

    private func corpus(_ segments: Int) throws -> MatchingCorpus {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        for segment in 0..<segments {
            try corpus.append(
                (0..<20).map { number in
                    Document(
                        uniqueIdentifier: "d\(segment)-\(number)",
                        attributes: ["rating": .number(Double(number % 4))])
                })
        }
        return corpus
    }

    private func search(_ filter: String) -> WireSearch {
        var search = MatchingCorpus.search("rating >= 0")
        search.filters = [filter]
        return search
    }

    @Test("are counted, once a segment, whatever their spelling")
    func counted() throws {
        let corpus = try corpus(3)
        let cache = FilterCache()
        #expect(try run(search("rating == 1"), corpus, cache).known == 0)
        #expect(cache.counters.hits == 0 && cache.counters.misses == 3)
        #expect(try run(search("(rating==1)"), corpus, cache).known == 3)
        #expect(cache.counters.hits == 3 && cache.counters.misses == 3)
    }

    @Test("are kept apart by language, and not kept when they look at the time")
    func identity() throws {
        let corpus = try corpus(1)
        let cache = FilterCache()
        var turkish = search("title == \"i\"c")
        _ = try run(turkish, corpus, cache)
        turkish.context.language = "tr"
        _ = try run(turkish, corpus, cache)
        #expect(cache.counters.hits == 0 && cache.counters.misses == 2)
        let timed = search("contentCreationDate >= $time.now(-86400)")
        for _ in 0..<2 { _ = try run(timed, corpus, cache) }
        #expect(cache.counters.misses == 2)
    }

    @Test("never take more bytes than they may, and the oldest go first")
    func bounded() throws {
        let corpus = try corpus(2)
        let cache = FilterCache(limitBytes: 2000)
        for number in 0..<50 {
            _ = try run(search("rating == \(number % 4) && rating != \(number)"), corpus, cache)
            #expect(cache.byteCount <= 2000)
        }
        #expect(cache.counters.evictions > 0)
        let known = try run(search("rating == 1 && rating != 49"), corpus, cache).known
        #expect(known == 2)
        let tiny = FilterCache(limitBytes: 100)
        for _ in 0..<2 { _ = try run(search("rating == 1"), corpus, tiny) }
        #expect(tiny.byteCount == 0 && tiny.counters.hits == 0)
    }

    @Test("are all known while they have room, however they are asked for")
    func roomy() throws {
        let corpus = try corpus(1)
        let cache = FilterCache()
        for number in 0..<12 { _ = try run(search("rating != \(number)"), corpus, cache) }
        // What three quarters of a cache hold, and nearly all of one.
        for limit in [cache.byteCount * 4 / 3, cache.byteCount] {
            let exact = FilterCache(limitBytes: limit)
            for number in 0..<12 { _ = try run(search("rating != \(number)"), corpus, exact) }
            for number in (0..<36).map({ $0 * 5 % 12 }) {
                #expect(try run(search("rating != \(number)"), corpus, exact).known == 1)
            }
            #expect(exact.counters.evictions == 0)
        }
    }

    @Test("stay while they are asked for again and again, others coming one by one")
    func used() throws {
        let corpus = try corpus(2)
        let cache = FilterCache(limitBytes: 2000)
        _ = try run(search("rating == 2"), corpus, cache)
        for number in 0..<100 {
            _ = try run(search("rating == 1 && rating != \(number)"), corpus, cache)
            #expect(try run(search("rating == 2"), corpus, cache).known == 2)
        }
        #expect(cache.counters.evictions > 100 && cache.byteCount <= 2000)
    }
}
