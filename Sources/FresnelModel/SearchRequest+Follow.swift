extension SearchRequest {
    /// Checks that a followed search has changes of its own.
    func validateFollowing() throws(SearchError) {
        guard isFollowed else { return }
        let obstacle: (what: String, hint: String)? =
            if limit != nil {
                ("a limit", "leave the limit out")
            } else if after != nil || before != nil {
                ("a cursor", "follow the search without a cursor")
            } else if !facets.isEmpty {
                ("facets", "ask for the facets in a search of their own")
            } else if explainsScores {
                ("explained scores", "explain them in a search of their own")
            } else if isInRelevanceOrder {
                (
                    "an order by relevance",
                    "any write may change every score: sort by attributes, or choose found"
                )
            } else {
                nil
            }
        guard let obstacle else { return }
        throw SearchError(.invalidArgument, "a search with \(obstacle.what) cannot be followed")
            .hinting(obstacle.hint)
    }

    private var isInRelevanceOrder: Bool {
        delivery != .found && !isCountOnly && identifiers.isEmpty
            && effectiveSort.contains { $0.field == .relevance }
    }
}
