import FresnelModel
package import FresnelWire

/// Counts what scoring needs to know of the whole index.
package enum ShardStatistics {
    /// The visible documents of some shards, and how many of them each scored predicate matches.
    ///
    /// The broker adds up the answers of all workers, so that scores do not depend on sharding.
    /// With the counts it gets what they hold for: the newest part of each target's snapshot, and
    /// the next expiration.
    package static func count(
        _ plan: SearchPlan, in targets: [SearchTarget], control: SearchControl
    ) throws(SearchStop) -> WireStatistics {
        try matches(of: plan, in: targets, control: control).statistics
    }

    /// The same, with what was matched on the way, for the search that follows.
    package static func matches(
        of plan: SearchPlan, in targets: [SearchTarget], control: SearchControl
    ) throws(SearchStop) -> CountedMatches {
        var counted = CountedMatches(targets)
        var statistics = WireStatistics()
        var counts = plan.scored.map { _ in UInt64(0) }
        var next = Double.infinity
        for target in targets {
            let started = control.now
            next = min(
                next,
                try target.snapshot.segments.nextExpiration(after: plan.now, control: control))
            statistics.sequences.append(target.snapshot.sequence.value)
            let visible = try target.snapshot.visible(
                at: target.sequence, now: plan.now, control: control)
            for (published, documents) in zip(target.snapshot.segments, visible) {
                try control.check()
                statistics.documents += UInt64(documents.count)
                let view = published.view.reading(plan.schema)
                var matcher = SegmentMatcher(plan.comparisons, in: view, control: control)
                for (place, number) in plan.scored.enumerated() {
                    counts[place] += UInt64(
                        try matcher.count(comparison: number, in: documents))
                }
                counted.keep(KnownMatches(matcher), of: published.segment)
            }
            counted.note(
                microseconds: control.now.microseconds(since: started), visible: visible)
        }
        statistics.leafDocuments = counts
        // 0 says "never", so an expiration at that very second is told as the number before it.
        let soonest = next == 0 ? -Double.leastNonzeroMagnitude : next
        statistics.validUntil = next.isFinite ? soonest : 0
        counted.statistics = statistics
        return counted
    }
}
