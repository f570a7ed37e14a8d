import BenchmarkWorkload
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

/// Answers queries as a worker's search thread does, both phases, without sockets.
struct QueryRunner {
    let targets: [SearchTarget]
    let schema: AttributeSchema

    /// What came out, as far as it is compared.
    struct Answer {
        var found: UInt64 = 0
        var hits = 0
        var bytes = 0
        var bodies: [[UInt8]] = []
    }

    /// The request of a query: what its class asks for.
    static func search(_ query: WorkloadQuery) -> WireSearch {
        var search = WireSearch()
        search.query = query.text
        search.context.now = 800_000_000
        search.context.timeZone = "UTC"
        search.context.firstWeekday = 1
        search.delivery = .settled
        if let limit = query.limit { search.limit = UInt64(limit) }
        switch query.name {
        case "Q5", "Q6", "Q8", "Q11":
            // Any hits, without score: an order that asks for none, delivered as found.
            search.delivery = .found
            search.sort = [key(descending: false)]
            search.frontCoded = true
        case "Q9":
            search.sort = [key(descending: query.isDescending ?? true)]
        case "Q10", "Q12":
            search.countOnly = true
        default: break
        }
        return search
    }

    private static func key(descending: Bool) -> WireSortKey {
        var key = WireSortKey()
        key.attribute = Catalogue.number
        key.descending = descending
        return key
    }

    /// Whether an answer to a class may leave its count open: any hits are wanted.
    static func mayLeaveCount(_ name: String) -> Bool { ["Q5", "Q6", "Q8"].contains(name) }

    /// How many documents match, without any hit made of them: what a collector of document numbers
    /// does.
    func collect(_ search: WireSearch) throws -> Int {
        let plan = try SearchPlan(search: search, schema: schema)
        let control = SearchControl(
            deadline: Instant(nanoseconds: .max), time: SystemTime())
        guard case .matches(let expression) = plan.goal else { return 0 }
        var count = 0
        for target in targets {
            let visible = target.snapshot.visible(at: target.sequence, now: plan.now)
            for (published, documents) in zip(target.snapshot.segments, visible) {
                var matcher = SegmentMatcher(
                    plan.comparisons, in: published.view, control: control)
                count += try matcher.matches(expression, in: documents).documents.count
            }
        }
        return count
    }

    /// Plans, counts where scores need it, searches, and takes all hits that are wanted.
    ///
    /// - Parameter keepsBodies: whether the hits are kept to be looked at.
    func answer(
        _ search: WireSearch, keepsBodies: Bool = false, countsAll: Bool = true
    ) throws -> Answer {
        var plan = try SearchPlan(search: search, schema: schema)
        plan.countsAll = countsAll
        let control = SearchControl(
            deadline: Instant(nanoseconds: .max), time: SystemTime())
        var counted: CountedMatches?
        if plan.isScored {
            counted = try ShardStatistics.matches(of: plan, in: targets, control: control)
        }
        var matched = ShardSearch(
            plan, counts: counted?.counts, control: control, counted: counted
        ).run(targets)
        var answer = Answer()
        for shard in matched.shards { answer.found += shard.found }
        guard !plan.isCountOnly else { return answer }
        var isLast = matched.hits.remaining == 0
        while !isLast {
            let batch = try matched.hits.nextBatch(maximumItems: 1000, maximumBytes: 256 << 10)
            answer.hits += batch.items
            answer.bytes += batch.payload.count
            isLast = batch.isLast
            guard keepsBodies else { continue }
            let reader = try HitBatch(batch.payload, mayBeFrontCoded: true).whole
            for place in 0..<reader.count { answer.bodies.append(Array(reader.body(place))) }
        }
        return answer
    }
}
