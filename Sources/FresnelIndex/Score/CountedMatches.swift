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
    private var segments: [Place: KnownMatches] = [:]
    /// Microseconds that matching took, by the target's place.
    private var microseconds: [UInt64] = []

    private struct Place: Hashable, Sendable {
        let shard: ShardID
        let index: String
        let serial: UInt64
    }

    init(_ targets: [SearchTarget]) { self.targets = targets }

    /// What is known of a segment of a target.
    func known(of published: PublishedSegment, in target: SearchTarget) -> KnownMatches? {
        segments[Place(shard: target.shard, index: target.index, serial: published.serial)]
    }

    /// Notes how long the next target took.
    mutating func note(microseconds spent: UInt64) { microseconds.append(spent) }

    /// How long a target took.
    func microseconds(of target: SearchTarget) -> UInt64 {
        let place = targets.firstIndex { $0.shard == target.shard && $0.index == target.index }
        guard let place, place < microseconds.count else { return 0 }
        return microseconds[place]
    }

    mutating func keep(
        _ known: KnownMatches, of published: PublishedSegment, in target: SearchTarget
    ) {
        byteCount += known.byteCount
        segments[Place(shard: target.shard, index: target.index, serial: published.serial)] = known
    }
}

/// The matches of predicates among the visible documents of one segment.
struct KnownMatches: Sendable {
    /// What the predicates cover in the segment.
    var coverage = SegmentCoverage()
    /// The documents, by the predicate's place in the plan.
    var found: [Int: DocumentSet] = [:]
    /// What else was found out about the segment.
    var memory = MatchMemory(comparisonCount: 0)

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

extension MatchMemory {
    /// What the memory takes, about.
    fileprivate var byteCount: Int {
        let terms = terms.values.reduce(0) { $0 + $1.reduce(32) { $0 + 16 + 4 * $1.count } }
        let ranks = ranks.values.reduce(0) { $0 + 32 + 4 * $1.count }
        return terms + ranks + verdicts.values.reduce(0) { $0 + 32 + $1.count }
    }
}
