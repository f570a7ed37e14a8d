import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@Suite("Pages of one answer")
struct PropertyPageTests {
    private static let retention = Retention(seconds: 60, sequences: 0)

    /// A history of some batches, at least a minute apart, so that merges drop old versions.
    private func history(
        _ chance: inout MatchingChance, shards: UInt32, _ note: String
    ) throws -> ReplicaHistory {
        var history = try ReplicaHistory(shardCount: shards, retention: Self.retention)
        for batch in 0..<6 {
            try history.apply(
                PropertyReplicaTests.batch(&chance, at: history.now), "\(note) batch \(batch)")
            history.wait(seconds: 61 + Double(chance.below(3)) * 40_000)
            if batch % 3 == 2 { try history.merge(PropertyReplicaTests.eager) }
        }
        return history
    }

    private func search(_ chance: inout MatchingChance, at now: Timestamp) -> WireSearch {
        let query =
            chance.chance(0.4) ? "uniqueIdentifier == \"*\"" : "\(chance.expression(depth: 1))"
        var search = MatchingCorpus.search(query, context: QueryContext(now: now))
        search.sort = (0..<chance.below(4)).map { _ in
            var key = WireSortKey()
            key.attribute = chance.pick(
                [
                    "", "title", "keywords", "rating", "com_shop_prices", "importantDates",
                    "documentKind", "index", "none",
                ])
            key.descending = chance.chance(0.5)
            return key
        }
        return search
    }

    /// Writes, merges and reopens, all within the retention.
    private func disturb(
        _ history: inout ReplicaHistory, _ chance: inout MatchingChance, _ note: String
    ) throws {
        switch chance.below(6) {
        case 0, 1:
            history.wait(seconds: 1)
            try history.apply(
                PropertyReplicaTests.batch(&chance, at: history.now), note + " disturbed")
        case 2, 3: try history.merge(PropertyReplicaTests.eager)
        case 4: try history.reopen()
        default: break
        }
    }

    @Test(
        "forwards are the whole answer, and backwards too, while writes go on",
        arguments: [1, 2, 3, 5] as [UInt32], 0..<4)
    func pages(shards: UInt32, round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(200 + round)
        let note = "seed \(seed), \(shards) shards"
        var chance = MatchingChance(seed: seed)
        for _ in 0..<6 {
            var history = try history(&chance, shards: shards, note)
            let search = search(&chance, at: history.now)
            let text = "\(note): \(search.query) by \(search.sort)"
            let reader = try PageReader(search, history)
            let whole = try #require(try reader.page(nil, limit: nil, of: history), "\(text)")
            let size = 1 + chance.below(5)
            for isBackwards in [false, true] {
                var pages: [[[UInt8]]] = []
                // Backwards begins behind everything: no key is that long.
                var key = isBackwards ? [UInt8](repeating: .max, count: 9) : [0]
                while pages.joined().count <= whole.keys.count {
                    let position = PagePosition(key: key, isBackwards: isBackwards)
                    let page = try #require(
                        try reader.page(position, limit: size, of: history), "\(text)")
                    #expect(page.found == UInt64(whole.keys.count), "\(text)")
                    #expect(
                        page.beyond == UInt64(whole.keys.count - pages.joined().count), "\(text)")
                    guard let next = isBackwards ? page.keys.first : page.keys.last else { break }
                    pages.append(page.keys)
                    key = next
                    try disturb(&history, &chance, text)
                }
                let all = isBackwards ? Array(pages.reversed().joined()) : Array(pages.joined())
                #expect(all == whole.keys, "\(text), backwards \(isBackwards)")
            }
        }
    }

    @Test("beside a key that no document has lie where it would stand", arguments: 0..<4)
    func strangeKeys(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(300 + round)
        var chance = MatchingChance(seed: seed)
        let history = try history(&chance, shards: 2, "seed \(seed)")
        for _ in 0..<20 {
            let search = search(&chance, at: history.now)
            let reader = try PageReader(search, history)
            let whole = try #require(try reader.page(nil, limit: nil, of: history)).keys
            var key = whole.isEmpty ? [1, 2, 3] : chance.pick(whole)
            switch chance.below(3) {
            case 0: key = Array(key.prefix(chance.below(key.count + 1)))
            case 1: key[chance.below(key.count)] = UInt8(chance.below(256))
            default: key = (0...chance.below(12)).map { _ in UInt8(chance.below(256)) }
            }
            for isBackwards in [false, true] {
                let position = PagePosition(key: key, isBackwards: isBackwards)
                let page = try #require(try reader.page(position, limit: nil, of: history))
                let expected = whole.filter {
                    isBackwards
                        ? $0.lexicographicallyPrecedes(key) : key.lexicographicallyPrecedes($0)
                }
                #expect(page.keys == expected, "seed \(seed) \(search.query) key \(key)")
            }
        }
    }

    @Test("are refused once merges dropped what they read, and not before")
    func expiry() throws {
        var chance = MatchingChance(seed: 7)
        var history = try history(&chance, shards: 1, "seed 7")
        let search = MatchingCorpus.search(
            "uniqueIdentifier == \"*\"", context: QueryContext(now: history.now))
        let reader = try PageReader(search, history)
        let first = PagePosition(key: [0], isBackwards: false)
        let whole = try #require(try reader.page(first, limit: nil, of: history)).keys
        var isRefused = false
        for step in 0..<12 where !isRefused {
            // Every document is written anew.
            let documents = (0..<16).map { chance.document("d\($0)") }
            history.wait(seconds: 10)
            try history.apply(documents.map { .index($0) }, "step \(step)")
            try history.merge(PropertyReplicaTests.eager)
            let page = try reader.page(first, limit: nil, of: history)
            if step < 6 { #expect(page?.keys == whole, "step \(step)") }
            if let page { #expect(page.keys == whole, "step \(step)") } else { isRefused = true }
        }
        #expect(isRefused)
    }
}
