extension GlobPattern {
    /// What the pattern matched first, as UTF-8 offsets of the original; see `places(in:)`.
    package func firstRange(in value: String) -> Range<Int>? {
        var places = places(in: value)
        return places.next()
    }

    /// What the pattern matched, as ascending, disjoint ranges; see `places(in:)`.
    package func ranges(in value: String) -> [Range<Int>] {
        Array(places(in: value))
    }

    /// What the pattern matched, found one after another by the automaton that says whether it
    /// matches.
    ///
    /// Stars at the ends of a pattern are left out of the range: for `"*apple*"` the ranges are the
    /// places of `apple`, and `"appl*"w` gives the four letters at the beginning of each such word.
    /// A star that stands for a whole word, as in `"apple *"w`, is left in. Where a word-based
    /// pattern ends in no star, the longest match at each place counts. A pattern of stars alone
    /// matches everything and has no place.
    package func places(in value: String) -> GlobPlaces {
        switch form {
        case .nothing, .everything:
            GlobPlaces(whole: nil)
        case .exactly:
            GlobPlaces(whole: matches(value) ? 0..<value.utf8.count : nil)
        case .automaton(let automaton):
            GlobPlaces(of: automaton, in: FoldedText(value, folding: folding))
        }
    }
}
