package import FresnelWire

/// Counts what scoring needs to know of the whole index.
package enum ShardStatistics {
    /// The visible documents of some shards, and how many of them each scored predicate matches.
    ///
    /// The broker adds up the answers of all workers, so that scores do not depend on sharding.
    package static func count(
        _ plan: SearchPlan, in targets: [SearchTarget], control: SearchControl
    ) throws(SearchStop) -> WireStatistics {
        var statistics = WireStatistics()
        var counts = [UInt64](repeating: 0, count: plan.scored.count)
        for target in targets {
            let visible = target.snapshot.visible(at: target.sequence, now: plan.now)
            for (published, documents) in zip(target.snapshot.segments, visible) {
                try control.check()
                statistics.documents += UInt64(documents.count)
                let view = published.view.reading(plan.schema)
                var matcher = SegmentMatcher(plan.comparisons, in: view, control: control)
                for (place, number) in plan.scored.enumerated() {
                    let found = try matcher.matches(comparison: number, in: documents)
                    counts[place] += UInt64(found.count)
                }
            }
        }
        statistics.leafDocuments = counts
        return statistics
    }
}
