/// The scored predicates of a search, with how much each tells.
///
/// A class, since it goes from hand to hand while a query is answered.
final class ScoringTerms: Sendable {
    /// The predicates as places in the plan's list, in query order.
    let comparisons: [Int]
    /// How much each of them tells.
    let rarities: [Double]
    /// What each can contribute.
    let bounds: ScoreBounds
    /// Explains scores; nil unless asked for.
    let explainer: ScoreExplainer?

    /// Those of a search without scores.
    static let none = ScoringTerms()

    private init() {
        (comparisons, rarities) = ([], [])
        bounds = ScoreBounds(rarities: [])
        explainer = nil
    }

    /// Those of a plan that is scored.
    init(_ plan: SearchPlan, _ counts: MatchCounts) {
        comparisons = plan.scored
        let rarities =
            comparisons.count == 1
            ? [counts.rarity(0)] : comparisons.indices.map { counts.rarity($0) }
        self.rarities = rarities
        bounds = ScoreBounds(rarities: rarities)
        explainer = plan.explained.isEmpty ? nil : ScoreExplainer(plan, counts)
    }
}
