package import FresnelWire

/// What scoring needs to know of a whole index: how many documents there are, and how many of them
/// each scored predicate matches.
package struct MatchCounts: Sendable {
    /// The visible documents.
    package let documents: UInt64
    /// Those that each scored predicate matches, in query order.
    package let matching: [UInt64]

    init(documents: UInt64, matching: [UInt64]) {
        self.documents = documents
        self.matching = matching
    }

    /// Those that another process added up.
    package init(_ statistics: WireStatistics) {
        documents = statistics.documents
        matching = statistics.leafDocuments
    }

    /// Those of nothing.
    static let none = MatchCounts(documents: 0, matching: [])

    /// How many documents a scored predicate matches; 0 where it was not counted.
    func matching(_ place: Int) -> UInt64 { place < matching.count ? matching[place] : 0 }

    /// How much a scored predicate tells.
    func rarity(_ place: Int) -> Double {
        Relevance.rarity(documents: documents, matching: matching(place))
    }
}
