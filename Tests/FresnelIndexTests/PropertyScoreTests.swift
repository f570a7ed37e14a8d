import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@Suite("Scores and order")
struct PropertyScoreTests {
    @Test("are those of the plainest code, bit for bit", arguments: 0..<4)
    func oracle(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        for batch in 0..<2 {
            try corpus.append((0..<20).map { chance.document("d\(batch)-\($0)") })
        }
        corpus.delete(["d0-1", "d1-2", "d1-3"])
        for _ in 0..<25 {
            let query = "\(chance.expression(depth: 2))"
            let oracle = try oracle(query, corpus)
            let expected = oracle.found.map { (score: oracle.score(of: $0), document: $0) }
                .sorted { left, right in
                    if left.score != right.score { return left.score > right.score }
                    return left.document.uniqueIdentifier.utf8.lexicographicallyPrecedes(
                        right.document.uniqueIdentifier.utf8)
                }
            let answer = try MatchingCorpus.run(
                MatchingCorpus.search(query), over: [corpus.target()], schema: corpus.schema)
            let found = try answer.hits.map { try $0.decodeDocument().uniqueIdentifier }
            #expect(
                found == expected.map(\.document.uniqueIdentifier), "seed \(seed) query \(query)")
            let isScored = !oracle.expression.scoredComparisons.isEmpty
            #expect(
                answer.hits.map(\.score) == expected.map { isScored ? $0.score : nil },
                "seed \(seed) query \(query)")
        }
    }

    @Test("are the same for 1, 2, 3 and 5 shards, merged or not", arguments: 0..<4)
    func sharding(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        let schema = try MatchingChance.schema()
        let documents = (0..<60).map { chance.document("d\($0)") }
        let clusters = try [1, 2, 3, 5].map { count in
            try MatchingCorpus.shards(of: documents, count: count, schema: schema)
                .enumerated().map { $1.target(shard: UInt32($0)) }
        }
        for _ in 0..<25 {
            var search = MatchingCorpus.search("\(chance.expression(depth: 2))")
            search.sort = sort(&chance)
            if chance.chance(0.5) { search.limit = UInt64(1 + chance.below(20)) }
            let answers = try clusters.map {
                try MatchingCorpus.run(search, over: $0, schema: schema)
            }
            for answer in answers {
                #expect(answer.keys == answers[0].keys, "seed \(seed) \(search.query)")
                #expect(answer.hits == answers[0].hits, "seed \(seed) \(search.query)")
                let found = answer.reports.reduce(0) { $0 + $1.found }
                #expect(found == answers[0].reports[0].found, "seed \(seed) \(search.query)")
                let isAscending = zip(answer.keys, answer.keys.dropFirst()).allSatisfy {
                    ByteOrder.compare($0.span, $1.span) < 0
                }
                #expect(isAscending, "seed \(seed) \(search.query)")
            }
        }
    }

    private func oracle(_ query: String, _ corpus: MatchingCorpus) throws -> MatchingOracle {
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: corpus.schema))
        return MatchingOracle(
            documents: corpus.documents, schema: corpus.schema,
            expression: try parsed.expression.resolved(in: MatchingCorpus.context))
    }

    private func sort(_ chance: inout MatchingChance) -> [WireSortKey] {
        (0..<chance.below(4)).map { _ in
            var key = WireSortKey()
            key.attribute = chance.pick(
                ["", "title", "keywords", "rating", "com_shop_prices", "importantDates"])
            key.descending = chance.chance(0.5)
            return key
        }
    }
}
