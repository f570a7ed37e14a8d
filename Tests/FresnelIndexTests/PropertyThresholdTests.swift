import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@Suite("A threshold")
struct PropertyThresholdTests {
    /// A relevance query of several words, so that some of them are rarer than others.
    private static func search(_ chance: inout MatchingChance) -> WireSearch {
        let words = ["apple", "pie", "a*", "kindle*", "*app*", "my window", "cafe", "*", "b"]
        let parts = (0...1 + chance.below(4)).map { _ in
            let attribute = chance.pick(["*", "**", "title", "keywords", "textContent"])
            return "\(attribute) == \"\(chance.pick(words))\"\(chance.pick(["", "c", "cdw", "w"]))"
        }
        let isOr = chance.chance(0.85)
        var search = MatchingCorpus.search(parts.joined(separator: isOr ? " || " : " && "))
        if chance.chance(0.3) {
            var key = WireSortKey()
            key.descending = true
            var other = WireSortKey()
            other.attribute = chance.pick(["title", "rating"])
            search.sort = [key, other]
        }
        return search
    }

    @Test("of a first so many changes nothing but the work, bit for bit", arguments: 0..<6)
    func inner(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(800 + round)
        var chance = MatchingChance(seed: seed)
        var skipped: UInt64 = 0
        var corpora = 0
        // Chance may give three in which nothing can be left out; not thirty.
        while corpora < 3 || skipped == 0 && corpora < 30 {
            corpora += 1
            let reader = try WindowReader.random(&chance, documents: 40)
            for _ in 0..<8 {
                var search = Self.search(&chance)
                let all = try reader.read(search, window: 1 << 20)
                #expect(all.skipped == 0)
                search.limit = UInt64(1 + chance.below(10))
                let window = chance.pick([1, 10, 1 << 20])
                let page =
                    chance.chance(0.4) && !all.answer.keys.isEmpty
                    ? chance.below(all.answer.keys.count) : nil
                let few = try reader.read(
                    search, window: window,
                    page: page.map {
                        PagePosition(key: all.answer.keys[$0], isBackwards: false)
                    })
                let start = page.map { $0 + 1 } ?? 0
                let note = "seed \(seed) \(search.query) limit \(search.limit) window \(window)"
                let range = start..<min(all.answer.keys.count, start + Int(search.limit))
                #expect(few.answer.keys == Array(all.answer.keys[range]), "\(note)")
                #expect(few.answer.bodies == Array(all.answer.bodies[range]), "\(note)")
                #expect(few.answer.found == all.answer.found, "\(note)")
                // A pattern that everything matches is no predicate that scores.
                let sum = all.scored == 0 ? 0 : few.answer.found
                #expect(few.scored + few.skipped == sum, "\(note)")
                let beyond = page == nil ? 0 : UInt64(all.answer.keys.count - start)
                #expect(few.answer.beyond == beyond, "\(note)")
                skipped += few.skipped
            }
        }
        #expect(skipped > 0, "seed \(seed)")
    }

    @Test("from outside ends the answer behind it, and leaves what is before", arguments: 0..<6)
    func outer(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(900 + round)
        var chance = MatchingChance(seed: seed)
        for _ in 0..<3 {
            let reader = try WindowReader.random(&chance, documents: 20)
            for _ in 0..<8 {
                var search =
                    chance.chance(0.6) ? Self.search(&chance) : WindowReader.search(&chance)
                search.delivery = .final
                let all = try reader.read(search, window: 1 << 20)
                guard !all.answer.keys.isEmpty else { continue }
                var threshold = chance.pick(all.answer.keys)
                if chance.chance(0.3) { threshold[chance.below(threshold.count)] ^= 0x10 }
                let page =
                    chance.chance(0.3)
                    ? PagePosition(key: chance.pick(all.answer.keys), isBackwards: false) : nil
                let whole = try reader.read(search, window: 1 << 20, page: page)
                let window = chance.pick([1, 10, 1 << 20])
                let cut = try reader.read(
                    search, window: window, page: page, threshold: threshold)
                let wanted = whole.answer.keys.filter {
                    ByteOrder.compare($0.span, threshold.span) <= 0
                }
                let note = "seed \(seed) \(search.query) window \(window) page \(page != nil)"
                #expect(cut.answer.keys == wanted, "\(note)")
                #expect(
                    cut.answer.bodies == Array(whole.answer.bodies.prefix(wanted.count)), "\(note)")
                #expect(cut.answer.found == whole.answer.found, "\(note)")
                #expect(cut.answer.beyond == whole.answer.beyond, "\(note)")
                if whole.scored > 0 {
                    #expect(cut.scored + cut.skipped == cut.answer.found, "\(note)")
                }
            }
        }
    }

    @Test("is nothing to a page backwards or an answer without order")
    func ignored() throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append((0..<20).map { Document(uniqueIdentifier: "d\(10 + $0)") })
        let reader = WindowReader(schema: corpus.schema, targets: [corpus.target()])
        var search = MatchingCorpus.search("uniqueIdentifier == \"d*\"")
        let keys = try reader.read(search, window: 100).answer.keys
        let page = PagePosition(key: keys[10], isBackwards: true)
        let before = try reader.read(search, window: 5, page: page, threshold: keys[2])
        #expect(before.answer.keys == Array(keys[..<10]))
        search.delivery = .found
        let found = try reader.read(search, window: 5, threshold: keys[2])
        #expect(found.answer.bodies.count == 20)
    }

    @Test("spares the frequent word of a query with a rare one most of its documents")
    func receipt() throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        for segment in 0..<2 {
            try corpus.append(
                (0..<2000).map { number in
                    let rare = number % 100 == 7 ? " quark" : ""
                    return Document(
                        uniqueIdentifier: "d\(segment)-\(number)",
                        attributes: ["title": .string("library\(rare)")])
                })
        }
        let reader = WindowReader(schema: corpus.schema, targets: [corpus.target()])
        var search = MatchingCorpus.search("title == \"library\"w || title == \"quark\"w")
        let all = try reader.read(search, window: 1 << 20, batch: 1000)
        search.limit = 10
        let few = try reader.read(search, window: 1 << 20)
        #expect(few.answer.keys == Array(all.answer.keys.prefix(10)))
        #expect(all.scored == 4000 && all.skipped == 0)
        #expect(few.scored + few.skipped == 4000)
        #expect(few.scored == 40, "only the documents with the rare word")
    }

    @Test("rests on bounds that no score exceeds", arguments: 0..<4)
    func supremum(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(1000 + round)
        var chance = MatchingChance(seed: seed)
        let reader = try WindowReader.random(&chance, documents: 30)
        for _ in 0..<15 {
            var search = Self.search(&chance)
            search.explain = true
            search.attributes = []
            let reading = try reader.read(search, window: 1 << 20, batch: 50)
            for body in reading.answer.bodies {
                let hit = try HitBody(body, in: 0..<body.count)
                guard let terms = hit.explanation?.terms, let score = hit.score else { continue }
                var bound = 0.0
                for term in terms where term.contribution > 0 {
                    #expect(term.contribution <= term.rarity, "seed \(seed) \(search.query)")
                    bound += term.rarity
                }
                #expect(score <= bound, "seed \(seed) \(search.query)")
            }
        }
        for exponent in stride(from: -300.0, through: 300, by: 7) {
            let sum = Double(sign: .plus, exponent: Int(exponent), significand: 1.7)
            for rarity in [0, 0.3, 1, 17.3] {
                #expect(Relevance.contribution(rarity: rarity, weightedOccurrences: sum) <= rarity)
            }
        }
    }
}
