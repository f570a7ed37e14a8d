/// How the hits of a query travel to the client.
public enum Delivery: String, Hashable, Sendable, CaseIterable {
    /// Batches as workers find them, in no order: lowest time to the first hit.
    case found
    /// Each hit as soon as its place in the final order is certain.
    case settled
    /// One sorted answer, then the completion.
    case final
}

/// One search: what to look for, what to return, in which order, at what cost.
public struct SearchRequest: Hashable, Sendable {
    /// The query string; empty only with `identifiers`.
    public var query: String
    /// Query strings that every hit must satisfy too; they do not score.
    public var filters: [String] = []
    /// Get these documents instead of asking a query.
    public var identifiers: [String] = []
    /// Indexes to search; empty means all.
    public var indexes: [IndexName] = []
    /// Attributes to return; unknown names are ignored.
    public var attributes: [String] = []
    /// Whether to return every attribute.
    public var returnsAllAttributes = false
    /// The order; empty means relevance, best first.
    ///
    /// Delivery `found` has none, whatever stands here.
    public var sort: [SortKey] = []
    /// The most hits to return; nil means all.
    public var limit: Int?
    /// Go on behind this place of an earlier answer to the same query, as the indexes were then.
    public var after: SearchCursor?
    /// Return the page that ends before this place, in the same order; not together with `after`.
    public var before: SearchCursor?
    /// How the hits travel.
    public var delivery = Delivery.settled
    /// Hits the cluster may send before the client grants more.
    public var credit = Limits.creditItemsDefault
    /// How long the answer is worth waiting for.
    public var deadline = Limits.deadlineDefault
    /// How much of the index must answer.
    public var coverage = SearchCoverage.all
    /// The instant of `$time.now`; nil lets the broker read its clock.
    public var now: Timestamp?
    /// IANA zone of days and weeks; nil means UTC.
    public var timeZone: String?
    /// First day of the week, 1 Monday … 7 Sunday; nil means Monday.
    public var firstWeekday: Int?
    /// BCP 47 language whose letters folding protects; nil folds neutrally.
    public var language: String?
    /// A newer query on the same slot of the same client cancels this one.
    public var slot: String?
    /// Whether unknown attributes make the query invalid instead of a warning.
    public var isStrict = false
    /// Whether only the count is wanted.
    public var isCountOnly = false
    /// Whether each hit carries how its score came about; costs time and bytes for each.
    public var explainsScores = false
    /// Whether hits say what of the returned attributes the query matched.
    public var isHighlighted = false
    /// Whether the query stays after a complete answer and says what changes of it
    /// (`SearchQuery.changes`).
    ///
    /// Not with a limit, a cursor, facets or explained scores; hits are in the order of attributes,
    /// or come by delivery `found`. What the query says of times keeps the meaning it has now.
    public var isFollowed = false
    /// Whether the broker says when it has taken the query, which costs a message; the completion
    /// tells the same numbers.
    package var isAnnounced = false
    /// Whether documents asked for by identifier say when they expire.
    package var tellsExpirations = false
    /// Attributes by whose values the found documents are counted.
    public var facets: [FacetRequest] = []

    /// Makes a request for a query string with the defaults for all else.
    public init(_ query: String) {
        self.query = query
    }

    /// Makes a request for documents by identifier, with all their attributes.
    public init(identifiers: [String]) {
        query = ""
        self.identifiers = identifiers
        returnsAllAttributes = true
    }

    /// The order that holds: the given keys, or relevance.
    public var effectiveSort: [SortKey] { sort.isEmpty ? [.relevance] : sort }
}
