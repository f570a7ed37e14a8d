import FresnelCluster
import FresnelModel
import FresnelWire

/// What searches cost when they were last made here, so that those that are light can be told from
/// others.
///
/// A guess about the next time: nothing but time depends on it. Of two generations, the older is
/// forgotten when the newer is full.
struct SearchCosts {
    /// A search, and where it searches.
    struct Search: Hashable {
        private let question: SearchQuestion
        private let index: String
        private let shardCount: Int

        /// Nil for one that is not remembered.
        init?(_ subquery: WireSubquery) {
            guard subquery.page == nil, !subquery.hasChanges, subquery.rest.isEmpty,
                let question = SearchQuestion(subquery.search)
            else { return nil }
            self.question = question
            index = subquery.targets.first?.index ?? ""
            shardCount = subquery.targets.count
        }
    }

    /// Microseconds that the loop may spend on a search: about what handing it over and back takes
    /// the processors, and little for whoever waits behind it.
    static let lightMicroseconds: UInt64 = 150
    private static let capacity = 512

    private var recent: [Search: UInt64] = [:]
    private var former: [Search: UInt64] = [:]

    /// Whether the search was light the last time.
    func isLight(_ search: Search) -> Bool {
        guard let cost = recent[search] ?? former[search] else { return false }
        return cost <= Self.lightMicroseconds
    }

    /// Takes in what a search cost.
    mutating func note(_ outcome: MatchOutcome, of search: Search) {
        var cost = outcome.first?.fetchMicroseconds ?? 0
        for report in outcome.reports {
            cost = cost.saturatingAdding(report.matchUs).saturatingAdding(report.scoreUs)
        }
        // What is left to be fetched comes batch by batch, each as large as that.
        if outcome.holdsHits { cost = .max }
        // A search that was interrupted took longer than it costs; a heavy one does so every time.
        let place = recent.index(forKey: search)
        if let known = place.map({ recent.values[$0] }) ?? former[search],
            known <= Self.lightMicroseconds
        {
            cost = min(cost, 2 * known + 20)
        }
        if let place { return recent.values[place] = cost }
        if recent.count >= Self.capacity {
            former = recent
            recent = [:]
        }
        recent[search] = cost
    }
}
