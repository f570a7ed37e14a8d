import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire

/// Asks all shards for pages of one answer that holds still, as a broker would with one worker a
/// shard.
struct PageReader {
    let search: WireSearch
    let schema: AttributeSchema
    let sequence: SequenceNumber
    private let statistics: WireStatistics

    /// What one page says.
    struct Page {
        var keys: [[UInt8]]
        /// Hits on its side of the cursor.
        var beyond: UInt64
        var found: UInt64
    }

    /// Begins to read the answer as it is now.
    init(_ search: WireSearch, _ history: ReplicaHistory) throws {
        self.search = search
        schema = history.model.schema
        sequence = history.sequence
        let plan = try SearchPlan(search: search, schema: schema)
        statistics = try ShardStatistics.matches(
            of: plan, in: history.targets(at: sequence), control: SearchControl(time: ManualTime())
        ).statistics
    }

    /// The page beside a sort key; nil when a shard says that it has expired.
    func page(
        _ position: PagePosition?, limit: Int?, of history: ReplicaHistory
    ) throws -> Page? {
        var limited = search
        if let limit { limited.limit = UInt64(limit) }
        var plan = try SearchPlan(search: limited, schema: schema)
        plan.page = position
        var page = Page(keys: [], beyond: 0, found: 0)
        for target in history.targets(at: sequence) {
            let found = ShardSearch(
                plan, counts: MatchCounts(statistics), control: SearchControl(time: ManualTime())
            ).run([target])
            if found.isExpired { return nil }
            try checkStatistics(history)
            let keys = try Self.keys(of: found.hits)
            let isAscending = zip(keys, keys.dropFirst()).allSatisfy {
                ByteOrder.compare($0.span, $1.span) < 0
            }
            guard isAscending else { throw PageDisorder() }
            page.keys += keys
            page.beyond += found.beyond
            page.found += found.reports[0].found
        }
        page.keys.sort { ByteOrder.compare($0.span, $1.span) < 0 }
        if let limit {
            page.keys =
                position?.isBackwards == true
                ? page.keys.suffix(limit) : Array(page.keys.prefix(limit))
        }
        return page
    }

    /// The statistics at the sequence number, counted anew: they must not change.
    private func checkStatistics(_ history: ReplicaHistory) throws {
        let plan = try SearchPlan(search: search, schema: schema)
        let again = try ShardStatistics.matches(
            of: plan, in: history.targets(at: sequence), control: SearchControl(time: ManualTime())
        ).statistics
        guard again.documents == statistics.documents,
            again.leafDocuments == statistics.leafDocuments
        else { throw PageDisorder() }
    }

    private static func keys(of hits: HitStream) throws -> [[UInt8]] {
        var hits = hits
        var keys: [[UInt8]] = []
        var isLast = hits.remaining == 0
        while !isLast {
            let batch = try hits.nextBatch(maximumItems: 5, maximumBytes: 1 << 20)
            let reader = try HitBatchReader(batch.payload)
            keys += (0..<reader.count).map { Array(reader.key($0)) }
            isLast = batch.isLast
        }
        return keys
    }
}

/// A page is not in order, or its statistics changed.
struct PageDisorder: Error {}

extension ReplicaHistory {
    /// All shards, to be read at a sequence number.
    func targets(at sequence: SequenceNumber) -> [SearchTarget] {
        zip(settings, replicas).map { settings, replica in
            SearchTarget(
                index: "default", shard: settings.shard, snapshot: replica.snapshot,
                sequence: sequence)
        }
    }
}
