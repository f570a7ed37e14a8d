import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Foundation
import Testing

@Suite("The engine agrees with the reference matcher")
struct PropertyMatchingTests {
    /// One seed a run unless FRESNEL_SEED asks for another.
    static let seed: UInt64 = {
        let wanted = ProcessInfo.processInfo.environment["FRESNEL_SEED"].flatMap { UInt64($0) }
        let seed = wanted ?? UInt64(SystemTime().unixSeconds())
        print("property tests of matching use FRESNEL_SEED=\(seed)")
        return seed
    }()

    @Test("on every document and every query of any seed", arguments: 0..<8)
    func agreement(round: Int) throws {
        let seed = Self.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        for batch in 0..<3 {
            try corpus.append((0..<24).map { chance.document("d\(batch)-\($0)") })
        }
        corpus.delete(Set((0..<6).map { "d\($0 % 3)-\($0 * 3)" }))
        for _ in 0..<50 {
            let query = "\(chance.expression())"
            var context = MatchingCorpus.context
            context.language = chance.chance(0.2) ? chance.pick(["tr", "sv", "es"]) : nil
            try compare(query, context, corpus, seed)
        }
    }

    private func compare(
        _ query: String, _ context: QueryContext, _ corpus: MatchingCorpus, _ seed: UInt64
    ) throws {
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: corpus.schema))
        let matcher = ReferenceMatcher(
            expression: try parsed.expression.resolved(in: context), schema: corpus.schema,
            language: context.language, index: "default")
        let expected = corpus.documents.filter(matcher.matches).map(\.uniqueIdentifier).sorted()
        let found = try corpus.identifiers(MatchingCorpus.search(query, context: context)).sorted()
        let missing = Set(expected).subtracting(found)
        let surplus = Set(found).subtracting(expected)
        #expect(
            found == expected,
            """
            seed \(seed) language \(context.language ?? "none") query \(query)
            missing \(corpus.documents.filter { missing.contains($0.uniqueIdentifier) })
            surplus \(corpus.documents.filter { surplus.contains($0.uniqueIdentifier) })
            """)
    }
}
