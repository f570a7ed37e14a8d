package import FresnelModel
package import FresnelQuery
package import FresnelWire

// Plan: a search is read once, before any segment is looked at. Everything that depends only on the
// query, the schema and the stamp is in here, and nothing that depends on a shard.

/// A search, understood.
package struct SearchPlan: Sendable {
    /// What is looked for.
    package enum Goal: Sendable {
        /// The documents that satisfy an expression.
        case matches(PlannedExpression)
        /// The documents with these identifiers, distinct, ascending by their UTF-8.
        case identifiers([[UInt8]])
    }

    /// What is looked for, beside the filters.
    package let goal: Goal
    /// The filters, which every hit satisfies too.
    package let filters: [PlannedFilter]
    /// The predicates of query and filters.
    package let comparisons: [ComparisonPlan]
    /// The predicates that score, as places in `comparisons`, in the order of their statistics.
    package let scored: [Int]
    /// The spelling of each predicate that scores; empty unless scores are to be explained.
    package let explained: [String]
    /// The order of the answer; ties break by identifier, then index.
    package let order: [SortField]
    /// Whether hits are sorted at all.
    package let isOrdered: Bool
    /// Whether hits have scores.
    package let isScored: Bool
    /// The most hits to deliver; nil for all.
    package let limit: Int?
    /// Where the page lies in the answer; nil for its beginning.
    package var page: PagePosition?
    /// Whether the count is exact.
    ///
    /// Else a search may end once it has as many hits as are wanted, where they are unordered and
    /// unscored, and counts those. No message asks for that yet.
    package var countsAll = true
    /// Whether only the count is wanted.
    package let isCountOnly: Bool
    /// The attributes to return.
    package let selection: AttributeSelection
    /// Marks what matched in the attributes to return; nil where nobody asked.
    package let highlighter: HitHighlighter?
    /// The attributes by whose values the found documents are counted.
    package let facets: [FacetField]
    /// When documents must not have expired; nothing else of a plan without times depends on it.
    package var now: Timestamp
    /// The attributes of the indexes searched.
    package let schema: AttributeSchema

    /// Reads a stamped search.
    ///
    /// - Throws: when query or filters cannot be read or resolved; the broker has checked before,
    ///   so this happens only where the schemas of broker and worker differ.
    package init(search: WireSearch, schema: AttributeSchema) throws(QueryError) {
        self.schema = schema
        let context = search.planContext
        now = context.now
        limit = search.hasLimit ? Int(clamping: search.limit) : nil
        isCountOnly = search.countOnly
        selection = Self.selection(search, schema)
        facets = search.facets.map { FacetField($0, schema: schema) }
        guard search.identifiers.isEmpty else {
            goal = .identifiers(Self.distinct(search.identifiers))
            (comparisons, scored, explained, order) = ([], [], [], [])
            (isOrdered, isScored) = (true, false)
            highlighter = nil
            filters = []
            return
        }
        let options = ParseOptions(schema: schema)
        var expressions: [PlannedExpression] = []
        var identities: [FilterIdentity?] = []
        var highlighter: HitHighlighter?
        var comparisons: [ComparisonPlan] = []
        var spellings: [String] = []
        for text in [search.query] + search.filters {
            let parsed = try QueryParser.parse(text, options: options).expression
            let resolved = try parsed.resolved(in: context)
            // The query itself is no filter: nobody asks for its name.
            identities.append(
                expressions.isEmpty
                    ? nil : FilterIdentity(parsed, language: context.language, schema: schema))
            if search.highlight, expressions.isEmpty {
                highlighter = HitHighlighter(resolved, search, schema)
            }
            if expressions.isEmpty, search.explain {
                spellings = resolved.scoredComparisons.map(\.description)
            }
            expressions.append(
                PlannedExpression(
                    resolved, language: context.language, comparisons: &comparisons))
        }
        goal = .matches(expressions[0])
        filters = zip(expressions, identities).dropFirst().map {
            PlannedFilter(expression: $0, identity: $1)
        }
        self.comparisons = comparisons
        self.highlighter = highlighter
        order = SortField.fields(of: search, schema: schema)
        isOrdered = search.delivery != .found
        let scored = expressions[0].scored(comparisons)
        let isByRelevance = order.contains { $0.key == .relevance }
        isScored = isByRelevance && !search.countOnly && !scored.isEmpty
        self.scored = isScored ? scored : []
        explained = isScored ? spellings : []
    }

    private static func selection(
        _ search: WireSearch, _ schema: AttributeSchema
    ) -> AttributeSelection {
        if search.allAttributes { return .all }
        return AttributeSelection(
            search.attributes.map { schema.definition(named: $0)?.name ?? $0 })
    }

    private static func distinct(_ identifiers: [String]) -> [[UInt8]] {
        Set(identifiers.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension PlannedExpression {
    /// The comparisons that score, in query order: patterns that stand under no negation
    /// (`ResolvedExpression.scoredComparisons`).
    func scored(_ comparisons: [ComparisonPlan]) -> [Int] {
        switch self {
        case .constant, .not: return []
        case .and(let parts), .or(let parts): return parts.flatMap { $0.scored(comparisons) }
        case .comparison(let number):
            if case .text = comparisons[number].test { return [number] }
            return []
        }
    }
}

extension WireSearch {
    /// The stamp of the broker; what it left open is neutral.
    package var planContext: QueryContext {
        QueryContext(
            now: Timestamp(seconds: context.now) ?? Timestamp(wholeSeconds: 0),
            timeZone: context.timeZone.isEmpty ? "UTC" : context.timeZone,
            firstWeekday: context.firstWeekday == 0 ? 1 : Int(context.firstWeekday),
            language: context.language.isEmpty ? nil : context.language)
    }
}
