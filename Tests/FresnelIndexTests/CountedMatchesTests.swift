import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@Suite("A search after its counting")
struct CountedMatchesTests {
    /// A phrase in one attribute, beside values of others: what matched was taken for the phrase.
    private static let pinned: [UInt64] = [1_795_368_890]

    @Test(
        "finds, scores and reports what it does without what counting kept",
        arguments: (0..<4).map { PropertyMatchingTests.seed &+ $0 } + pinned)
    func property(seed: UInt64) throws {
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        for batch in 0..<3 {
            try corpus.append((0..<20).map { chance.document("d\(batch)-\($0)") })
        }
        corpus.delete(["d0-1", "d0-7", "d1-2"])
        let control = SearchControl(time: ManualTime())
        var keptBytes = 0
        for _ in 0..<60 {
            var search = MatchingCorpus.search("\(chance.expression(depth: 3))")
            if chance.chance(0.5) { search.filters = ["\(chance.expression(depth: 1))"] }
            let plan = try SearchPlan(search: search, schema: corpus.schema)
            let counted = try ShardStatistics.matches(
                of: plan, in: [corpus.target()], control: control)
            #expect(counted.statistics.documents == UInt64(corpus.documents.count))
            keptBytes += counted.byteCount
            let answers = try [nil, counted].map { counted in
                var matched = ShardSearch(
                    plan,
                    counts: try ShardStatistics.matches(
                        of: plan, in: [corpus.target()], control: control
                    ).counts,
                    control: control, counted: counted
                ).run([corpus.target()])
                let batch = try matched.hits.nextBatch(
                    maximumItems: 1000, maximumBytes: 1 << 20)
                return (batch.payload, matched.reports)
            }
            let note = "seed \(seed) query \(search.query) filters \(search.filters)"
            #expect(answers[0].0 == answers[1].0, "\(note)")
            #expect(answers[0].1 == answers[1].1, "\(note)")
        }
        #expect(keptBytes > 0)
    }
}
