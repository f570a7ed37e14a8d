import FresnelModel
import FresnelWire

extension ShardSearch {
    /// What the segments searched so far gave.
    struct Found {
        var facets: [FacetTally]
        /// Whether the search was stopped while it counted values: then they are not known.
        var lacksFacets = false
        var knownFilters: UInt64
        private(set) var runs: [HitRun] = []
        /// Hits that the runs have, in their windows or behind them.
        private(set) var available = 0
        /// Of a page: hits on its side of the cursor.
        private(set) var beyond = 0
        /// The best scores, where hits below them need not be scored.
        private(set) var best: BestScores?
        /// Documents, visible or not, of the segments that were not searched yet.
        var documentsLeft: Int
        /// Whether of every segment the last hits are kept, as many as are wanted.
        let picksLast: Bool

        private let plan: SearchPlan
        private let scoreFloor: ScoreFloor?
        private var windowLeft: Int
        private var deliverable: Int

        /// The score below which hits are not wanted, by what was found so far.
        var floor: ScoreFloor? {
            var floor = scoreFloor
            floor?.inner = best?.floor
            return floor
        }

        /// A segment's share of the window: what is left of it, by documents that are left.
        func windowLength(of segment: Segment) -> Int {
            let limit = plan.limit ?? .max
            if picksLast { return limit }
            let share = windowLeft * segment.documentCount / max(1, documentsLeft)
            return min(limit, max(1, share))
        }

        /// Adds what a segment gave.
        mutating func add(
            _ source: FoundHits, _ window: consuming FoundHits.Window,
            to report: inout SearchedShard
        ) {
            let count = source.found.count
            let windowScored = window.scored
            if let gathered = window.best { best = gathered }
            windowLeft = max(0, windowLeft - window.hits.count)
            beyond += window.beyond
            available += plan.page == nil ? count : picksLast ? window.hits.count : window.beyond
            let run = HitRun(source, window)
            // Mostly the only one, which is made room for at once.
            if runs.isEmpty { runs = [run] } else { runs.append(run) }
            guard plan.isScored else { return }
            // Without an order a hit is scored when it is sent.
            let scored = plan.isOrdered ? windowScored : min(count, deliverable)
            report.scored += UInt64(scored)
            guard plan.isOrdered else { return deliverable -= scored }
            report.skipped += UInt64(count - scored)
        }
    }
}

extension ShardSearch.Found {
    /// Nothing yet of what a search finds in some targets.
    init(_ plan: SearchPlan, _ targets: [SearchTarget], windowHits: Int) {
        var (documents, segments) = (0, 0)
        for place in targets.indices {
            let snapshot = targets[place].snapshot.segments
            segments += snapshot.count
            for place in snapshot.indices { documents += snapshot[place].segment.documentCount }
        }
        let limit = plan.limit ?? .max
        let floor = ScoreFloor(plan)
        let isFloored = floor != nil && limit > 0 && limit <= windowHits
        // Backwards the hits before the last so many are passed over. Where that many fit for
        // every segment none of them is kept; else they are gone through in order.
        let picksLast =
            plan.page?.isBackwards == true && limit <= windowHits / max(1, segments)
        let asked = plan.facets
        self.init(
            facets: asked.isEmpty ? [] : asked.map(FacetTally.init), knownFilters: 0,
            best: isFloored ? BestScores(limit: limit) : nil, documentsLeft: documents,
            picksLast: picksLast, plan: plan, scoreFloor: floor, windowLeft: windowHits,
            deliverable: limit)
    }
}
