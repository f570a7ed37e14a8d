// Tiers by size: a segment of a tier has up to twelve times the living documents of one of the tier
// below, and twelve of a tier become one of the next. Every document is then copied once per tier.
// The idea is that of log-structured merge trees; unlike most search engines we count living
// documents, so a segment sinks to lower tiers as its documents die.
//
// Where twelve would pass a limit, those of them that keep it merge, at least four, once twice as
// many stand: no merge takes longer. What they become may be of the same tier, and merges there
// again; but four have three times the least of the tier more than the largest of them, so no
// document is copied more than four times in one tier. Where fewer than four keep the limit they
// stay: most have a quarter of it and more.
//
// The lowest tier reaches from one document to two thousand. There a segment that is much larger
// than those it would merge with waits: taken along, documents that come one by one would be copied
// some three hundred times before they leave the tier; so they are copied some twelve times.

/// Decides which segments to merge; knows nothing but their sizes.
package struct MergePolicy: Hashable, Sendable {
    /// What the policy knows of a segment.
    package struct Candidate: Hashable, Sendable {
        /// All documents.
        package var documentCount: Int
        /// Documents not deleted for good.
        package var liveCount: Int
        /// The size of the file.
        package var byteCount: Int
        /// The bytes of all documents, not packed.
        package var storedByteCount: Int
        package var isPacked: Bool

        package init(
            documentCount: Int, liveCount: Int, byteCount: Int, storedByteCount: Int,
            isPacked: Bool = true
        ) {
            self.documentCount = documentCount
            self.liveCount = liveCount
            self.byteCount = byteCount
            self.storedByteCount = storedByteCount
            self.isPacked = isPacked
        }
    }

    /// Segments of one tier that become one.
    package var tierWidth = 12
    /// Segments below `tinyDocuments` that become one; fewer, since each costs every query.
    package var tinyWidth = 4
    /// Living documents below which a segment is tiny.
    package var tinyDocuments = 2000
    /// How many times the living documents of the others the largest tiny segment of a merge may
    /// have.
    package var tinyRatio = 4
    /// Whether segments that are not tiny are left as they are, unless nothing in them lives.
    package var sparesOthers = false
    /// Living documents a merge may give.
    package var documentLimit = 500_000
    /// Segments that become one at least where `tierWidth` of them would pass a limit, once twice
    /// as many stand.
    package var leastWidth = 4
    /// Bytes the files of one merge's sources may have; keeps sections below 4 GiB.
    package var byteLimit = 2 << 30
    /// Bytes the documents of one merge's sources may have when they are not packed.
    ///
    /// A file of packed documents says little of them, and their offsets reach 4 GiB.
    package var storedByteLimit = 3 << 30
    /// The share of dead documents from which a segment is rewritten alone.
    package var deadShare = 0.3

    /// Which segments are packed.
    package var packing = SegmentPacking.passing
    /// Whether all segments become one, but for those that are much larger than the others
    /// together: for a time in which nothing is written, when every segment costs every query.
    package var gathersAll = false
    /// How many times the living documents of the others the largest of those may have.
    ///
    /// Small changes to a large index rewrite it once in a quarter of its size.
    package var gatheringRatio = 4

    /// The policy with the usual numbers.
    package init() {}

    /// One segment where that is worth it, for a replica that has come to rest.
    package static let calm = {
        var policy = MergePolicy()
        policy.gathersAll = true
        policy.packing = .standard
        policy.documentLimit = 1_000_000
        return policy
    }()

    /// Tiny segments alone, for a writer that gets ahead of merging.
    package static let tiny = {
        var policy = MergePolicy()
        policy.sparesOthers = true
        return policy
    }()

    /// The groups to merge, as places in `candidates`, ascending in each group; no place occurs in
    /// two groups.
    ///
    /// A group of one is rewritten to get rid of dead documents, or packed. The most urgent group
    /// comes first: all segments without living documents, which are dropped, then tiny segments,
    /// low tiers, and rewriting.
    package func groups(of candidates: [Candidate]) -> [[Int]] {
        let dead = candidates.indices.filter { candidates[$0].liveCount == 0 }
        var groups = dead.isEmpty ? [] : [dead]
        if gathersAll {
            let gathered = gathered(candidates)
            return groups + gathered + unpacked(candidates, besides: gathered.first ?? [])
        }
        var isTaken = candidates.map { $0.liveCount == 0 }
        for (tier, places) in tiers(of: candidates) where tier == 0 || !sparesOthers {
            for group in chunks(of: places, tier: tier, candidates) {
                groups.append(group)
                for place in group { isTaken[place] = true }
            }
        }
        if sparesOthers { return groups }
        for (place, candidate) in candidates.enumerated() where !isTaken[place] {
            let dead = candidate.documentCount - candidate.liveCount
            if dead > 0, Double(dead) >= deadShare * Double(candidate.documentCount) {
                groups.append([place])
            }
        }
        return groups
    }

    /// The most segments, from the smallest on, that one merge of a replica at rest may take.
    private func gathered(_ candidates: [Candidate]) -> [[Int]] {
        let places = candidates.indices.filter { candidates[$0].liveCount > 0 }.sorted {
            (candidates[$0].liveCount, $0) < (candidates[$1].liveCount, $1)
        }
        var sum = Sum()
        var count = 0
        for (number, place) in places.enumerated() {
            let candidate = candidates[place]
            let isMuchLarger = candidate.liveCount > gatheringRatio * sum.documents
            sum.add(candidate)
            guard keepsLimits(sum) else { break }
            if number > 0, !isMuchLarger { count = number + 1 }
        }
        return count > 1 ? [places.prefix(count).sorted()] : []
    }

    /// The segments that are not packed and should be, one by one.
    private func unpacked(_ candidates: [Candidate], besides gathered: [Int]) -> [[Int]] {
        candidates.indices.filter {
            !candidates[$0].isPacked && packing.packs(candidates[$0].liveCount)
                && !gathered.contains($0)
        }.map { [$0] }
    }

    /// The tier of a number of living documents; 0 is tiny.
    package func tier(ofLiveCount count: Int) -> Int {
        var tier = 0
        var least = tinyDocuments
        while count >= least, tier < 32 {
            tier += 1
            least *= tierWidth
        }
        return tier
    }

    private func tiers(of candidates: [Candidate]) -> [(tier: Int, places: [Int])] {
        let byTier = Dictionary(
            grouping: candidates.indices.filter { candidates[$0].liveCount > 0 }
        ) { tier(ofLiveCount: candidates[$0].liveCount) }
        return byTier.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Cuts the segments of a tier, smallest first, into groups that keep the limits.
    private func chunks(
        of places: [Int], tier: Int, _ candidates: [Candidate]
    ) -> [[Int]] {
        var waiting = places.sorted {
            (candidates[$0].liveCount, $0) < (candidates[$1].liveCount, $1)
        }[...]
        let width = tier == 0 ? tinyWidth : tierWidth
        var groups: [[Int]] = []
        while waiting.count >= width {
            let (group, documents) = smallest(width, of: waiting, candidates)
            let isLimited = group.count >= leastWidth && group.count < width
            if isLimited, waiting.count < 2 * width { break }
            let largest = group.last.map { candidates[$0].liveCount } ?? 0
            guard group.count >= min(width, leastWidth),
                tier > 0 || largest <= tinyRatio * (documents - largest)
            else {
                waiting.removeFirst()
                continue
            }
            groups.append(group.sorted())
            waiting.removeAll { group.contains($0) }
        }
        return groups
    }

    /// The first segments that keep the limits together, at most `width`.
    private func smallest(
        _ width: Int, of places: ArraySlice<Int>, _ candidates: [Candidate]
    ) -> (group: [Int], documents: Int) {
        var group: [Int] = []
        var sum = Sum()
        for place in places where group.count < width {
            var larger = sum
            larger.add(candidates[place])
            // A later one may have fewer bytes, though not fewer documents.
            guard keepsLimits(larger) else { continue }
            group.append(place)
            sum = larger
        }
        return (group, sum.documents)
    }

    /// What the segments of a merge have together.
    private struct Sum {
        var documents = 0
        var bytes = 0
        var storedBytes = 0

        mutating func add(_ candidate: Candidate) {
            documents += candidate.liveCount
            bytes += candidate.byteCount
            storedBytes += candidate.storedByteCount
        }
    }

    private func keepsLimits(_ sum: Sum) -> Bool {
        sum.documents <= documentLimit && sum.bytes <= byteLimit
            && sum.storedBytes <= storedByteLimit
    }
}
