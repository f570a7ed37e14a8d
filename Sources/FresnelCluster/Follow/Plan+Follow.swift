import FresnelModel
import FresnelWire

extension QueryPlan {
    /// Refuses to follow what has no changes of its own.
    ///
    /// A limited answer, a page, facets and an order by relevance also depend on documents that did
    /// not change.
    static func checkFollow(of search: WireSearch) throws(PlanRefusal) {
        guard search.follow else { return }
        if search.hasLimit {
            throw .badOption("a followed query has no limit; leave the limit out, or the following")
        }
        if !search.afterBytes.isEmpty || search.backwards {
            throw .badOption("a page cannot be followed; follow the query without a cursor")
        }
        if !search.facets.isEmpty {
            throw .badOption("facets cannot be followed; ask for them in a query of their own")
        }
        if search.explain {
            throw .badOption("scores cannot be followed; explain them in a query of their own")
        }
        if search.isSortedByRelevance, search.delivery != .found, !search.countOnly,
            search.identifiers.isEmpty
        {
            throw .badOption(
                "an order by relevance cannot be followed, since any write may change every "
                    + "score; sort by attributes, or use delivery found")
        }
    }
}
