package import FresnelModel
package import FresnelQuery
package import FresnelWire

// Plan: a search is read once, before any segment is looked at. Everything that depends only on the
// query, the schema and the stamp is in here, and nothing that depends on a shard.

/// A search, understood.
///
/// What was read stands behind one reference: plans go from hand to hand.
package struct SearchPlan: Sendable {
    /// What is looked for.
    package enum Goal: Sendable {
        /// The documents that satisfy an expression.
        case matches(PlannedExpression)
        /// The documents with these identifiers, distinct, ascending by their UTF-8.
        case identifiers([[UInt8]])
    }

    private let parts: PlanParts
    private var placed: PlacedPage?
    /// Where the page lies in the answer; nil for its beginning.
    package var page: PagePosition? {
        get { placed?.position }
        set { placed = newValue.map { PlacedPage($0) } }
    }
    /// Whether the count is exact.
    ///
    /// Else a search may end once it has as many hits as are wanted, where they are unordered and
    /// unscored, and counts those. No message asks for that yet.
    package var countsAll = true
    /// When documents must not have expired; nothing else of a plan without times depends on it.
    package var now: Timestamp

    /// What is looked for, beside the filters.
    package var goal: Goal { parts.goal }
    /// The filters, which every hit satisfies too.
    package var filters: [PlannedFilter] { parts.filters }
    /// The predicates of query and filters.
    package var comparisons: [ComparisonPlan] { parts.comparisons }
    /// The same as documents of an index have to satisfy them.
    package func comparisons(in index: String) -> [ComparisonPlan] {
        parts.asksIndex ? parts.comparisons.map { $0.placed(in: index) } : parts.comparisons
    }
    /// The predicates that score, as places in `comparisons`, in the order of their statistics.
    package var scored: [Int] { parts.scored }
    /// The spelling of each predicate that scores; empty unless scores are to be explained.
    package var explained: [String] { isScored ? parts.spellings : [] }
    /// The order of the answer; ties break by identifier, then index.
    package var order: [SortField] { parts.order }
    /// Whether hits are sorted at all.
    package var isOrdered: Bool { parts.isOrdered }
    /// Whether hits have scores.
    package var isScored: Bool { parts.isScored }
    /// The most hits to deliver; nil for all.
    package var limit: Int? { parts.limit }
    /// Whether only the count is wanted.
    package var isCountOnly: Bool { parts.isCountOnly }
    /// The attributes to return.
    package var selection: AttributeSelection { parts.selection }
    /// What is to be returned under the names of fields.
    var returnedFields: ReturnedFields { parts.returnedFields }
    /// Whether nothing is returned but identifiers and scores.
    var isBare: Bool { parts.selectsNothing && parts.highlighter == nil }
    /// Whether hits that have neither key nor attributes are sent front-coded.
    var isFrontCoded: Bool { parts.isFrontCoded }
    /// Marks what matched in the attributes to return; nil where nobody asked.
    package var highlighter: HitHighlighter? { parts.highlighter }
    /// Whether hits say when they expire.
    var tellsExpirations: Bool { parts.tellsExpirations }
    /// The attributes by whose values the found documents are counted.
    package var facets: [FacetField] { parts.facets }
    /// The attributes of the indexes searched.
    package var schema: AttributeSchema { parts.schema }

    /// Reads a stamped search.
    ///
    /// - Throws: when query or filters cannot be read or resolved; the broker has checked before,
    ///   so this happens only where the schemas of broker and worker differ.
    package init(search: WireSearch, schema: AttributeSchema) throws(QueryError) {
        let context = search.planContext
        now = context.now
        parts = try PlanParts(search, schema, context)
    }
}

/// A page, aside since most plans that go from hand to hand have none.
private final class PlacedPage: Sendable {
    let position: PagePosition

    init(_ position: PagePosition) { self.position = position }
}

/// The parts of a plan that never change.
private final class PlanParts: Sendable {
    let goal: SearchPlan.Goal
    let filters: [PlannedFilter]
    let comparisons: [ComparisonPlan]
    /// Whether one of them is decided by the index alone.
    let asksIndex: Bool
    let scored: [Int]
    /// The spelling of each predicate that would score, where scores are to be explained.
    let spellings: [String]
    let highlighter: HitHighlighter?
    let order: [SortField]
    let isOrdered: Bool
    let isScored: Bool
    let limit: Int?
    let isCountOnly: Bool
    let selection: AttributeSelection
    let returnedFields: ReturnedFields
    let selectsNothing: Bool
    let isFrontCoded: Bool
    let tellsExpirations: Bool
    let facets: [FacetField]
    let schema: AttributeSchema

    init(
        _ search: WireSearch, _ schema: AttributeSchema, _ context: QueryContext
    ) throws(QueryError) {
        self.schema = schema
        limit = search.hasLimit ? Int(clamping: search.limit) : nil
        isCountOnly = search.countOnly
        selection = Self.selection(search, schema)
        returnedFields = ReturnedFields(of: search, in: schema)
        tellsExpirations = search.tellExpirations && !search.identifiers.isEmpty
        selectsNothing = selection.isEmpty && !tellsExpirations
        isFrontCoded = search.frontCoded
        let facets = search.facets
        self.facets = facets.isEmpty ? [] : facets.map { FacetField($0, schema: schema) }
        let identifiers = search.identifiers
        guard identifiers.isEmpty else {
            goal = .identifiers(Self.distinct(identifiers))
            (filters, comparisons, spellings, highlighter) = ([], [], [], nil)
            asksIndex = false
            (scored, order) = ([], [])
            (isOrdered, isScored) = (true, false)
            return
        }
        order = SortField.fields(of: search, schema: schema)
        isOrdered = search.delivery != .found
        let options = ParseOptions(schema: schema)
        let resolved = try QueryParser.expression(search.query, options: options)
            .resolved(in: context)
        highlighter = search.highlight ? HitHighlighter(resolved, search, schema) : nil
        spellings = search.explain ? resolved.scoredComparisons.map(\.description) : []
        var comparisons: [ComparisonPlan] = []
        let expression = PlannedExpression(
            consume resolved, schema, language: context.language, comparisons: &comparisons)
        goal = .matches(expression)
        let isByRelevance = !isCountOnly && order.contains(where: \.isByScore)
        scored = isByRelevance ? expression.scored(comparisons) : []
        isScored = !scored.isEmpty
        filters = try PlannedFilter.all(of: search, in: context, options, &comparisons)
        self.comparisons = comparisons
        asksIndex = comparisons.contains(where: \.asksIndex)
    }

    private static func selection(
        _ search: WireSearch, _ schema: AttributeSchema
    ) -> AttributeSelection {
        if search.allAttributes { return .all }
        let wanted = search.attributes
        return wanted.isEmpty
            ? .none
            : AttributeSelection(
                wanted.map { schema.definition(named: $0)?.name ?? $0 })
    }

    private static func distinct(_ identifiers: [String]) -> [[UInt8]] {
        Set(identifiers.map { Array($0.utf8) }).sorted { $0.lexicographicallyPrecedes($1) }
    }
}

extension PlannedFilter {
    /// The filters of a search; the query itself is none: nobody asks for its name.
    fileprivate static func all(
        of search: WireSearch, in context: QueryContext, _ options: ParseOptions,
        _ comparisons: inout [ComparisonPlan]
    ) throws(QueryError) -> [PlannedFilter] {
        let texts = search.filters
        guard !texts.isEmpty else { return [] }
        var filters: [PlannedFilter] = []
        for text in texts {
            let parsed = try QueryParser.parse(text, options: options).expression
            let identity = FilterIdentity(
                parsed, language: context.language, schema: options.schema)
            let expression = PlannedExpression(
                try parsed.resolved(in: context), options.schema, language: context.language,
                comparisons: &comparisons)
            filters.append(PlannedFilter(expression: expression, identity: identity))
        }
        return filters
    }
}

extension PlannedExpression {
    /// What most queries score: their only comparison.
    private static let onlyFirst = [0]

    /// The comparisons that score, in query order: patterns that stand under no negation
    /// (`ResolvedExpression.scoredComparisons`).
    fileprivate func scored(_ comparisons: [ComparisonPlan]) -> [Int] {
        if case .comparison(0) = self { return comparisons[0].isText ? Self.onlyFirst : [] }
        var scored: [Int] = []
        scored.reserveCapacity(comparisons.count)
        appendScored(comparisons, to: &scored)
        return scored
    }

    private func appendScored(_ comparisons: [ComparisonPlan], to scored: inout [Int]) {
        switch self {
        case .constant, .not: break
        case .and(let parts), .or(let parts):
            for part in parts { part.appendScored(comparisons, to: &scored) }
        case .comparison(let number):
            if comparisons[number].isText { scored.append(number) }
        }
    }
}

extension WireSearch {
    /// The stamp of the broker; what it left open is neutral.
    package var planContext: QueryContext {
        let context = self.context
        return QueryContext(
            now: Timestamp(seconds: context.now) ?? Timestamp(wholeSeconds: 0),
            timeZone: context.timeZone.isEmpty ? "UTC" : context.timeZone,
            firstWeekday: context.firstWeekday == 0 ? 1 : Int(context.firstWeekday),
            language: context.language.isEmpty ? nil : context.language)
    }
}
