// MaxScore (Turtle & Flood 1995): predicates whose greatest contributions together stay below what
// a hit needs cannot make a hit by themselves. Only documents that match one of the others are
// scored.
//
// The greatest contribution of a predicate is its rarity: weighted occurrences s contribute
// rarity · s / (1.2 + s), and rounding keeps the quotient at or below 1. Rounded addition never
// falls when a summand grows, so summing bounds in query order, as scores are summed, gives a bound
// of the score in floating point too, not only in real numbers.

/// The greatest scores that documents can get by what they match.
struct ScoreBounds: Sendable {
    /// The greatest contribution of each scored predicate, in query order.
    private let greatest: [Double]
    /// The predicates, the one that can contribute least first.
    private let ascending: [Int]
    /// The place of each predicate in `ascending`.
    private let ranks: [Int]

    /// The orders of two predicates.
    private static let straight = [0, 1]
    private static let turned = [1, 0]

    /// - Parameter rarities: how much each scored predicate tells, in query order.
    init(rarities: [Double]) {
        greatest = rarities
        guard rarities.count > 1 else {
            // Most queries are one word.
            (ascending, ranks) = rarities.isEmpty ? ([], []) : ([0], [0])
            return
        }
        guard rarities.count > 2 else {
            let isTurned = rarities[1] < rarities[0]
            ascending = isTurned ? Self.turned : Self.straight
            ranks = ascending
            return
        }
        ascending = rarities.indices.sorted { (rarities[$0], $0) < (rarities[$1], $1) }
        var ranks = [Int](repeating: 0, count: rarities.count)
        for (rank, place) in ascending.enumerated() { ranks[place] = rank }
        self.ranks = ranks
    }

    /// A predicate by what it can contribute: 0 names the one that can contribute least.
    func predicate(ofRank rank: Int) -> Int { ascending[rank] }

    /// The greatest score of a document that matches none but the weakest `count` predicates.
    func greatestScore(ofWeakest count: Int) -> Double {
        var sum = 0.0
        for place in greatest.indices where ranks[place] < count { sum += greatest[place] }
        return sum
    }
}
