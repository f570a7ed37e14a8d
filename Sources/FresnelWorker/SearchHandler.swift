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
    /// What is known of filters, shared with the other search threads.
    private let filters: FilterCache
    let report: @Sendable (WorkerEvent) -> Void
    var streams: [TaskID: HitStream] = [:]
    /// Values of facets that are asked for in a second round.
    private var rests: [TaskID: FacetRestStream] = [:]
    private let counts: CountedSearches
    /// Hits of one search that are kept in order.
    private let windowHits: Int

    init(
        table: ReplicaTable, environment: Environment,
        counts: CountedSearches = CountedSearches(), filters: FilterCache = FilterCache(),
        windowHits: Int = Limits.searchWindowHits,
        report: @escaping @Sendable (WorkerEvent) -> Void
    ) {
        self.table = table
        self.environment = environment
        self.filters = filters
        self.report = report
        self.counts = counts
        self.windowHits = windowHits
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: Mail) {
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
        do throws(QueryError) {
            let plan = try plan(of: subquery, for: targets)
            var search = ShardSearch(
                plan, statistics: subquery.hasStatistics ? subquery.statistics : nil,
                control: control, queuedMicroseconds: UInt64(waited) / 1000, counted: counted,
                cache: filters)
            search.windowHits = windowHits
            let matched = search.run(targets)
            streams[id] = matched.hits
            let reports = matched.reports + unopened(subquery)
            let outcome = MatchOutcome(
                reports: reports, available: UInt64(matched.hits.remaining),
                beyond: matched.beyond, facets: matched.facets,
                knownFilters: matched.knownFilters,
                failure: matched.isExpired ? Self.expired(reports) : nil)
            report(.matched(id, outcome))
        } catch {
            report(.searchFailed(id, reason: error.description))
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
                try plan(of: asked, for: targets), statistics: nil, control: control,
                queuedMicroseconds: UInt64(waited) / 1000, cache: filters)
            let matched = search.run(targets, rest: subquery.rest)
            rests[id] = matched.values
            report(
                .matched(
                    id,
                    MatchOutcome(
                        reports: matched.reports + unopened(subquery),
                        available: UInt64(matched.values.remaining), facets: matched.facets,
                        knownFilters: matched.knownFilters)))
        } catch {
            report(.searchFailed(id, reason: error.description))
        }
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
            switch error {
            case .deadline: report(.searchLate(id))
            case .cancelled: report(.searchFailed(id, reason: "the broker cancelled it"))
            }
        }
    }

    func plan(
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
        var plan = try SearchPlan(search: subquery.search, schema: schema)
        plan.page = subquery.page
        return plan
    }

    private static func expired(_ reports: [WireShardReport]) -> WireFailure {
        let message = reports.first { $0.status == .failed }?.message ?? "its versions are gone"
        return WireFailure(.cursorExpired, CursorRefusal.expired(message).description)
    }

    private func produce(_ id: TaskID, _ items: Int, _ bytes: Int) {
        let before = environment.time.monotonicNanoseconds()
        let next: HitStream.Batch?
        do throws(WireError) {
            next = try nextBatch(of: id, items, bytes)
        } catch {
            return report(.searchFailed(id, reason: "\(error)"))
        }
        guard let batch = next else { return }
        let took = environment.time.monotonicNanoseconds() - before
        report(
            .produced(
                id,
                ProducedBatch(
                    payload: batch.payload, items: batch.items, isLast: batch.isLast,
                    fetchMicroseconds: UInt64(max(0, took)) / 1000, bound: batch.bound)))
    }

    /// The next hits of a task, or values of its facets; nil when it is unknown.
    private func nextBatch(
        of id: TaskID, _ items: Int, _ bytes: Int
    ) throws(WireError) -> HitStream.Batch? {
        if let batch = rests[id]?.nextBatch(maximumItems: items, maximumBytes: bytes) {
            return batch
        }
        guard var stream = streams.removeValue(forKey: id) else { return nil }
        let batch = try stream.nextBatch(maximumItems: items, maximumBytes: bytes)
        streams[id] = stream
        return batch
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

    /// A report for each shard that the broker believes to be here and is not.
    func unopened(_ subquery: WireSubquery) -> [WireShardReport] {
        subquery.targets.compactMap { target in
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            guard table[key] == nil else { return nil }
            var report = WireShardReport()
            report.index = target.index
            report.shard = target.shard
            report.status = .failed
            report.message = "the shard is not open on this worker"
            return report
        }
    }
}
