import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@Suite("Explained scores")
struct ExplanationTests {
    @Test("add up to the delivered score, bit for bit, factor by factor", arguments: 0..<6)
    func property(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        for batch in 0..<2 {
            try corpus.append((0..<20).map { chance.document("d\(batch)-\($0)") })
        }
        corpus.delete(["d0-1", "d1-2"])
        var count = 0
        var attempts = 0
        while count < 40, attempts < 400 {
            attempts += 1
            var search = MatchingCorpus.search("\(chance.expression(depth: 2))")
            let plain = try MatchingCorpus.run(
                search, over: [corpus.target()], schema: corpus.schema)
            search.explain = true
            let answer = try MatchingCorpus.run(
                search, over: [corpus.target()], schema: corpus.schema)
            let note = "seed \(seed) query \(search.query)"
            #expect(answer.keys == plain.keys, "\(note)")
            for hit in answer.hits {
                guard let score = hit.score, score > 0 || hit.explanation != nil else { continue }
                let explanation = try #require(hit.explanation, "\(note)")
                #expect(explanation.total.bitPattern == score.bitPattern, "\(note)")
                check(explanation, corpus, note)
                count += 1
            }
            #expect(plain.hits.allSatisfy { $0.explanation == nil }, "\(note)")
        }
        #expect(count >= 40, "seed \(seed) explained \(count) scores")
    }

    private func check(_ explanation: ScoreExplanation, _ corpus: MatchingCorpus, _ note: String) {
        for term in explanation.terms {
            #expect(term.documents == UInt64(corpus.documents.count), "\(note)")
            #expect(
                term.rarity
                    == Relevance.rarity(documents: term.documents, matching: term.matching),
                "\(note)")
            var sum = 0.0
            for attribute in term.attributes {
                let definition = corpus.schema.definition(named: attribute.name)
                let weighted = Relevance.weighted(
                    occurrences: attribute.occurrences, length: attribute.length, of: definition)
                #expect(attribute.weighted == weighted, "\(note)")
                sum += attribute.weighted
            }
            #expect(term.weighted == sum, "\(note)")
            #expect(
                term.contribution
                    == Relevance.contribution(rarity: term.rarity, weightedOccurrences: sum),
                "\(note)")
        }
    }

    @Test("name each predicate as it was understood, with how many documents it matches")
    func names() throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append(
            ["red apple", "red", "blue"].enumerated().map { number, title in
                Document(
                    uniqueIdentifier: "d\(number)", attributes: ["title": .string(title)])
            })
        var search = MatchingCorpus.search(
            "title == 'red' w && !(title == \"blue\") || ** == \"app*\"wc")
        search.explain = true
        let answer = try MatchingCorpus.run(search, over: [corpus.target()], schema: corpus.schema)
        let terms = try #require(answer.hits[0].explanation).terms
        #expect(terms.map(\.query) == ["title == \"red\"w", "** == \"app*\"cw"])
        #expect(terms.map(\.matching) == [2, 1])
        #expect(terms.map { $0.attributes.map(\.name) } == [["title"], ["title"]])
        #expect(answer.reports[0].scored == 2)
    }
}
