import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("Facets")
struct PropertyFacetTests {
    private static let attributes =
        MatchingChance.numberNames + MatchingChance.dateNames + [
            "title", "keywords", "authors", "comment", "contentType", "com_shop_code",
            "com_shop_note", "domainIdentifier", "documentKind", "index", "authorNames", "nosuch",
        ]

    @Test(
        "are those of the plainest code, for 1, 2, 3 and 5 shards, with deletions and filters",
        arguments: 0..<4)
    func oracle(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        let schema = try MatchingChance.schema()
        let documents = (0..<60).map { chance.document("d\($0)") }
        let clusters = try [1, 2, 3, 5].map { count in
            try MatchingCorpus.shards(of: documents, count: count, schema: schema).map { corpus in
                var corpus = corpus
                corpus.delete(["d7", "d11", "d30", "d59"])
                return corpus
            }
        }
        for _ in 0..<12 {
            var search = MatchingCorpus.search("\(chance.expression(depth: 1))")
            if chance.chance(0.5) { search.filters = ["\(chance.expression(depth: 1))"] }
            search.countOnly = chance.chance(0.5)
            if chance.chance(0.3) { search.limit = 3 }
            search.facets = Self.attributes.map { name in
                var facet = WireFacetRequest()
                facet.attribute = name
                return facet
            }
            let plan = try SearchPlan(search: search, schema: schema)
            for shards in clusters {
                let control = SearchControl(time: ManualTime())
                let answer = ShardSearch(plan, counts: nil, control: control)
                    .run(shards.map { $0.target() })
                let found = try shards.flatMap { try Self.found(search, in: $0) }
                try check(answer, found, "seed \(seed) \(search.query) \(search.filters)")
            }
        }
    }

    private func check(_ answer: MatchedHits, _ found: [Document], _ comment: Comment) throws {
        #expect(answer.reports.reduce(0) { $0 + $1.found } == UInt64(found.count), comment)
        for (name, facet) in zip(Self.attributes, answer.facets) {
            let expected = FacetOracle.counts(of: name, in: found)
            #expect(facet.attribute == name)
            #expect(facet.values.map(\.count) == expected.counts, "\(name), \(comment)")
            #expect(
                facet.values.map { FacetOracle.Value($0) } == expected.values, "\(name), \(comment)"
            )
            #expect(facet.documents == expected.documents && facet.missing == expected.missing)
            #expect(facet.distinct == UInt64(expected.values.count) && facet.bound == 0)
        }
        #expect(answer.facets.count == Self.attributes.count)
    }

    @Test("that do not fit end before the first value that is too long, and say how frequent it is")
    func fitting() throws {
        var facet = WireFacetCounts()
        facet.attribute = "keywords"
        facet.values = (0..<100).map { number in
            var value = WireFacetValue()
            value.text = number == 3 ? String(repeating: "x", count: 5000) : "value \(number)"
            value.count = UInt64(1000 - number)
            return value
        }
        var small = facet
        small.values = Array(facet.values.suffix(2))
        #expect([facet, small].fitted(to: 1 << 20) == [facet, small])
        let fitted = [facet, small].fitted(to: 1000)
        #expect(fitted[1] == small)
        #expect(fitted[0].bound == 997)
        #expect(fitted[0].values.map(\.count) == [1000, 999, 998])
        facet.values.remove(at: 3)
        let longer = [facet, small].fitted(to: 1000)[0]
        #expect((20..<60).contains(longer.values.count))
        #expect(longer.values == Array(facet.values.prefix(longer.values.count)))
        #expect(longer.bound == facet.values[longer.values.count].count)
        var done = WireDone()
        done.facets = [facet]
        done.cutFacets(to: 1000)
        #expect(done.facets[0].bound == 0 && done.warnings.count == 1)
    }

    @Test("are stopped by a cancel, and count nothing of a segment that was not searched whole")
    func cancelled() throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append([
            Document(uniqueIdentifier: "a", attributes: ["rating": .number(1)])
        ])
        var search = MatchingCorpus.search("rating == 1")
        var request = WireFacetRequest()
        request.attribute = "rating"
        search.facets = [request]
        let control = SearchControl(time: ManualTime())
        control.cancel()
        let plan = try SearchPlan(search: search, schema: AttributeSchema())
        let answer = ShardSearch(plan, counts: nil, control: control).run([corpus.target()])
        #expect(answer.reports.map(\.status) == [.cancelled])
        #expect(answer.facets.map(\.documents) == [0] && answer.facets[0].values.isEmpty)
    }

    /// What the reference matcher finds in one shard.
    static func found(_ search: WireSearch, in corpus: MatchingCorpus) throws -> [Document] {
        let matchers = try ([search.query] + search.filters).map { text in
            let parsed = try QueryParser.parse(text, options: ParseOptions(schema: corpus.schema))
            return ReferenceMatcher(
                expression: try parsed.expression.resolved(in: MatchingCorpus.context),
                schema: corpus.schema, index: "default")
        }
        return corpus.documents.filter { document in
            matchers.allSatisfy { $0.matches(document) }
        }
    }
}
