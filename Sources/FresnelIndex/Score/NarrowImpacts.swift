import FresnelSystem

// Of the 256 levels one word's postings use some tens. Sixteen of them, chosen for each word, bound
// its postings nearly as well, and take four bits a posting. And what a word adds to a score with
// each of sixteen bounds is worked out once a query, not once a document.

/// Which sixteen levels a word's postings have in a packed segment.
struct NarrowLevels: Sendable {
    /// For each word the places of its levels, ascending; the last is repeated up to sixteen.
    let places: PackedArray<UInt8>

    /// Levels of a word.
    static let count = 16
}

extension ImpactContents {
    /// The same with sixteen levels for each word, and two codes in a byte, the first in the lower
    /// half; a word begins with a byte of its own.
    func narrowed() -> (offsets: [UInt32], places: [UInt8], codes: [UInt8]) {
        var narrow: (offsets: [UInt32], places: [UInt8], codes: [UInt8]) = ([0], [], [])
        for word in terms.indices {
            let own = codes[Int(offsets[word])..<Int(offsets[word + 1])]
            let map = LevelChoice(own)
            narrow.places += map.places
            var half: UInt8?
            for code in own {
                let code = map.codes[Int(code)]
                if let lower = half {
                    narrow.codes.append(lower | code << 4)
                    half = nil
                } else {
                    half = code
                }
            }
            if let half { narrow.codes.append(half) }
            narrow.offsets.append(UInt32(truncatingIfNeeded: narrow.codes.count))
        }
        return narrow
    }
}

/// Sixteen levels for the postings of one word: levels are given up, the postings that have them
/// taking the next greater one, as long as there are more, always the one that costs the least.
struct LevelChoice {
    /// The places of the levels, ascending; the last is repeated up to sixteen.
    private(set) var places: [UInt8] = []
    /// For each of the 256 levels the least of those that is not below.
    private(set) var codes = [UInt8](repeating: 0, count: Impacts.levelCount)

    /// What a level adds to a score, of at most 1.
    private static let shares = ImpactContents.levels.map {
        Relevance.contribution(rarity: 1, weightedOccurrences: $0)
    }

    init(_ own: ArraySlice<UInt8>) {
        var counts = [Int](repeating: 0, count: Impacts.levelCount)
        for code in own { counts[Int(code)] += 1 }
        var levels = counts.indices.filter { counts[$0] > 0 }
        while levels.count > NarrowLevels.count {
            var (best, least) = (0, Double.infinity)
            for place in 0..<levels.count - 1 {
                let raise = Self.shares[levels[place + 1]] - Self.shares[levels[place]]
                let cost = Double(counts[levels[place]]) * raise
                if cost < least { (best, least) = (place, cost) }
            }
            counts[levels[best + 1]] += counts[levels[best]]
            levels.remove(at: best)
        }
        var next = 0
        for level in codes.indices {
            while next < levels.count - 1, levels[next] < level { next += 1 }
            codes[level] = UInt8(next)
        }
        places = levels.map { UInt8($0) }
        while places.count < NarrowLevels.count { places.append(places.last ?? 0) }
    }
}
