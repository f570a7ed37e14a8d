extension GlobPattern {
    /// What the pattern matched first, as UTF-8 offsets of the original; see `ranges(in:)`.
    package func firstRange(in value: String) -> Range<Int>? {
        ranges(in: value, limit: 1).first
    }

    /// What the pattern matched, as ascending, disjoint ranges of UTF-8 offsets of the original.
    ///
    /// Stars at the ends of a pattern that is not word based are left out of the range: for
    /// `"*apple*"` the ranges are the places of `apple`. A word-based pattern yields the longest
    /// match at each place, so that `"appl*"w` marks whole words. A pattern of stars alone matches
    /// everything and yields no range.
    package func ranges(in value: String) -> [Range<Int>] {
        ranges(in: value, limit: .max)
    }

    private func ranges(in value: String, limit: Int) -> [Range<Int>] {
        switch form {
        case .nothing, .everything:
            return []
        case .exactly:
            return matches(value) ? [0..<value.utf8.count] : []
        case .automaton(let automaton):
            return ranges(of: automaton, in: FoldedText(value, folding: folding), limit)
        }
    }

    private func ranges(
        of automaton: GlobAutomaton, in folded: FoldedText, _ limit: Int
    ) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var cursor = 0
        while ranges.count < limit, let end = automaton.earliestEnd(in: folded, from: cursor) {
            let start = automaton.leftmostStart(in: folded, from: cursor, endingAt: end)
            let stop = isWordBased ? automaton.longestEnd(in: folded, from: start) : end
            let range = folded.originalRange(of: start..<stop)
            if let last = ranges.last, last.upperBound > range.lowerBound {
                // Two letters of one original character matched one after the other.
                ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                ranges.append(range)
            }
            cursor = stop
        }
        return ranges
    }
}
