import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("Highlights of hits")
struct HighlightFetchTests {
    private func corpus() throws -> MatchingCorpus {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append([
            Document(
                uniqueIdentifier: "a",
                attributes: [
                    "title": .string("STRASSE und Äpfel"),
                    "keywords": .strings(["obst", "apfel, Äpfel"]),
                ])
        ])
        return corpus
    }

    private func hit(
        _ filters: [String] = [], _ change: (inout WireSearch) -> Void
    ) throws -> HitBody {
        let corpus = try corpus()
        var search = MatchingCorpus.search("** == \"straße\"cdw || ** == \"apfel\"cdw")
        search.filters = filters
        search.highlight = true
        change(&search)
        let answer = try MatchingCorpus.run(
            search, over: [corpus.target()], schema: corpus.schema)
        return try #require(answer.hits.first)
    }

    @Test("are UTF-8 offsets in the returned attributes, of folded text with changed lengths too")
    func folded() throws {
        let hit = try hit { $0.attributes = ["title"] }
        #expect(
            hit.highlights == [AttributeHighlights(attribute: "title", ranges: [0..<7, 12..<18])])
        let all = try self.hit { $0.allAttributes = true }
        #expect(all.highlights?.map(\.attribute).contains("keywords") == true)
    }

    @Test("are of attributes asked for under another name, and of the query without its filters")
    func aliases() throws {
        let hit = try hit(["keywords == \"obst\""]) { $0.attributes = ["kMDItemTitle"] }
        #expect(hit.highlights?.map(\.attribute) == ["title"])
        let none = try self.hit(["keywords == \"obst\""]) { $0.attributes = ["rating"] }
        #expect(none.highlights == [])
    }

    @Test("stand only in answers that were asked for them")
    func unasked() throws {
        #expect(try hit { $0.highlight = false }.highlights == nil)
    }

    @Test("are those of the reference finder on every document and query of any seed")
    func oracle() throws {
        let seed = PropertyMatchingTests.seed
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        try corpus.append((0..<40).map { chance.document("d\($0)") })
        for _ in 0..<30 {
            var search = MatchingCorpus.search("\(chance.expression(depth: 2))")
            search.highlight = true
            search.attributes = ["title", "keywords", "authors", "comment"]
            let options = ParseOptions(schema: corpus.schema)
            var finder = HighlightFinder(
                expression: try QueryParser.parse(search.query, options: options).expression
                    .resolved(in: MatchingCorpus.context),
                schema: corpus.schema)
            finder.index = "default"
            let answer = try MatchingCorpus.run(
                search, over: [corpus.target()], schema: corpus.schema)
            for hit in answer.hits {
                let identifier = try hit.decodeDocument().uniqueIdentifier
                let document = try #require(
                    corpus.documents.first { $0.uniqueIdentifier == identifier })
                let expected = finder.highlights(in: document, attributes: Set(search.attributes))
                #expect(hit.highlights == expected, "seed \(seed) \(search.query) \(identifier)")
            }
        }
    }

    @Test("end a batch after one hit once the time is up, so that the rest can be called off")
    func late() throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append((0..<5).map { Document(uniqueIdentifier: "d\($0)") })
        var search = MatchingCorpus.search("uniqueIdentifier == \"d*\"")
        search.highlight = true
        let control = SearchControl(time: ManualTime())
        let plan = try SearchPlan(search: search, schema: AttributeSchema())
        var hits = ShardSearch(plan, counts: nil, control: control).run([corpus.target()]).hits
        control.cancel()
        let batch = try hits.nextBatch(maximumItems: 5, maximumBytes: 1 << 20)
        #expect(batch.items == 1 && !batch.isLast)
    }
}
