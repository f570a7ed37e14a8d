import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

/// Runs searches with a window of any length, and reads their streams to the end.
struct WindowReader {
    let schema: AttributeSchema
    let targets: [SearchTarget]

    /// Everything a client or a broker could tell apart.
    struct Answer: Equatable {
        var keys: [[UInt8]] = []
        var bodies: [[UInt8]] = []
        var found: UInt64 = 0
        var beyond: UInt64 = 0
        var facets: [WireFacetCounts] = []
    }

    /// What was read, and how.
    struct Reading {
        var answer = Answer()
        var scored: UInt64 = 0
        var skipped: UInt64 = 0
        /// Key and bound of the hits behind each batch.
        var bounds: [(batchEnd: Int, bound: [UInt8])] = []
        /// How many batches were front-coded.
        var frontCoded = 0
        /// The most hits that were kept in order at once.
        var kept = 0
    }

    /// A search with a window, from the first hit to the last.
    ///
    /// - Parameter threshold: the key behind which nothing is wanted, from the beginning.
    func read(
        _ search: WireSearch, window: Int, page: PagePosition? = nil, threshold: [UInt8]? = nil,
        batch: Int = 7
    ) throws -> Reading {
        var plan = try SearchPlan(search: search, schema: schema)
        plan.page = page
        let control = SearchControl(time: ManualTime())
        let counted = try ShardStatistics.matches(of: plan, in: targets, control: control)
        var shards = ShardSearch(plan, counts: MatchCounts(counted.statistics), control: control)
        shards.windowHits = window
        if let threshold { control.narrow(to: threshold) }
        var matched = shards.run(targets)
        var reading = Reading()
        reading.answer.found = matched.reports.reduce(0) { $0 + $1.found }
        reading.answer.beyond = matched.beyond
        reading.answer.facets = matched.facets
        reading.scored = matched.reports.reduce(0) { $0 + $1.scored }
        reading.skipped = matched.reports.reduce(0) { $0 + $1.skipped }
        reading.kept = matched.hits.keptHits
        var isLast = matched.hits.remaining == 0
        while !isLast {
            let taken = try matched.hits.nextBatch(maximumItems: batch, maximumBytes: 1 << 20)
            if FrontCodedHits.isOne(taken.payload) { reading.frontCoded += 1 }
            let reader = try HitBatch(taken.payload, mayBeFrontCoded: true).whole
            for place in 0..<reader.count {
                reading.answer.keys.append(Array(reader.key(place)))
                reading.answer.bodies.append(Array(reader.bytes[reader.bodyRange(place)]))
            }
            reading.bounds.append((reading.answer.keys.count, taken.bound))
            reading.kept = max(reading.kept, matched.hits.keptHits)
            isLast = taken.isLast
        }
        return reading
    }
}

extension WindowReader {
    /// Some shards of some segments, of documents that chance makes.
    static func random(_ chance: inout MatchingChance, documents: Int) throws -> WindowReader {
        let schema = try MatchingChance.schema()
        var targets: [SearchTarget] = []
        for shard in 0..<(1 + chance.below(3)) {
            var corpus = MatchingCorpus(schema: schema)
            for segment in 0..<(1 + chance.below(4)) {
                try corpus.append(
                    (0..<(1 + chance.below(documents))).map {
                        chance.document("d\(shard)-\(segment)-\($0)")
                    })
            }
            corpus.delete(["d0-0-1", "d1-0-2", "d0-1-0"])
            targets.append(corpus.target(shard: UInt32(shard)))
        }
        return WindowReader(schema: schema, targets: targets)
    }

    /// A search with any order, limit, delivery, facets, highlights and explanations.
    static func search(_ chance: inout MatchingChance) -> WireSearch {
        let query =
            chance.chance(0.3) ? "uniqueIdentifier == \"*\"" : "\(chance.expression(depth: 2))"
        var search = MatchingCorpus.search(query)
        search.sort = (0..<chance.below(4)).map { _ in
            var key = WireSortKey()
            key.attribute = chance.pick(
                [
                    "", "", "title", "keywords", "rating", "com_shop_prices", "importantDates",
                    "documentKind", "index",
                ])
            key.descending = key.attribute.isEmpty ? chance.chance(0.8) : chance.chance(0.5)
            return key
        }
        if chance.chance(0.5) { search.limit = UInt64(1 + chance.below(20)) }
        if chance.chance(0.2) { search.delivery = .found }
        search.highlight = chance.chance(0.2)
        search.explain = chance.chance(0.2)
        search.attributes = ["title", "keywords"]
        if chance.chance(0.3) {
            var facet = WireFacetRequest()
            facet.attribute = chance.pick(["keywords", "rating", "authors"])
            search.facets = [facet]
        }
        return search
    }
}
