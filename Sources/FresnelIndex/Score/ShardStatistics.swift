import FresnelModel

/// Counts what scoring needs to know of the whole index.
package enum ShardStatistics {
    /// The visible documents of some shards, and how many of them each scored predicate matches;
    /// with what was matched on the way, for the search that follows.
    ///
    /// The broker adds up the answers of all workers, so that scores do not depend on sharding.
    /// With the counts it gets what they hold for: the newest part of each target's snapshot, and
    /// the next expiration.
    package static func matches(
        of plan: SearchPlan, in targets: [SearchTarget], control: SearchControl
    ) throws(SearchStop) -> CountedMatches {
        let started = control.now
        var counting = MatchCounting()
        // Mostly one. Not `repeating`, which asks the runtime for the array's type each time.
        var counts: [UInt64] = plan.scored.count == 1 ? [0] : plan.scored.map { _ in 0 }
        var (documents, next) = (UInt64(0), Double.infinity)
        for place in targets.indices {
            let segments = targets[place].snapshot.segments
            let comparisons = plan.comparisons(in: targets[place].index)
            next = min(next, try segments.nextExpiration(after: plan.now, control: control))
            let visible = try targets[place].snapshot.visible(
                at: targets[place].sequence, now: plan.now, control: control)
            for place in segments.indices {
                try control.check()
                documents += UInt64(visible[place].count)
                // Counts where it stays: it has many references.
                counting.matchers.append(
                    SegmentMatcher(
                        comparisons, in: segments[place].view.reading(plan.schema),
                        control: control))
                let last = counting.matchers.count - 1
                for leaf in counts.indices {
                    counts[leaf] += UInt64(
                        try counting.matchers[last].count(
                            comparison: plan.scored[leaf], in: visible[place]))
                }
            }
            counting.visible = place == 0 ? visible : counting.visible + visible
        }
        counting.microseconds = control.now.microseconds(since: started)
        return CountedMatches(
            targets, MatchCounts(documents: documents, matching: counts), until: next, counting)
    }
}
