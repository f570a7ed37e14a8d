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
    static let none = ScoringTerms([], rarities: [])

    init(_ comparisons: [Int], rarities: [Double], explainer: ScoreExplainer? = nil) {
        self.comparisons = comparisons
        self.rarities = rarities
        bounds = ScoreBounds(rarities: rarities)
        self.explainer = explainer
    }
}
