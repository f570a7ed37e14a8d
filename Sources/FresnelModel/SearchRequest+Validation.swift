extension SearchRequest {
    /// Checks everything but the language of the query strings.
    ///
    /// - Throws: `SearchError`: `.invalidQuery` for the query strings, `.invalidArgument` for the
    ///   rest, as from the cluster.
    public func validate() throws(SearchError) {
        try validateQueryStrings()
        try check(filters.count, "filter queries", atMost: Limits.filters)
        try check(attributes.count, "attributes to return", atMost: Limits.fetchedAttributes)
        try check(sort.count, "sort keys", atMost: Limits.sortKeys)
        try check(facets.count, "facets", atMost: Limits.facets)
        for facet in facets {
            try check(facet.limit, "values of \(facet.attribute)", atMost: Limits.facetValues)
        }
        try check(identifiers.count, "identifiers", atMost: Limits.fetchedIdentifiers)
        try validateAmounts()
        try check(slot?.utf8.count ?? 0, "bytes of slot name", atMost: Limits.slotBytes)
        try validateDeadline()
        try validatePage()
        try validateFollowing()
        guard (0...1).contains(coverage.fraction) else {
            throw SearchError(
                .invalidArgument, "a coverage of \(coverage.fraction) is not possible"
            ).hinting("choose a fraction between 0 and 1")
        }
        guard (1...7).contains(firstWeekday ?? 1) else {
            throw SearchError(
                .invalidArgument, "\(firstWeekday ?? 0) is not the number of a weekday"
            ).hinting("1 is Monday, 7 is Sunday")
        }
    }

    private func validateDeadline() throws(SearchError) {
        guard deadline > .zero else {
            throw SearchError(.invalidArgument, "a deadline must be more than 0")
                .hinting("choose for how long the answer is worth waiting for")
        }
        guard deadline <= Limits.deadline else {
            let limit = Limits.deadline.components.seconds
            throw SearchError(
                .invalidArgument,
                "a deadline of \(deadline.components.seconds) seconds is too long; at most "
                    + "\(limit) are allowed")
        }
    }

    private func validateAmounts() throws(SearchError) {
        try check(credit, "hits of credit", atMost: Limits.creditItems)
        guard credit > 0 || isCountOnly else {
            throw SearchError(.invalidArgument, "a credit of 0 hits delivers nothing, ever")
                .hinting("grant at least 1")
        }
        try check(limit ?? 1, "hits as limit", atMost: Limits.hits)
        guard limit != 0 else {
            throw SearchError(.invalidArgument, "a limit of 0 hits is not possible")
                .hinting("leave it out for all hits, or ask for the count only")
        }
    }

    private func validatePage() throws(SearchError) {
        guard after == nil || before == nil else {
            throw SearchError(.invalidArgument, "a page cannot lie behind and before a cursor")
                .hinting("give after or before, not both")
        }
        for cursor in [after, before].compactMap(\.self)
        where cursor.bytes.isEmpty || cursor.bytes.count > Limits.cursorBytes {
            throw SearchError(
                .invalidArgument, "a cursor of \(cursor.bytes.count) bytes is none"
            ).hinting("take the next or previous of a completion, whole")
        }
        guard after == nil && before == nil || delivery != .found else {
            throw SearchError(
                .invalidArgument,
                isFollowed
                    ? "a query that is followed begins at its beginning, without a cursor"
                    : "a cursor needs an order, and found has none"
            ).hinting(isFollowed ? "give one of both" : "choose settled or final delivery")
        }
    }

    private func validateQueryStrings() throws(SearchError) {
        guard query.isEmpty != identifiers.isEmpty else {
            let message =
                query.isEmpty ? "the query is empty" : "both a query and identifiers are given"
            throw SearchError(.invalidQuery, message, offset: 0)
                .hinting("give a query, or identifiers")
        }
        for text in [query] + filters where text.utf8.count > Limits.queryBytes {
            throw SearchError(
                .invalidQuery,
                "a query has \(text.utf8.count) bytes; at most \(Limits.queryBytes) are allowed")
        }
    }

    private func check(
        _ count: Int, _ what: String, atMost limit: Int
    ) throws(SearchError) {
        guard count >= 0 else {
            throw SearchError(.invalidArgument, "\(count) \(what) are not possible")
        }
        guard count <= limit else {
            throw SearchError(
                .invalidArgument, "\(count) \(what) are asked for; at most \(limit) are allowed")
        }
    }
}
