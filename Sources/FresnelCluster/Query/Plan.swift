package import FresnelModel
package import FresnelQuery
package import FresnelWire

/// What the broker knows about one shard when a query arrives.
package struct SearchableShard: Hashable, Sendable {
    package var index: String
    package var shard: ShardID
    /// The live worker that holds the shard whole; nil when there is none.
    package var worker: WorkerID?
    /// The newest sequence number that was acknowledged.
    package var snapshot: SequenceNumber
    /// Live documents, as last reported.
    package var documents: UInt64

    package init(
        index: String, shard: ShardID, worker: WorkerID?, snapshot: SequenceNumber,
        documents: UInt64
    ) {
        self.index = index
        self.shard = shard
        self.worker = worker
        self.snapshot = snapshot
        self.documents = documents
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
    /// Whether scores are needed, and so global term statistics.
    package var isScored: Bool
    package var warnings: [QueryWarning]
    /// The custom keys that the query may mean: workers take them as the broker does.
    package var customKeys: [CustomAttributeKey]

    /// Whether hits are merged into one order.
    package var isOrdered: Bool { search.delivery != .found }
    /// The most hits to deliver; nil is all of them.
    package var limit: UInt64? { search.hasLimit ? search.limit : nil }
    /// Size of the searched set, as last reported.
    package var owned: UInt64 {
        (parts.flatMap(\.targets) + unreachable).map(\.documents).saturatingSum
    }

    /// Understands a query.
    ///
    /// - Throws: -2002 with position for an invalid query or filter, 4xx for bad options.
    package init(
        _ search: WireSearch, shards: [SearchableShard], schema: AttributeSchema, at moment: Moment
    ) throws(PlanRefusal) {
        var search = search
        try Self.checkOptions(search)
        search.stamp(at: moment)
        warnings = []
        isScored = try Self.understand(search, schema: schema, warnings: &warnings)
        self.search = search
        customKeys = Self.keys(of: search, in: schema)
        (parts, unreachable) = Self.parts(of: shards)
    }

    /// Keys that `*` covers, and those whose name occurs anywhere in the request.
    private static func keys(
        of search: WireSearch, in schema: AttributeSchema
    ) -> [CustomAttributeKey] {
        let texts = [search.query] + search.filters + search.sort.map(\.attribute)
        return schema.sortedCustomKeys.filter { key in
            key.isSearchableByDefault || texts.contains { $0.contains(key.name) }
        }
    }

    private static func checkOptions(_ search: WireSearch) throws(PlanRefusal) {
        if search.hasLimit, search.limit == 0 {
            throw .badOption("limit is 0; leave it out for all hits, or use a count")
        }
        if !search.countOnly, search.creditItems == 0 {
            throw .badOption("credit is 0 items; grant at least 1")
        }
        guard search.coverage >= 0, search.coverage <= 1 else {
            throw .badOption("coverage is \(search.coverage); use a fraction from 0 to 1")
        }
        guard search.slot.utf8.count <= Limits.slotBytes else {
            throw .badOption(
                "a slot of \(search.slot.utf8.count) bytes; the limit is \(Limits.slotBytes)")
        }
        for (count, limit, name) in [
            (search.filters.count, Limits.filters, "filters"),
            (search.attributes.count, Limits.fetchedAttributes, "attributes to fetch"),
            (search.sort.count, Limits.sortKeys, "sort keys"),
            (search.identifiers.count, Limits.fetchedIdentifiers, "identifiers"),
        ] where count > limit {
            throw .badOption("\(count) \(name); the limit is \(limit)")
        }
    }

    /// Parses query and filters; true when the order is by relevance and something scores.
    private static func understand(
        _ search: WireSearch, schema: AttributeSchema, warnings: inout [QueryWarning]
    ) throws(PlanRefusal) -> Bool {
        guard search.identifiers.isEmpty else { return false }
        var options = ParseOptions(schema: schema)
        options.strict = search.strict
        do {
            let context = search.queryContext
            let parsed = try QueryParser.parse(search.query, options: options)
            warnings += parsed.warnings
            let resolved = try parsed.expression.resolved(in: context)
            for filter in search.filters {
                let parsed = try QueryParser.parse(filter, options: options)
                warnings += parsed.warnings
                _ = try parsed.expression.resolved(in: context)
            }
            return search.isSortedByRelevance && !search.countOnly
                && !resolved.scoredComparisons.isEmpty
        } catch {
            throw .invalidQuery(error)
        }
    }

    private static func parts(
        of shards: [SearchableShard]
    ) -> ([(worker: WorkerID, targets: [SearchableShard])], [SearchableShard]) {
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

    package var description: String {
        switch self {
        case .invalidQuery(let error): error.description
        case .badOption(let text): text
        }
    }
}
