package import FresnelModel
package import FresnelQuery
package import FresnelWire

/// What the broker knows about one shard when a query arrives.
package struct SearchableShard: Hashable, Sendable {
    package var index: String
    /// Which of the indexes that ever had this name.
    package var identity = IndexIdentity.unknown
    package var shard: ShardID
    /// The live worker that holds the shard whole, and is asked; nil when there is none.
    package var worker: WorkerID?
    /// The epoch of the replica there.
    package var epoch = Epoch(0)
    /// The epoch of the shard itself.
    package var shardEpoch = Epoch(0)
    /// Whether other workers may have it, too.
    package var isReplicated = false
    /// What is read: everything acknowledged, and nothing that may still change.
    package var snapshot: SequenceNumber
    /// Live documents, as last reported.
    package var documents: UInt64
    /// The newest part the shard has, where nothing is on its way there; nil when not known.
    package var settledSequence: SequenceNumber?
    /// Why nobody can search it, where there is no worker.
    package var absence = "no live worker holds this shard"
    /// Why what is found there may not be all there is; empty where it is.
    package var doubt = ""
    /// Of a round of changes: what was read before; nil for a whole answer.
    package var since: SequenceNumber?

    package init(
        index: String, shard: ShardID, worker: WorkerID?, snapshot: SequenceNumber,
        documents: UInt64, settledSequence: SequenceNumber? = nil
    ) {
        self.index = index
        self.shard = shard
        self.worker = worker
        self.snapshot = snapshot
        self.documents = documents
        self.settledSequence = settledSequence
    }
}

/// A query that was understood: stamped once, and cut into one part per worker.
///
/// First phase on the broker's side (Plan, Admit, Scatter, Merge, Complete).
package struct QueryPlan: Sendable {
    /// The query as the workers get it: stamped with one context.
    package var search: WireSearch
    /// One part per worker, ordered by worker name.
    package var parts: [(worker: WorkerID, targets: [SearchableShard])]
    /// Shards that no live worker holds.
    package var unreachable: [SearchableShard]
    /// Comparisons that take part in scores; none when the order is not by relevance.
    package var scored: [ResolvedComparison]
    package var warnings: [QueryWarning]
    /// The custom keys that the query may mean: workers take them as the broker does.
    package var customKeys: [CustomAttributeKey]
    /// The Boolean keys whose values hits and facets may have, which the client shows as such.
    package var booleans: [String]
    /// The digest of what is asked, for cursors.
    package var digest: UInt64
    /// Under which the reading of its texts is remembered; nil where it is not.
    var texts: PlanMemory.Question?
    /// Where the page begins, or ends; nil for the first.
    package var page: PagePosition?
    /// Of a round of changes: the instants of both states; nil for a whole answer.
    package var changes: WireChangeSpan?
    /// Of the second round of facets: what each part is asked for; none for a query.
    package var rest: [[WireFacetRest]] = []
    /// Whether the client chose the instant at which documents must not have expired.
    package var isPinned: Bool
    /// Whether a text speaks of the time at which it is asked.
    var readsClock: Bool
    /// Why the broker's clock, which the query goes by, may be wrong.
    var clockDoubt: ClockDoubt?

    /// Whether some shard has several replicas.
    package var isReplicated = false
    /// Whether what is found in some shard may not be all there is.
    private(set) var hasDoubts = false

    /// Whether scores are needed, and so global term statistics.
    package var isScored: Bool { !scored.isEmpty }
    /// How many comparisons take part in scores.
    package var scoredComparisons: Int { scored.count }
    /// Whether hits are merged into one order.
    package var isOrdered: Bool { search.delivery != .found || changes != nil }
    /// Whether each worker sends its hits in order: to be merged, or so that another one can go on
    /// where it stops.
    package var ordersParts: Bool { isOrdered || isReplicated }
    /// Whether hits may come in front-coded batches, which have no keys.
    package var takesFrontCoded: Bool { search.frontCoded && !ordersParts }
    /// The most hits to deliver; nil is all of them.
    package var limit: UInt64? { search.hasLimit ? search.limit : nil }
    /// Size of the searched set, as last reported.
    package var owned: UInt64 {
        (parts.flatMap(\.targets) + unreachable).map(\.documents).saturatingSum
    }

    /// Understands a query.
    ///
    /// - Parameters:
    ///   - schema: of the indexes; not looked at with a reading.
    ///   - reading: what was read in the same texts before.
    /// - Throws: -2002 with position for an invalid query or filter, 4xx for bad options.
    package init(
        _ search: WireSearch, shards: [SearchableShard], schema: AttributeSchema,
        at moment: Moment, reading: QueryReading? = nil
    ) throws(PlanRefusal) {
        var search = search
        try Self.checkOptions(search)
        try Self.checkFollow(of: search)
        isPinned = search.hasContext && search.context.hasNow
        let cursor = try Self.cursor(of: &search)
        try Self.checkFacets(of: search, schema)
        search.stamp(at: moment)
        let reading = if let reading { reading } else { try Self.read(search, schema) }
        warnings = reading.warnings
        scored = reading.scored
        digest = reading.digest
        customKeys = reading.customKeys
        booleans = reading.booleans
        readsClock = reading.readsClock
        var shards = shards
        if let cursor {
            guard cursor.query == digest else {
                throw .cursor(.foreign("query, filters, order or indexes differ"))
            }
            shards = try cursor.placed(shards)
            page = PagePosition(key: cursor.key, isBackwards: search.backwards)
        }
        search.afterBytes = []
        search.backwards = false
        self.search = search
        for place in shards.indices {
            if shards[place].isReplicated { isReplicated = true }
            if !shards[place].doubt.isEmpty { hasDoubts = true }
        }
        (parts, unreachable) = Self.parts(of: shards)
    }

    /// What is odd about the query, and about the clock that its answer goes by.
    func warnings(on shards: [WireShardReport]) -> [QueryWarning] {
        guard
            let odd = clockDoubt?.warning(
                at: search.context.now, readsClock: readsClock, shards)
        else { return warnings }
        return warnings + [odd]
    }

    /// Reads the texts of a stamped search.
    private static func read(
        _ search: WireSearch, _ schema: AttributeSchema
    ) throws(PlanRefusal) -> QueryReading {
        var warnings: [QueryWarning] = []
        var expressions: [Expression] = []
        let scored = try understand(
            search, schema: schema, warnings: &warnings, expressions: &expressions)
        try checkNames(of: search, schema, &warnings)
        let booleans = booleans(of: search, schema, &warnings)
        return QueryReading(
            warnings: warnings, scored: scored,
            digest: QueryDigest(search, expressions: expressions, schema: schema).value,
            customKeys: keys(of: search, in: schema), booleans: booleans,
            readsClock: expressions.contains(where: \.readsClock))
    }

    /// What was read, for later queries of the same texts.
    var reading: QueryReading {
        QueryReading(
            warnings: warnings, scored: scored, digest: digest, customKeys: customKeys,
            booleans: booleans, readsClock: readsClock)
    }

    /// Keys that `*` covers, and those whose name occurs anywhere in the request.
    private static func keys(
        of search: WireSearch, in schema: AttributeSchema
    ) -> [CustomAttributeKey] {
        let texts =
            [search.query] + search.filters + search.sort.map(\.attribute)
            + search.facets.map(\.attribute) + search.attributes
        return schema.sortedCustomKeys.filter { key in
            key.isSearchableByDefault || texts.contains { $0.contains(key.name) }
        }
    }

    private static func checkOptions(_ search: WireSearch) throws(PlanRefusal) {
        if search.hasLimit, search.limit == 0 {
            throw .badOption("limit is 0; leave it out for all hits, or use a count")
        }
        if case .UNRECOGNIZED(let number) = search.delivery {
            throw .badOption("delivery is \(number); use 1 found, 2 settled or 3 final")
        }
        try checkCredit(of: search)
        guard !search.hasContext || search.context.now.isFinite else {
            throw .badOption("now is \(search.context.now); use seconds since 2001, or 0")
        }
        guard search.context.firstWeekday <= 7 else {
            throw .badOption(
                "first weekday is \(search.context.firstWeekday); use 1 Monday to 7 Sunday")
        }
        guard search.coverage >= 0, search.coverage <= 1 else {
            throw .badOption("coverage is \(search.coverage); use a fraction from 0 to 1")
        }
        guard search.slot.utf8.count <= Limits.slotBytes else {
            throw .badOption(
                "a slot of \(search.slot.utf8.count) bytes; the limit is \(Limits.slotBytes)")
        }
        try check(search.filters.count, "filters", atMost: Limits.filters)
        try check(
            search.attributes.count, "attributes to fetch", atMost: Limits.fetchedAttributes)
        try check(search.sort.count, "sort keys", atMost: Limits.sortKeys)
        try check(search.identifiers.count, "identifiers", atMost: Limits.fetchedIdentifiers)
        try check(search.facets.count, "facets", atMost: Limits.facets)
    }

    private static func check(
        _ count: Int, _ name: StaticString, atMost limit: Int
    ) throws(PlanRefusal) {
        guard count <= limit else {
            throw .badOption("\(count) \(name); the limit is \(limit)")
        }
    }

    private static func checkCredit(of search: WireSearch) throws(PlanRefusal) {
        guard search.creditItems <= UInt64(Limits.creditItems) else {
            throw .badOption(
                "credit for \(search.creditItems) hits; the limit is \(Limits.creditItems)")
        }
        guard !search.countOnly else { return }
        if search.creditItems == 0 { throw .badOption("credit is 0 items; grant at least 1") }
        if search.creditBytes == 0 {
            throw .badOption("credit is 0 bytes; grant those of a batch, at least 1")
        }
    }

    /// Parses query and filters; tells which comparisons score when the order is by relevance.
    private static func understand(
        _ search: WireSearch, schema: AttributeSchema, warnings: inout [QueryWarning],
        expressions: inout [Expression]
    ) throws(PlanRefusal) -> [ResolvedComparison] {
        guard search.identifiers.isEmpty else { return [] }
        var options = ParseOptions(schema: schema)
        options.strict = search.strict
        do {
            let context = search.queryContext
            let parsed = try QueryParser.parse(search.query, options: options)
            warnings += parsed.warnings
            expressions.append(parsed.expression)
            let resolved = try parsed.expression.resolved(in: context)
            for filter in search.filters {
                let parsed = try QueryParser.parse(filter, options: options)
                warnings += parsed.warnings
                expressions.append(parsed.expression)
                _ = try parsed.expression.resolved(in: context)
            }
            return search.isSortedByRelevance && !search.countOnly
                ? resolved.scoredComparisons : []
        } catch {
            throw .invalidQuery(error)
        }
    }

    private static func parts(
        of shards: [SearchableShard]
    ) -> ([(worker: WorkerID, targets: [SearchableShard])], [SearchableShard]) {
        // One worker for all of them is nothing to sort.
        if let worker = shards.first?.worker, shards.allSatisfy({ $0.worker == worker }) {
            return ([(worker, shards)], [])
        }
        var byWorker: [WorkerID: [SearchableShard]] = [:]
        var unreachable: [SearchableShard] = []
        for shard in shards {
            if let worker = shard.worker {
                byWorker[worker, default: []].append(shard)
            } else {
                unreachable.append(shard)
            }
        }
        let parts = byWorker.sorted { $0.key < $1.key }.map { (worker: $0.key, targets: $0.value) }
        return (parts, unreachable)
    }
}

/// Why a query was refused before it ran.
package enum PlanRefusal: Error, CustomStringConvertible, Sendable {
    case invalidQuery(QueryError)
    case badOption(String)
    case cursor(CursorRefusal)

    package var description: String {
        switch self {
        case .invalidQuery(let error): error.description
        case .badOption(let text): text
        case .cursor(let refusal): refusal.description
        }
    }
}
