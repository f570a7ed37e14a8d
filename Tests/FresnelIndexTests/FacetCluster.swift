import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

@testable import FresnelCluster

/// A broker's query and its workers' tasks and searches, without anything between them.
struct FacetCluster {
    private struct Worker {
        var tasks = TaskTable()
        var subqueries: [TaskID: WireSubquery] = [:]
        var hits: [TaskID: HitStream] = [:]
        var values: [TaskID: FacetRestStream] = [:]
    }

    private static let moment = Moment(
        instant: Instant(nanoseconds: 1_000_000), wall: Timestamp(wholeSeconds: 864_000))
    private let shards: [MatchingCorpus]
    private let schema: AttributeSchema
    /// Bytes of the facets in one list.
    private let facetBytes: Int
    private var workers: [WorkerID: Worker] = [:]
    private var stream: QueryStream
    private var inbox: [QueryStream.Action] = []
    private(set) var done: WireDone?
    /// Hits that came.
    private(set) var delivered = 0

    /// Asks; the shards are dealt out to so many workers.
    init(
        _ search: WireSearch, over shards: [MatchingCorpus], workers count: Int, facetBytes: Int
    ) throws {
        self.shards = shards
        self.facetBytes = facetBytes
        schema = shards[0].schema
        var search = search
        search.creditItems = 10_000
        search.creditBytes = 1 << 30
        search.coverage = 1
        let known = shards.enumerated().map { number, corpus in
            SearchableShard(
                index: "default", shard: ShardID(UInt32(number)),
                worker: WorkerID("worker\(number % count)"), snapshot: corpus.snapshot.sequence,
                documents: UInt64(corpus.documents.count))
        }
        let plan = try QueryPlan(search, shards: known, schema: schema, at: Self.moment)
        stream = QueryStream(
            plan, request: Envelope(id: RequestID(high: 1, low: 1)),
            workerID: RequestID(high: 0, low: 1), at: Self.moment.instant,
            deadline: Self.moment.instant + .seconds(10))
        inbox = stream.begin(at: Self.moment.instant)
    }

    /// Lets everybody act until nobody has anything to say.
    mutating func run() throws {
        while !inbox.isEmpty {
            switch inbox.removeFirst() {
            case .toWorker(let worker, let message): try receive(message, worker)
            case .toClient(let message):
                switch message.command {
                case .done(let done): self.done = done
                case .found(let found): delivered += Int(found.items)
                default: break
                }
            }
        }
    }

    /// Promises that a worker broke; honest ones break none.
    var faults: UInt64 { stream.faultCount }

    private mutating func receive(_ message: Message, _ name: WorkerID) throws {
        let envelope = message.envelope
        switch message.command {
        case .statistics(let subquery):
            let targets = targets(of: subquery)
            let matches = try ShardStatistics.matches(
                of: SearchPlan(search: subquery.search, schema: schema), in: targets,
                control: SearchControl(time: ManualTime()))
            answer(.statisticsReply(matches.statistics), envelope)
        case .subquery(let subquery):
            let now = Self.moment.instant
            guard
                let id = workers[name, default: Worker()].tasks.start(
                    .matching, subquery, envelope, at: now, until: now + .seconds(5))
            else { return }
            workers[name]?.subqueries[id] = subquery
            let outcome = try match(id, subquery, name)
            let actions = workers[name]?.tasks.matched(id, outcome, at: now) ?? []
            try perform(actions, name)
        case .credit(let credit):
            let actions =
                workers[name]?.tasks.credit(credit, id: envelope.id, part: envelope.part) ?? []
            try perform(actions, name)
        default: break
        }
    }

    private mutating func match(
        _ id: TaskID, _ subquery: WireSubquery, _ name: WorkerID
    ) throws -> MatchOutcome {
        var asked = subquery.search
        if !subquery.rest.isEmpty { asked.countOnly = true }
        let targets = targets(of: subquery)
        let plan = try SearchPlan(search: asked, schema: schema)
        let control = SearchControl(time: ManualTime())
        let own =
            subquery.ownStatistics
            ? try ShardStatistics.matches(of: plan, in: targets, control: control).statistics : nil
        var search = ShardSearch(
            plan,
            counts: (own ?? (subquery.hasStatistics ? subquery.statistics : nil)).map {
                MatchCounts($0)
            },
            control: control)
        search.facetBytes = facetBytes
        guard subquery.rest.isEmpty else {
            let matched = search.run(targets, rest: subquery.rest)
            workers[name]?.values[id] = matched.values
            return MatchOutcome(
                reports: matched.reports, available: UInt64(matched.values.remaining),
                facets: matched.facets)
        }
        let matched = search.run(targets)
        workers[name]?.hits[id] = matched.hits
        return MatchOutcome(
            reports: matched.reports, available: UInt64(matched.hits.remaining),
            facets: matched.facets, statistics: own)
    }

    private func targets(of subquery: WireSubquery) -> [SearchTarget] {
        subquery.targets.map { target in
            SearchTarget(
                index: target.index, shard: ShardID(target.shard),
                snapshot: shards[Int(target.shard)].snapshot,
                sequence: SequenceNumber(target.snapshot))
        }
    }

    private mutating func perform(_ actions: [TaskTable.Action], _ name: WorkerID) throws {
        for action in actions {
            switch action {
            case .send(let command, let envelope, let payload):
                answer(command, envelope, payload)
            case .produce(let id, let items, let bytes):
                // Small batches, so that values of several workers meet in many ways.
                let batch = try produce(id, min(items, 7), bytes, name)
                let produced = ProducedBatch(
                    payload: batch.payload, items: batch.items, isLast: batch.isLast,
                    fetchMicroseconds: 1, bound: batch.bound)
                let actions =
                    workers[name]?.tasks.produced(id, produced, at: Self.moment.instant) ?? []
                try perform(actions, name)
            case .forget(let id, _):
                workers[name]?.hits[id] = nil
                workers[name]?.values[id] = nil
            case .narrow, .cancel: break
            }
        }
    }

    private mutating func produce(
        _ id: TaskID, _ items: Int, _ bytes: Int, _ name: WorkerID
    ) throws -> HitStream.Batch {
        if let batch = workers[name]?.values[id]?.nextBatch(
            maximumItems: items, maximumBytes: bytes)
        {
            return batch
        }
        var hits = workers[name]?.hits[id]
        guard let batch = try hits?.nextBatch(maximumItems: items, maximumBytes: bytes) else {
            preconditionFailure("task \(id) has nothing to send")
        }
        workers[name]?.hits[id] = hits
        return batch
    }

    private mutating func answer(
        _ command: Command, _ envelope: Envelope, _ payload: [UInt8]? = nil
    ) {
        inbox += stream.receive(
            Message(envelope, command, payload: payload), part: Int(envelope.part),
            at: Self.moment.instant)
    }
}
