import FresnelModel
package import FresnelWire

// A query whose statistics are asked for comes to a worker twice: to be counted, then to be
// searched; where its part counts for itself the one follows the other at once. What the predicates
// matched the first time is what they match the second time, if the second looks at the same
// snapshots. So the matchers that counted are kept, with all that they found out, and search on.

/// What counting for one query found out, for the search that follows it.
///
/// A class, since it goes from hand to hand until then.
package final class CountedMatches: Sendable {
    /// What was counted: the search must look at the same.
    package let targets: [SearchTarget]
    /// The counts.
    package let counts: MatchCounts
    /// When the next document expires, in seconds since 2001; infinite for never.
    private let nextExpiration: Double
    /// The documents that are visible, segment by segment of all targets.
    let visible: [DocumentSet]
    /// What counted the matches of each of these segments.
    let matchers: [SegmentMatcher]
    /// How long all of it took.
    let microseconds: UInt64

    init(
        _ targets: [SearchTarget], _ counts: MatchCounts, until nextExpiration: Double,
        _ counting: MatchCounting
    ) {
        self.targets = targets
        self.counts = counts
        self.nextExpiration = nextExpiration
        visible = counting.visible
        matchers = counting.matchers
        microseconds = counting.microseconds
    }

    /// The counts as they travel, with what they hold for.
    package var statistics: WireStatistics {
        var statistics = WireStatistics()
        statistics.documents = counts.documents
        statistics.leafDocuments = counts.matching
        statistics.sequences = targets.map(\.snapshot.sequence.value)
        // 0 says "never", so an expiration at that very second is told as the number before it.
        let soonest = nextExpiration == 0 ? -Double.leastNonzeroMagnitude : nextExpiration
        statistics.validUntil = nextExpiration.isFinite ? soonest : 0
        return statistics
    }

    /// Where the segments of a target begin; nil for one that was not counted.
    func start(of target: SearchTarget) -> Int? {
        var start = 0
        for place in targets.indices {
            if targets[place].shard == target.shard, targets[place].index == target.index {
                return start
            }
            start += targets[place].snapshot.segments.count
        }
        return nil
    }

    /// What the sets take in memory, about; added up when it is asked for.
    package var byteCount: Int {
        let sets = visible.reduce(0) { $0 + $1.cachedBytes }
        return matchers.reduce(sets) { $0 + $1.keptBytes }
    }
}

/// What was seen of all targets while they were counted.
struct MatchCounting {
    var visible: [DocumentSet] = []
    var matchers: [SegmentMatcher] = []
    var microseconds: UInt64 = 0
}

extension SegmentMatcher {
    /// What it found out takes in memory, about.
    fileprivate var keptBytes: Int {
        counted.values.reduce(64 + memory.byteCount) { $0 + $1.cachedBytes }
    }
}
