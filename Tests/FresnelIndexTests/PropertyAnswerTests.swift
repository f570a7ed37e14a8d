import FresnelIndex
import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// Answers of whole clusters against one process that sorts what the reference matcher finds.
@Suite("Every answer is that of one process that sorts everything")
struct PropertyAnswerTests {
    /// The same index in 1, 2, 3, 5 and 8 shards.
    private struct Clusters {
        var histories: [ReplicaHistory]
        let clusters: [AnsweringCluster]

        init(seed: UInt64) throws {
            let counts: [UInt32] = [1, 2, 3, 5, 8]
            histories = try counts.map {
                try ReplicaHistory(
                    shardCount: $0, retention: Retention(seconds: 600, sequences: 0))
            }
            clusters = counts.map { AnsweringCluster(shards: $0, seed: seed) }
        }

        mutating func each(_ body: (inout ReplicaHistory) throws -> Void) rethrows {
            for number in histories.indices { try body(&histories[number]) }
        }

        var now: Timestamp { histories[0].now }

        func oracle(_ search: WireSearch) throws -> OrderOracle {
            let model = histories[0].model
            return try OrderOracle(
                search, model.visible(at: now), schema: model.schema, at: now)
        }

        /// The answer of every cluster.
        func answers(_ search: WireSearch) throws -> [AnsweringCluster.Answer] {
            try zip(clusters, histories).map { try $0.answer(search, $1) }
        }
    }

    @Test(
        "in every order and delivery, for 1, 2, 3, 5 and 8 shards, merged, deleted, opened again",
        arguments: 0..<4)
    func answers(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(500 + round)
        var chance = MatchingChance(seed: seed)
        var clusters = try Clusters(seed: seed)
        let first = (0..<32).map { BatchOperation.index(chance.document("d\($0)")) }
        try clusters.each { try $0.apply(first, "seed \(seed)") }
        var searches = (0..<4).map { _ in search(&chance) }
        for stage in 0..<5 {
            let note = "seed \(seed) stage \(stage)"
            switch stage {
            case 0: break
            case 1, 3:
                let batch = PropertyReplicaTests.batch(&chance, at: clusters.now)
                try clusters.each {
                    $0.wait(seconds: 700)
                    try $0.apply(batch, note)
                }
            case 2: try clusters.each { try $0.merge(PropertyReplicaTests.eager) }
            default: try clusters.each { try $0.reopen() }
            }
            searches.append(search(&chance))
            for search in searches.suffix(4) { try compare(search, clusters, note) }
        }
    }

    @Test("in pages forwards and backwards, while writes go on", arguments: 0..<4)
    func pages(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(600 + round)
        var chance = MatchingChance(seed: seed)
        var clusters = try Clusters(seed: seed)
        let first = (0..<24).map { BatchOperation.index(chance.document("d\($0)")) }
        try clusters.each { try $0.apply(first, "seed \(seed)") }
        for number in 0..<2 {
            var search = search(&chance)
            search.delivery = chance.pick([.settled, .final])
            search.limit = UInt64(1 + chance.below(7))
            let note = "seed \(seed) \(number): \(search.query) by \(search.sort)"
            let whole = try clusters.oracle(search).identifiers
            var pages: [[String]] = []
            var page = try agreed(try clusters.answers(search), note)
            while pages.joined().count <= whole.count {
                pages.append(page.identifiers)
                try disturb(&clusters, &chance, note)
                guard !page.done.nextBytes.isEmpty else { break }
                search.afterBytes = page.done.nextBytes
                page = try agreed(try clusters.answers(search), note)
            }
            #expect(Array(pages.joined()) == whole, "\(note)")
            var back: [[String]] = []
            while !page.done.previousBytes.isEmpty, back.joined().count <= whole.count {
                search.afterBytes = page.done.previousBytes
                search.backwards = true
                page = try agreed(try clusters.answers(search), note)
                back.append(page.identifiers)
                try disturb(&clusters, &chance, note)
            }
            #expect(
                Array(back.reversed().joined()) == Array(pages.dropLast().joined()),
                "\(note), backwards")
        }
    }

    /// Compares one search in every delivery, without and with a limit.
    private func compare(_ search: WireSearch, _ clusters: Clusters, _ note: String) throws {
        let oracle = try clusters.oracle(search)
        let text = "\(note): \(search.query) filtered by \(search.filters), by \(search.sort)"
        let owned = UInt64(clusters.histories[0].model.visible(at: clusters.now).count)
        for delivery in [WireDelivery.found, .settled, .final] {
            var search = search
            search.delivery = delivery
            search.frontCoded = true
            let limits: [Int?] = delivery == .found ? [nil] : [nil, 1 + oracle.places.count / 2]
            for limit in limits {
                if let limit { search.limit = UInt64(limit) }
                let answer = try agreed(
                    try clusters.answers(search), text, isOrdered: delivery != .found)
                let expected = oracle.places.prefix(limit ?? .max)
                let places = expected.map(Place.init)
                let found = answer.places
                #expect(
                    delivery == .found
                        ? found.sorted() == places.sorted() : found == places,
                    "\(text), \(delivery), limit \(limit ?? -1)")
                #expect(answer.done.found == UInt64(oracle.places.count), "\(text)")
                #expect(answer.done.owned == owned && answer.done.searched == owned, "\(text)")
                #expect(answer.done.delivered == UInt64(expected.count), "\(text)")
            }
        }
    }

    /// The answer that all clusters gave, alike to the bit.
    private func agreed(
        _ answers: [AnsweringCluster.Answer], _ note: String, isOrdered: Bool = true
    ) throws -> AnsweringCluster.Answer {
        for answer in answers {
            #expect(answer.done.complete, "\(note): \(answer.done)")
            guard isOrdered else {
                #expect(answer.places.sorted() == answers[0].places.sorted(), "\(note)")
                continue
            }
            var digest = OrderDigest()
            for key in answer.keys { digest.append(key[...]) }
            #expect(answer.done.digest == digest.text, "\(note)")
            #expect(answer.done.digest == answers[0].done.digest, "\(note)")
            #expect(answer.hits == answers[0].hits, "\(note)")
            #expect(answer.done.nextBytes.isEmpty == answers[0].done.nextBytes.isEmpty)
        }
        return answers[0]
    }

    /// Writes, merges or reopens, well within the retention.
    private func disturb(
        _ clusters: inout Clusters, _ chance: inout MatchingChance, _ note: String
    ) throws {
        switch chance.below(4) {
        case 0:
            let batch = PropertyReplicaTests.batch(&chance, at: clusters.now)
            try clusters.each {
                $0.wait(seconds: 1)
                try $0.apply(batch, note)
            }
        case 1: try clusters.each { try $0.merge(PropertyReplicaTests.eager) }
        case 2: try clusters.each { try $0.reopen() }
        default: break
        }
    }

    private func search(_ chance: inout MatchingChance) -> WireSearch {
        var search = WireSearch()
        search.query =
            chance.chance(0.3) ? "uniqueIdentifier == \"*\"" : "\(chance.expression(depth: 2))"
        if chance.chance(0.2) { search.filters = ["\(chance.expression(depth: 0))"] }
        search.sort = (0..<chance.below(4)).map { _ in
            var key = WireSortKey()
            key.attribute = chance.pick([
                "", "title", "keywords", "displayName", "rating", "pageCount", "com_shop_prices",
                "contentCreationDate", "importantDates", "com_shop_code", "domainIdentifier",
                "uniqueIdentifier", "nosuch",
            ])
            key.descending = chance.chance(0.5)
            return key
        }
        return search
    }
}

/// A hit as one process places it.
private struct Place: Comparable {
    let identifier: String
    /// The bits of the score; nil where nothing scores.
    let score: UInt64?

    init(_ place: OrderOracle.Place) {
        identifier = place.document.uniqueIdentifier
        score = place.score?.bitPattern
    }

    init(_ hit: HitBody) {
        // A hit that cannot be read compares equal to none.
        identifier = (try? hit.decodeDocument().uniqueIdentifier) ?? "unreadable"
        score = hit.score?.bitPattern
    }

    static func < (left: Place, right: Place) -> Bool { left.identifier < right.identifier }
}

extension AnsweringCluster.Answer {
    fileprivate var places: [Place] { hits.map(Place.init) }

    var identifiers: [String] { hits.map { Place($0).identifier } }
}
