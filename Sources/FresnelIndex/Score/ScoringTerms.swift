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

    init(_ comparisons: [Int], rarities: [Double]) {
        self.comparisons = comparisons
        self.rarities = rarities
        bounds = ScoreBounds(rarities: rarities)
    }
}
