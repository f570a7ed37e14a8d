import FresnelModel
package import FresnelWire

// A query whose statistics are asked for comes to a worker twice: to be counted, then to be
// searched. What the predicates matched the first time is what they match the second time, if the
// second looks at the same snapshots. So both are kept from one to the other.

/// What counting for one query found out, for the search that follows it.
package struct CountedMatches: Sendable {
    /// What was counted: the search must look at the same.
    package let targets: [SearchTarget]
    /// The counts.
    package internal(set) var statistics = WireStatistics()
    /// What the sets take in memory, about.
    package private(set) var byteCount = 0
    /// By segment; few, and asked for in this order.
    private var segments: [(number: UInt64, known: KnownMatches)] = []
    /// What was seen of each target, in their order.
    private var seen: [(microseconds: UInt64, visible: [DocumentSet])] = []

    init(_ targets: [SearchTarget]) { self.targets = targets }

    /// What is known of a segment.
    func known(of segment: Segment) -> KnownMatches? {
        segments.first { $0.number == segment.number }?.known
    }

    /// Notes how long the next target took, and which of its documents are visible.
    mutating func note(microseconds: UInt64, visible: [DocumentSet]) {
        for set in visible { byteCount += set.cachedBytes }
        seen.append((microseconds, visible))
    }

    /// How long a target took, and which of its documents are visible, segment by segment.
    func seen(of target: SearchTarget) -> (microseconds: UInt64, visible: [DocumentSet])? {
        let place = targets.firstIndex { $0.shard == target.shard && $0.index == target.index }
        guard let place, place < seen.count else { return nil }
        return seen[place]
    }

    mutating func keep(_ known: KnownMatches, of segment: Segment) {
        byteCount += known.byteCount
        segments.append((segment.number, known))
    }
}

/// The matches of predicates among the visible documents of one segment.
final class KnownMatches: Sendable {
    /// The segment under the schema of the search.
    let view: SegmentView
    /// What the predicates cover in the segment.
    let coverage: SegmentCoverage
    /// The documents, by the predicate's place in the plan.
    let found: [Int: DocumentSet]
    /// What else was found out about the segment.
    let memory: MatchMemory

    /// Keeps what a matcher found out.
    init(_ matcher: SegmentMatcher) {
        view = matcher.view
        coverage = matcher.coverage
        found = matcher.counted
        memory = matcher.memory
    }

    var byteCount: Int {
        found.values.reduce(64 + memory.byteCount) { sum, set in
            switch set.form {
            case .all: sum + 32
            case .list(let list): sum + 32 + 4 * list.count
            case .bits: sum + 32 + set.documentCount / 8
            }
        }
    }
}
