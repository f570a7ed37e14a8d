import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import ZeroMQ

/// One search thread: matches, counts and encodes hit batches for the tasks given to it.
final class SearchHandler: LoopHandler {
    /// What the worker's loop asks for; `queuedAt` is the monotonic clock in nanoseconds.
    enum Mail: Sendable {
        case match(TaskID, WireSubquery, SearchControl, queuedAt: Int64)
        case count(TaskID, WireSubquery, SearchControl)
        case produce(TaskID, maximumItems: Int, maximumBytes: Int)
        case forget(TaskID)
    }

    private let table: ReplicaTable
    private let environment: Environment
    /// Tasks whose hits are held.
    var heldTasks: Int { streams.count + rests.count }
    /// What is known of filters, shared with the other search threads.
    private let filters: FilterCache
    let report: @Sendable (WorkerEvent) -> Void
    var streams: [TaskID: HitStream] = [:]
    /// Values of facets that are asked for in a second round.
    private var rests: [TaskID: FacetRestStream] = [:]
    private var plans = PlanCache()
    private let counts: CountedSearches
    /// Hits of one search that are kept in order.
    private let windowHits: Int
    /// The most hits in the batch that comes with matching.
    private let firstItems: UInt64

    init(
        table: ReplicaTable, environment: Environment,
        counts: CountedSearches = CountedSearches(), filters: FilterCache = FilterCache(),
        windowHits: Int = Limits.searchWindowHits, firstItems: UInt64 = UInt64(Int32.max),
        report: @escaping @Sendable (WorkerEvent) -> Void
    ) {
        self.table = table
        self.environment = environment
        self.filters = filters
        self.report = report
        self.counts = counts
        self.windowHits = windowHits
        self.firstItems = firstItems
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: Mail) { YieldBackoff.shared.whileAwaited { carryOut(mail) } }

    private func carryOut(_ mail: Mail) {
        switch mail {
        case .match(let id, let subquery, let control, let queuedAt):
            match(id, subquery, control, queuedAt)
        case .count(let id, let subquery, let control):
            count(id, subquery, control)
        case .produce(let id, let items, let bytes):
            produce(id, items, bytes)
        case .forget(let id):
            streams[id] = nil
            rests[id] = nil
        }
    }

    func finishTurn() -> Duration? {
        counts.dropExpired(
            at: Instant(nanoseconds: environment.time.monotonicNanoseconds()))
    }

    func stop() {}

    private func match(
        _ id: TaskID, _ subquery: WireSubquery, _ control: SearchControl, _ queuedAt: Int64
    ) {
        guard !subquery.hasChanges else { return compare(id, subquery, control) }
        let waited = max(0, environment.time.monotonicNanoseconds() - queuedAt)
        guard subquery.rest.isEmpty else { return countAgain(id, subquery, control, waited) }
        let counted = counts.take(subquery, at: control.now)
        let targets = counted?.targets ?? targets(of: subquery)
        // Statistics of an earlier query are true only of the very state they were counted over.
        guard subquery.statistics.isTrue(of: targets) else {
            return count(id, subquery, control)
        }
        do {
            let plan = try plan(of: subquery, for: targets)
            let own =
                subquery.ownStatistics
                ? try ShardStatistics.matches(of: plan, in: targets, control: control) : nil
            var search = ShardSearch(
                plan,
                counts: own?.counts
                    ?? (subquery.hasStatistics ? MatchCounts(subquery.statistics) : nil),
                control: control, queuedMicroseconds: UInt64(waited) / 1000,
                counted: own ?? counted, cache: filters)
            search.windowHits = windowHits
            var matched = search.run(targets)
            let reports = matched.reports + unopened(subquery, besides: targets)
            var outcome = MatchOutcome(
                reports: reports,
                available: plan.isCountOnly ? 0 : UInt64(matched.hits.remaining),
                beyond: matched.beyond, facets: matched.facets,
                knownFilters: matched.knownFilters,
                failure: matched.isExpired ? Self.expired(reports) : nil,
                statistics: own?.statistics)
            outcome.first = try first(of: &matched.hits, for: subquery.search, outcome)
            if outcome.holdsHits { streams[id] = matched.hits }
            report(.matched(id, outcome))
        } catch let stop as SearchStop {
            report(Self.event(of: stop, id))
        } catch {
            report(.searchFailed(id, reason: "\(error)"))
        }
    }

    /// What is told of a search that ended while it counted.
    private static func event(of stop: SearchStop, _ id: TaskID) -> WorkerEvent {
        switch stop {
        case .deadline: .searchLate(id)
        case .cancelled: .searchFailed(id, reason: "the broker cancelled it")
        }
    }

    /// The second round of facets: matches again, and keeps the values that were left out.
    private func countAgain(
        _ id: TaskID, _ subquery: WireSubquery, _ control: SearchControl, _ waited: Int64
    ) {
        let targets = targets(of: subquery)
        var asked = subquery
        asked.search.countOnly = true
        do throws(QueryError) {
            let search = ShardSearch(
                try plan(of: asked, for: targets), counts: nil, control: control,
                queuedMicroseconds: UInt64(waited) / 1000, cache: filters)
            let matched = search.run(targets, rest: subquery.rest)
            let outcome = MatchOutcome(
                reports: matched.reports + unopened(subquery, besides: targets),
                available: UInt64(matched.values.remaining), facets: matched.facets,
                knownFilters: matched.knownFilters)
            if outcome.holdsHits { rests[id] = matched.values }
            report(.matched(id, outcome))
        } catch {
            report(.searchFailed(id, reason: error.description))
        }
    }

    /// The batch that the search's own credit covers, so that nobody need ask for it.
    private func first(
        of hits: inout HitStream, for search: WireSearch, _ outcome: MatchOutcome
    ) throws(WireError) -> ProducedBatch? {
        let items = min(search.creditItems, firstItems)
        guard outcome.holdsHits, items > 0,
            search.creditBytes >= Limits.hitBatchBytes
        else { return nil }
        return try batch(of: &hits, Int(items), Limits.hitBatchTargetBytes)
    }

    private func count(_ id: TaskID, _ subquery: WireSubquery, _ control: SearchControl) {
        let targets = targets(of: subquery)
        let plan: SearchPlan
        do throws(QueryError) {
            plan = try self.plan(of: subquery, for: targets)
        } catch {
            return report(.searchFailed(id, reason: error.description))
        }
        do throws(SearchStop) {
            let counted = try ShardStatistics.matches(of: plan, in: targets, control: control)
            counts.keep(counted, for: subquery, until: control.deadline, at: control.now)
            report(.counted(id, counted.statistics))
        } catch {
            report(Self.event(of: error, id))
        }
    }

    func plan(
        of subquery: WireSubquery, for targets: [SearchTarget]
    ) throws(QueryError) -> SearchPlan {
        var plan = try plans.plan(of: subquery, for: targets) { () throws(QueryError) in
            try newPlan(of: subquery, for: targets)
        }
        plan.page = subquery.page
        return plan
    }

    private func newPlan(
        of subquery: WireSubquery, for targets: [SearchTarget]
    ) throws(QueryError) -> SearchPlan {
        var schema = AttributeSchema()
        for key in subquery.customKeys {
            // The broker's view comes first, so that every worker reads the query alike.
            do { try schema.declare(CustomAttributeKey(key)) } catch { continue }
        }
        for target in targets {
            for key in target.snapshot.schema.sortedCustomKeys
            where schema.customKeys[key.name] == nil {
                // Keys of one index agree; of two indexes the first declaration counts.
                do { try schema.declare(key) } catch { continue }
            }
        }
        // Segments know the very schema of their replica by its address.
        let own = targets.first { $0.snapshot.schema == schema }?.snapshot.schema
        return try SearchPlan(search: subquery.search, schema: own ?? schema)
    }

    private static func expired(_ reports: [WireShardReport]) -> WireFailure {
        let message = reports.first { $0.status == .failed }?.message ?? "its versions are gone"
        return WireFailure(.cursorExpired, CursorRefusal.expired(message).description)
    }

    private func produce(_ id: TaskID, _ items: Int, _ bytes: Int) {
        if var values = rests.removeValue(forKey: id) {
            let before = environment.time.monotonicNanoseconds()
            let batch = values.nextBatch(maximumItems: items, maximumBytes: bytes)
            if !batch.isLast { rests[id] = values }
            return report(.produced(id, produced(batch, since: before)))
        }
        guard var stream = streams.removeValue(forKey: id) else { return }
        do throws(WireError) {
            let batch = try batch(of: &stream, items, bytes)
            if !batch.isLast { streams[id] = stream }
            report(.produced(id, batch))
        } catch {
            report(.searchFailed(id, reason: "\(error)"))
        }
    }

    private func batch(
        of hits: inout HitStream, _ items: Int, _ bytes: Int
    ) throws(WireError) -> ProducedBatch {
        let before = environment.time.monotonicNanoseconds()
        let batch = try hits.nextBatch(maximumItems: items, maximumBytes: bytes)
        return produced(batch, since: before)
    }

    private func produced(_ batch: HitStream.Batch, since before: Int64) -> ProducedBatch {
        let took = environment.time.monotonicNanoseconds() - before
        return ProducedBatch(
            payload: batch.payload, items: batch.items, isLast: batch.isLast,
            fetchMicroseconds: UInt64(max(0, took)) / 1000, bound: batch.bound)
    }

    /// The shards of a sub-query that are open here, each as it is now.
    func targets(of subquery: WireSubquery) -> [SearchTarget] {
        subquery.targets.compactMap { target in
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            return table[key].map {
                SearchTarget(
                    index: target.index, shard: key.shard, snapshot: $0.snapshot,
                    sequence: SequenceNumber(target.snapshot))
            }
        }
    }

    /// A report for each shard that the broker believes to be here and was not, when it was looked
    /// for.
    ///
    /// Not looked for again: a replica may close or open while others are searched, and each shard
    /// is to be reported once.
    func unopened(
        _ subquery: WireSubquery, besides targets: [SearchTarget]
    ) -> [WireShardReport] {
        subquery.targets.compactMap { target in
            let isSearched = targets.contains {
                $0.index == target.index && $0.shard.number == target.shard
            }
            guard !isSearched else { return nil }
            var report = WireShardReport()
            report.index = target.index
            report.shard = target.shard
            report.status = .failed
            report.message = "the shard is not open on this worker"
            return report
        }
    }
}
