import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

/// Phrases have a walk and a way to be scored of their own where one attribute alone is asked for.
@Suite("Scores of phrases")
struct PropertyPhraseScoreTests {
    private static let words = ["red", "green", "blue", "grey"]

    private static func corpus(seed: UInt64) throws -> MatchingCorpus {
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        // The corpus packs one segment of three, the first of these.
        for count in [140, 60] {
            try corpus.append(
                (0..<count).map { _ in
                    var document = Document(uniqueIdentifier: "d\(chance.below(1 << 30))")
                    let texts = (0..<2).map { _ in
                        (0..<1 + chance.below(9)).map { _ in chance.pick(words) }
                            .joined(separator: chance.chance(0.9) ? " " : ", ")
                    }
                    document.attributes["contentDescription"] = .string(texts[0])
                    if chance.chance(0.4) { document.attributes["title"] = .string(texts[1]) }
                    return document
                })
        }
        return corpus
    }

    @Test("are those of the plainest code, bit for bit", arguments: [1, 2, 3, 4] as [UInt64])
    func oracle(seed: UInt64) throws {
        let corpus = try Self.corpus(seed: seed)
        var chance = MatchingChance(seed: seed &+ 50)
        for round in 0..<24 {
            let phrase = (0..<2 + chance.below(2)).map { _ in chance.pick(Self.words) }
                .joined(separator: " ")
            let attribute = chance.pick(["contentDescription", "title", "**"])
            var query = "\(attribute) == \"\(phrase)\"\(chance.pick(["w", "wc", "cd"]))"
            if round % 4 == 1 { query += " && ** == \"\(chance.pick(Self.words))\"wc" }
            if round % 4 == 2 { query += " || title == \"\(chance.pick(Self.words)) red\"w" }
            let parsed = try QueryParser.parse(
                query, options: ParseOptions(schema: corpus.schema))
            let oracle = MatchingOracle(
                documents: corpus.documents, schema: corpus.schema,
                expression: try parsed.expression.resolved(in: MatchingCorpus.context))
            let found = oracle.found
            let expected = zip(oracle.scores(of: found), found).sorted { left, right in
                if left.0 != right.0 { return left.0 > right.0 }
                return left.1.uniqueIdentifier.utf8.lexicographicallyPrecedes(
                    right.1.uniqueIdentifier.utf8)
            }
            var search = MatchingCorpus.search(query)
            search.limit = UInt64(chance.pick([5, 10, 500]))
            let answer = try MatchingCorpus.run(
                search, over: [corpus.target()], schema: corpus.schema)
            let first = expected.prefix(Int(search.limit))
            let identifiers = try answer.hits.map { try $0.decodeDocument().uniqueIdentifier }
            #expect(identifiers == first.map(\.1.uniqueIdentifier), "seed \(seed) \(query)")
            #expect(answer.hits.map(\.score) == first.map(\.0), "seed \(seed) \(query)")
            #expect(answer.reports[0].found == UInt64(found.count), "seed \(seed) \(query)")
        }
    }
}
