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
        var statistics = WireStatistics()
        statistics.leafDocuments = plan.scored.map { _ in 0 }
        var next = Double.infinity
        var seen: [CountedTarget] = []
        for target in targets {
            let (started, segments) = (control.now, target.snapshot.segments)
            next = min(next, try segments.nextExpiration(after: plan.now, control: control))
            statistics.sequences.append(target.snapshot.sequence.value)
            var counted = CountedTarget(
                visible: try target.snapshot.visible(
                    at: target.sequence, now: plan.now, control: control))
            for place in segments.indices {
                try control.check()
                let documents = counted.visible[place]
                statistics.documents += UInt64(documents.count)
                let view = segments[place].view.reading(plan.schema)
                counted.matchers.append(
                    SegmentMatcher(plan.comparisons, in: view, control: control))
                for (leaf, number) in plan.scored.enumerated() {
                    statistics.leafDocuments[leaf] += UInt64(
                        try counted.matchers[place].count(comparison: number, in: documents))
                }
            }
            counted.microseconds = control.now.microseconds(since: started)
            seen.append(counted)
        }
        // 0 says "never", so an expiration at that very second is told as the number before it.
        let soonest = next == 0 ? -Double.leastNonzeroMagnitude : next
        statistics.validUntil = next.isFinite ? soonest : 0
        return CountedMatches(targets, statistics, seen: seen)
    }
}
