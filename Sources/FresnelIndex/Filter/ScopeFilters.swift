/// The filters of one search: those that a cache may know, and the others.
struct ScopeFilters: Sendable {
    /// Filters without a name in the cache; they are matched with the query.
    let others: [PlannedExpression]
    private let named: [(filter: PlannedExpression, number: FilterCache.FilterNumber)]
    private let cache: FilterCache?

    init(_ filters: [PlannedFilter], cache: FilterCache?) {
        self.cache = cache
        var others: [PlannedExpression] = []
        var named: [(filter: PlannedExpression, number: FilterCache.FilterNumber)] = []
        for filter in filters {
            if let cache, let identity = filter.identity {
                named.append((filter.expression, cache.number(of: identity)))
            } else {
                others.append(filter.expression)
            }
        }
        self.others = others
        self.named = named
    }

    /// The documents of `visible` that the named filters match, and how many were known.
    func scope(
        of visible: DocumentSet, with matcher: inout SegmentMatcher
    ) throws(SearchStop) -> (documents: DocumentSet, known: UInt64) {
        var documents = visible
        var known: UInt64 = 0
        guard let cache else { return (documents, known) }
        let segment = matcher.segment
        for (filter, number) in named {
            if let found = cache.documents(of: number, in: segment) {
                known += 1
                documents.formIntersection(found)
                continue
            }
            let found = try matcher.matches(filter, in: .all(of: segment.documentCount))
            cache.insert(found, of: number, in: segment)
            documents.formIntersection(found)
        }
        return (documents, known)
    }
}
