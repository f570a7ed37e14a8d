import FresnelModel
import FresnelWire
import Testing

@Suite("Facets of several workers")
struct PropertyFacetRoundTests {
    private static let attributes = [
        "keywords", "title", "rating", "contentCreationDate", "nosuch",
    ]

    @Test(
        "are those of the plainest code, exact in two rounds at most, however little a list holds",
        arguments: 0..<10)
    func exact(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        let schema = AttributeSchema()
        let documents = (0..<150).map { Self.document($0, &chance) }
        var rounds: [UInt32: Int] = [:]
        for count in [1, 2, 3, 5, 8] {
            let shards = try MatchingCorpus.shards(of: documents, count: count, schema: schema)
            for _ in 0..<3 {
                let search = Self.search(&chance)
                let bytes = chance.pick([40, 120, 400, 1500])
                let workers = 1 + chance.below(count)
                let comment: Comment = """
                    seed \(seed), \(count) shards on \(workers) workers, \(bytes) bytes, \
                    \(search.query), \(search.facets.map(\.limit))
                    """
                var cluster = try FacetCluster(
                    search, over: shards, workers: workers, facetBytes: bytes)
                try cluster.run()
                let done = try #require(cluster.done, comment)
                #expect(done.complete && cluster.faults == 0, comment)
                let found = try shards.flatMap { try PropertyFacetTests.found(search, in: $0) }
                #expect(done.found == UInt64(found.count), comment)
                let limit = search.hasLimit ? min(Int(search.limit), found.count) : found.count
                #expect(cluster.delivered == (search.countOnly ? 0 : limit), comment)
                for facet in done.facets { rounds[facet.rounds, default: 0] += 1 }
                Self.check(done, search, found, comment)
            }
        }
        #expect(rounds[1] ?? 0 > 0 && rounds[2] ?? 0 > 0 && rounds.count == 2, "seed \(seed)")
    }

    @Test("A million values or six: of one worker the first are exact in one round")
    func alone() throws {
        let schema = AttributeSchema()
        let documents = (0..<60).map { number in
            Document(
                uniqueIdentifier: "d\(number)",
                attributes: ["keywords": .strings(["value \(number)"]), "rating": .number(1)])
        }
        let shards = try MatchingCorpus.shards(of: documents, count: 1, schema: schema)
        var search = MatchingCorpus.search("rating == 1")
        search.facets = [Self.facet("keywords", limit: 3)]
        var cluster = try FacetCluster(search, over: shards, workers: 1, facetBytes: 200)
        try cluster.run()
        let done = try #require(cluster.done)
        #expect(done.facets[0].rounds == 1 && done.facets[0].bound == 0)
        #expect(done.facets[0].values.map(\.text) == ["value 0", "value 1", "value 10"])
    }

    private static func check(
        _ done: WireDone, _ search: WireSearch, _ found: [Document], _ comment: Comment
    ) {
        #expect(done.facets.map(\.attribute) == search.facets.map(\.attribute), comment)
        for (request, facet) in zip(search.facets, done.facets) {
            let expected = FacetOracle.counts(of: request.attribute, in: found)
            let limit = request.limit == 0 ? 10 : Int(request.limit)
            #expect(facet.bound == 0, comment)
            #expect(facet.values.map(\.count) == Array(expected.counts.prefix(limit)), comment)
            #expect(
                facet.values.map { FacetOracle.Value($0) } == Array(expected.values.prefix(limit)),
                comment)
            #expect(facet.documents == expected.documents && facet.missing == expected.missing)
            guard facet.hasDistinct else { continue }
            #expect(facet.distinct == UInt64(expected.values.count), comment)
        }
    }

    private static func search(_ chance: inout MatchingChance) -> WireSearch {
        var search = MatchingCorpus.search(
            chance.chance(0.3) ? "title == \"*t*\"c" : "rating >= \(chance.below(4))")
        search.countOnly = chance.chance(0.4)
        if chance.chance(0.5) { search.limit = UInt64(1 + chance.below(9)) }
        search.facets = attributes.filter { _ in chance.chance(0.7) }.map {
            facet($0, limit: UInt32(chance.pick([0, 1, 2, 5, 30, 1000])))
        }
        if search.facets.isEmpty { search.facets = [facet("keywords", limit: 3)] }
        return search
    }

    private static func facet(_ attribute: String, limit: UInt32) -> WireFacetRequest {
        var facet = WireFacetRequest()
        facet.attribute = attribute
        facet.limit = limit
        return facet
    }

    /// Flat values and skewed ones, of every kind.
    private static func document(_ number: Int, _ chance: inout MatchingChance) -> Document {
        var document = Document(uniqueIdentifier: "d\(number)")
        var keywords = ["own \(number)"]
        // A few are frequent, most are not, and case tells some of them apart.
        for _ in 0..<chance.below(5) {
            let rank = min(chance.below(60), chance.below(60), chance.below(60))
            keywords.append(chance.chance(0.2) ? "COMMON \(rank)" : "common \(rank)")
        }
        document.attributes["keywords"] = .strings(keywords)
        document.attributes["title"] = .string(chance.text(3))
        if chance.chance(0.9) {
            document.attributes["rating"] = .number(Double(chance.below(25)) - 3)
        }
        if chance.chance(0.6) { document.attributes["contentCreationDate"] = .date(chance.date()) }
        return document
    }
}
