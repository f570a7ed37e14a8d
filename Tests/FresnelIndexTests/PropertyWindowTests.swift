import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@Suite("Windows over an answer")
struct PropertyWindowTests {
    private static let whole = 1 << 20

    @Test("give the same bytes whatever their length, pages both ways included", arguments: 0..<6)
    func lengths(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(500 + round)
        var chance = MatchingChance(seed: seed)
        for _ in 0..<3 {
            let reader = try WindowReader.random(&chance, documents: 16)
            for _ in 0..<6 {
                let search = WindowReader.search(&chance)
                var unlimited = search
                unlimited.clearLimit()
                unlimited.delivery = .final
                let keys = try reader.read(unlimited, window: Self.whole).answer.keys
                var pages: [PagePosition?] = [nil]
                if !keys.isEmpty, search.delivery == .final {
                    pages =
                        [false, true].map {
                            PagePosition(key: chance.pick(keys), isBackwards: $0)
                        } + pages
                }
                for page in pages {
                    let note = "seed \(seed) \(search) page \(String(describing: page))"
                    let expected = try reader.read(search, window: Self.whole, page: page)
                    for window in [1, 2, 7] {
                        let found = try reader.read(search, window: window, page: page)
                        #expect(found.answer == expected.answer, "window \(window) \(note)")
                    }
                }
            }
        }
    }

    @Test("and pages are cut from one order, as a plain sort of the keys has it", arguments: 0..<3)
    func pages(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(600 + round)
        var chance = MatchingChance(seed: seed)
        for _ in 0..<6 {
            let reader = try WindowReader.random(&chance, documents: 14)
            var search = WindowReader.search(&chance)
            search.clearLimit()
            search.delivery = .final
            let keys = try reader.read(search, window: Self.whole).answer.keys
            guard !keys.isEmpty else { continue }
            for window in [1, 3, 50] {
                let place = chance.below(keys.count)
                let limit = 1 + chance.below(12)
                search.limit = UInt64(limit)
                let note = "seed \(seed) \(search.query) window \(window) place \(place)"
                let behind = try reader.read(
                    search, window: window,
                    page: PagePosition(key: keys[place], isBackwards: false))
                #expect(behind.answer.keys == Array(keys[(place + 1)...].prefix(limit)), "\(note)")
                #expect(behind.answer.beyond == UInt64(keys.count - place - 1), "\(note)")
                let before = try reader.read(
                    search, window: window,
                    page: PagePosition(key: keys[place], isBackwards: true))
                #expect(before.answer.keys == Array(keys[..<place].suffix(limit)), "\(note)")
                #expect(before.answer.beyond == UInt64(place), "\(note)")
            }
        }
    }

    @Test("are all that is kept of an answer, however much was found", arguments: [false, true])
    func memory(isScored: Bool) throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        for segment in 0..<4 {
            try corpus.append(
                (0..<250).map { number in
                    Document(
                        uniqueIdentifier: "d\(segment)-\(number)",
                        attributes: ["rating": .number(Double((number * 7919) % 101))])
                })
        }
        let reader = WindowReader(schema: corpus.schema, targets: [corpus.target()])
        var search = MatchingCorpus.search("uniqueIdentifier == \"d*\"")
        if !isScored {
            search.sort = [WireSortKey()]
            search.sort[0].attribute = "rating"
        }
        let all = try reader.read(search, window: Self.whole, batch: 100)
        #expect(all.answer.keys.count == 1000 && all.kept == 1000)
        for window in [4, 40, 200] {
            let reading = try reader.read(search, window: window, batch: 100)
            #expect(reading.kept <= window + 4, "window \(window)")
            #expect(reading.answer == all.answer, "window \(window)")
        }
        search.delivery = .found
        search.frontCoded = true
        let unordered = try reader.read(search, window: 100, batch: 100)
        #expect(unordered.answer.bodies.count == 1000 && unordered.kept <= 104)
    }

    @Test("say a bound that only falls and that no later hit precedes", arguments: 0..<4)
    func bounds(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(700 + round)
        var chance = MatchingChance(seed: seed)
        for _ in 0..<8 {
            let reader = try WindowReader.random(&chance, documents: 14)
            let search = WindowReader.search(&chance)
            let window = chance.pick([1, 5, Self.whole])
            let reading = try reader.read(search, window: window, batch: 1 + chance.below(6))
            let keys = reading.answer.keys
            var former: [UInt8] = []
            for (end, bound) in reading.bounds {
                let note = "seed \(seed) \(search.query)"
                guard search.delivery == .final, end < keys.count else {
                    #expect(bound.isEmpty, "\(note)")
                    continue
                }
                #expect(bound == keys[end], "\(note)")
                #expect(ByteOrder.compare(former.span, bound.span) < 0, "\(note)")
                former = bound
            }
        }
    }

    @Test("that are stopped while they are looked for end a batch, not the answer")
    func stopped() throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append((0..<50).map { Document(uniqueIdentifier: "d\(10 + $0)") })
        let plan = try SearchPlan(
            search: MatchingCorpus.search("uniqueIdentifier == \"d*\""), schema: corpus.schema)
        let time = ManualTime()
        let control = SearchControl(deadline: Instant(nanoseconds: 5), time: time)
        var search = ShardSearch(plan, counts: nil, control: control)
        search.windowHits = 10
        var hits = search.run([corpus.target()]).hits
        let first = try hits.nextBatch(maximumItems: 5, maximumBytes: 1 << 20)
        time.advance(byNanoseconds: 5)
        let second = try hits.nextBatch(maximumItems: 20, maximumBytes: 1 << 20)
        #expect(first.items == 5 && second.items == 5 && !second.isLast)
        let reader = try HitBatchReader(second.payload)
        #expect(second.bound == Array(reader.key(4)))
        let third = try hits.nextBatch(maximumItems: 20, maximumBytes: 1 << 20)
        #expect(third.items == 0 && !third.isLast && third.bound == second.bound)
    }
}
