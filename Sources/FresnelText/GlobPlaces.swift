/// The places of a value that a pattern matched: ascending, disjoint ranges of UTF-8 offsets of the
/// original, each of whole characters.
package struct GlobPlaces: Sequence, IteratorProtocol, Sendable {
    /// The automaton and the value; nil when there is nothing to search.
    private let search: (automaton: GlobAutomaton, folded: FoldedText)?
    private var cursor = 0
    /// The place found last, which the next may still lengthen.
    private var pending: Range<Int>?

    /// One place that is known already, or none.
    init(whole: Range<Int>?) {
        search = nil
        pending = whole
    }

    init(of automaton: GlobAutomaton, in folded: FoldedText) {
        search = (automaton, folded)
        pending = advance()
    }

    /// The next place.
    package mutating func next() -> Range<Int>? {
        guard var place = pending else { return nil }
        pending = advance()
        while let following = pending, place.upperBound > following.lowerBound {
            // Two letters of one original character matched one after the other.
            place = place.lowerBound..<Swift.max(place.upperBound, following.upperBound)
            pending = advance()
        }
        return place
    }

    /// Searches from the cursor on and moves it behind what is found.
    private mutating func advance() -> Range<Int>? {
        guard let (automaton, folded) = search,
            let end = automaton.earliestEnd(in: folded, from: cursor)
        else { return nil }
        let start = automaton.leftmostStart(in: folded, from: cursor, endingAt: end)
        let isLongest = automaton.isWordBased && !automaton.isFreeAtEnd
        cursor = isLongest ? automaton.longestEnd(in: folded, from: start) : end
        return folded.originalRange(of: start..<cursor)
    }
}
