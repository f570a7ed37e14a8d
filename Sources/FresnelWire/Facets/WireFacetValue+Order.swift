// Workers and broker put the values of a facet into one order: numbers, then dates, then texts by
// their folded key and, where that is equal, by their own bytes, as in a sorted answer.

extension WireFacetValue {
    /// Whether the value comes before another in ascending order.
    package func isLess(than other: WireFacetValue) -> Bool {
        switch (value, other.value) {
        case (.number(let mine), .number(let theirs)), (.date(let mine), .date(let theirs)):
            mine < theirs
        case (.text(let mine), .text(let theirs)):
            Self.isLess((sortKey, mine), (other.sortKey, theirs))
        default: kindRank < other.kindRank
        }
    }

    /// Whether the value comes before another in a list of the most frequent: higher counts first,
    /// equal ones ascending.
    package func precedes(_ other: WireFacetValue) -> Bool {
        count == other.count ? isLess(than: other) : count > other.count
    }

    /// The folded key of a text.
    var sortKey: String { hasFolded ? folded : text }

    /// Numbers come before dates, and these before texts.
    var kindRank: Int {
        switch value {
        case .number: 0
        case .date: 1
        case .text: 2
        case nil: 3
        }
    }

    private static func isLess(
        _ mine: (key: String, text: String), _ other: (key: String, text: String)
    ) -> Bool {
        mine.key.utf8.elementsEqual(other.key.utf8)
            ? mine.text.utf8.lexicographicallyPrecedes(other.text.utf8)
            : mine.key.utf8.lexicographicallyPrecedes(other.key.utf8)
    }
}
