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
    package let statistics: WireStatistics
    /// What was seen of each target, in their order.
    private let seen: [CountedTarget]

    init(_ targets: [SearchTarget], _ statistics: WireStatistics, seen: [CountedTarget]) {
        self.targets = targets
        self.statistics = statistics
        self.seen = seen
    }

    /// What was seen of a target.
    func seen(of target: SearchTarget) -> CountedTarget? {
        let place = targets.firstIndex { $0.shard == target.shard && $0.index == target.index }
        return place.map { seen[$0] }
    }

    /// What the sets take in memory, about; added up when it is asked for.
    package var byteCount: Int { seen.reduce(0) { $0 + $1.byteCount } }
}

/// What was seen of one target while it was counted.
struct CountedTarget: Sendable {
    /// The documents that are visible, segment by segment.
    let visible: [DocumentSet]
    /// What counted the matches of each segment.
    var matchers: [SegmentMatcher] = []
    /// How long it took.
    var microseconds: UInt64 = 0

    fileprivate var byteCount: Int {
        let sets = visible.reduce(0) { $0 + $1.cachedBytes }
        return matchers.reduce(sets) { $0 + $1.keptBytes }
    }
}

extension SegmentMatcher {
    /// What it found out takes in memory, about.
    fileprivate var keptBytes: Int {
        counted.values.reduce(64 + memory.byteCount) { $0 + $1.cachedBytes }
    }
}
