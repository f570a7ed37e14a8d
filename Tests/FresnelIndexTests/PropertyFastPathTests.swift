import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

/// Segments large enough for the tables that only large ones have, full of equal scores and equal
/// numbers; a filter that every document satisfies sends a query the general way.
@Suite("Fast ways give the answers of the general way")
struct PropertyFastPathTests {
    static let everything = "uniqueIdentifier == \"*\""
    static let words = ["apple", "pie", "tart", "plum", "cake", "rare"]
    /// In fewer documents than a word needs for bounds of its postings.
    static let seldom = "seldom"

    /// Documents with a few frequent words in texts of few lengths, and numbers that repeat.
    ///
    /// - Parameter capitals: the share of words with a capital; with any, some have signs, too.
    private static func reader(
        seed: UInt64, deletes share: Double = 0, capitals: Double = 0
    ) throws -> WindowReader {
        var chance = MatchingChance(seed: seed)
        let schema = try MatchingChance.schema()
        var corpus = MatchingCorpus(schema: schema)
        var serial = 0
        // The corpus packs its first segment, not its second: by seed the large one or the small.
        for count in seed.isMultiple(of: 2) ? [40, 2200] : [2200, 40] {
            try corpus.append(
                (0..<count).map { _ in
                    serial += 1
                    return document(serial, &chance, capitals: capitals)
                })
        }
        let gone = corpus.documents.filter { _ in chance.chance(share) }
        if !gone.isEmpty { corpus.delete(Set(gone.map(\.uniqueIdentifier))) }
        return WindowReader(schema: schema, targets: [corpus.target()])
    }

    static func document(
        _ serial: Int, _ chance: inout MatchingChance, capitals: Double = 0
    ) -> Document {
        // Identifiers that do not ascend with document numbers, and that hold the words, too.
        var document = Document(uniqueIdentifier: "apple:\(serial &* 7919 % 10_007)-\(serial)")
        var words = (0..<1 + chance.below(4)).map { _ in
            Self.words[min(chance.below(6), chance.below(6))]
        }
        if serial % 37 == 5 { words.append(seldom) }
        // Words of their own make the dictionary large enough for trigrams.
        words.append("w\(serial)x\(chance.below(3))")
        if chance.chance(0.5) { words.append("v\(serial)pple") }
        if capitals > 0 {
            words = words.map { word in
                guard chance.chance(capitals) else { return word }
                return chance.chance(0.1)
                    ? word.uppercased() : word.prefix(1).uppercased() + word.dropFirst()
            }
            if chance.chance(0.02) { words[0] += "™" }
        }
        document.attributes["contentDescription"] = .string(words.joined(separator: " "))
        // Some words stand in one attribute alone, as most words of a catalogue do.
        if chance.chance(0.2), !["pie", "cake", "rare"].contains(words[0]) {
            document.attributes["title"] = .string(words[0])
        }
        if chance.chance(0.9) { document.attributes["rating"] = .number(Double(chance.below(40))) }
        return document
    }

    private static func search(
        _ chance: inout MatchingChance, _ modifiers: String = "wc"
    ) -> WireSearch {
        let word = { (chance: inout MatchingChance) in
            "** == \"\(chance.pick(Self.words))\"\(modifiers)"
        }
        var search: WireSearch
        switch chance.below(7) {
        case 0: search = MatchingCorpus.search(word(&chance))
        case 1: search = MatchingCorpus.search("\(word(&chance)) || \(word(&chance))")
        case 2:
            search = MatchingCorpus.search(
                "\(word(&chance)) || \(word(&chance)) || \(word(&chance))")
        case 3, 4: search = MatchingCorpus.search("\(word(&chance)) && \(word(&chance))")
        case 5:
            search = MatchingCorpus.search(
                "\(word(&chance)) && \(word(&chance)) && \(word(&chance))")
        default:
            let lower = chance.below(40)
            search = MatchingCorpus.search("InRange(rating,\(lower),\(lower + chance.below(9)))")
            var key = WireSortKey()
            key.attribute = "rating"
            key.descending = chance.chance(0.5)
            search.sort = [key]
        }
        search.limit = UInt64(chance.pick([1, 3, 10, 64, 65, 200]))
        search.countOnly = chance.chance(0.1)
        return search
    }

    @Test("With limits, by relevance and by number", arguments: [1, 2, 3])
    func firstHits(seed: UInt64) throws {
        let reader = try Self.reader(seed: seed)
        var chance = MatchingChance(seed: seed &+ 100)
        for _ in 0..<60 {
            let search = Self.search(&chance)
            var general = search
            general.filters = [Self.everything]
            let fast = try reader.read(search, window: 65_536)
            let slow = try reader.read(general, window: 65_536)
            #expect(fast.answer == slow.answer, "seed \(seed): \(search.query) \(search.limit)")
        }
    }

    @Test(
        "Words in several spellings, with signs in some texts", arguments: [0.1, 0.5],
        [0.0, 0.02, 0.9])
    func spellings(capitals: Double, deleted: Double) throws {
        let seed = UInt64(31 + 10 * capitals)
        let reader = try Self.reader(seed: seed, deletes: deleted, capitals: capitals)
        var chance = MatchingChance(seed: 131)
        for _ in 0..<60 {
            var search = Self.search(&chance, chance.pick(["wc", "cdw", "cdw", "w"]))
            if chance.chance(0.2) {
                let words = (0..<2).map { _ in chance.pick(Self.words) }
                search.query = "** == \"\(words.joined(separator: " "))\"cdw"
            }
            var general = search
            general.filters = [Self.everything]
            let fast = try reader.read(search, window: 65_536)
            let slow = try reader.read(general, window: 65_536)
            #expect(fast.answer == slow.answer, "\(capitals): \(search.query) \(search.limit)")
        }
    }

    @Test("One of two words, frequent, less frequent or seldom", arguments: [21, 22, 23])
    func eitherWord(seed: UInt64) throws {
        let reader = try Self.reader(seed: seed)
        var chance = MatchingChance(seed: seed &+ 100)
        for one in Self.words + [Self.seldom] {
            for other in Self.words + [Self.seldom] where one != other {
                let query = "** == \"\(one)\"wc || contentDescription == \"\(other)\"wc"
                let plain = "** == \"\(one)\"wc || ** == \"\(other)\"wc"
                var search = MatchingCorpus.search(chance.chance(0.2) ? query : plain)
                search.limit = UInt64(chance.pick([1, 3, 10, 64, 65]))
                var general = search
                general.filters = [Self.everything]
                let fast = try reader.read(search, window: 65_536)
                let slow = try reader.read(general, window: 65_536)
                #expect(fast.answer == slow.answer, "seed \(seed): \(search.query)")
            }
        }
    }

    @Test("Where documents are deleted, few or most", arguments: [0.02, 0.9, 0.999], [12, 13])
    func deletions(share: Double, seed: UInt64) throws {
        let reader = try Self.reader(seed: seed, deletes: share)
        var chance = MatchingChance(seed: 112)
        for _ in 0..<60 {
            let search = Self.search(&chance)
            var general = search
            general.filters = [Self.everything]
            let fast = try reader.read(search, window: 65_536)
            let slow = try reader.read(general, window: 65_536)
            #expect(fast.answer == slow.answer, "\(share): \(search.query) \(search.limit)")
        }
    }

    @Test("Without a limit, window by window", arguments: [4, 5])
    func allHits(seed: UInt64) throws {
        let reader = try Self.reader(seed: seed)
        var chance = MatchingChance(seed: seed &+ 100)
        for _ in 0..<8 {
            var search = Self.search(&chance)
            search.clearLimit()
            var general = search
            general.filters = [Self.everything]
            let fast = try reader.read(search, window: 50, batch: 100)
            let slow = try reader.read(general, window: 65_536, batch: 100)
            #expect(fast.answer == slow.answer, "seed \(seed): \(search.query)")
        }
    }

    @Test("Parts of words are found by trigrams as by a scan", arguments: [5, 6])
    func parts(seed: UInt64) throws {
        let reader = try Self.reader(seed: seed)
        var chance = MatchingChance(seed: seed &+ 100)
        let segments = try #require(reader.targets.first?.snapshot.segments)
        let published = try #require(
            segments.max { $0.segment.documentCount < $1.segment.documentCount })
        let dictionary = published.segment.terms
        for _ in 0..<200 {
            let rank = TermID(chance.below(dictionary.count))
            let key = dictionary.foldedKey(of: rank)
            let start = chance.below(key.count)
            let end = start + 1 + chance.below(key.count - start)
            var needle = Array(key[start..<end])
            if chance.chance(0.2) { needle.append(UInt8(ascii: "q")) }
            let found = try dictionary.terms(containing: needle.span)
            let scanned = try dictionary.texts.ranks(withKeyContaining: needle.span)
            #expect(found == scanned, "seed \(seed): \(needle)")
        }
    }

    @Test("Any hits are some of those that there are, and enough", arguments: [8, 9])
    func anyHits(seed: UInt64) throws {
        let reader = try Self.reader(seed: seed)
        var chance = MatchingChance(seed: seed &+ 100)
        for _ in 0..<80 {
            let word = chance.pick(Self.words)
            let part = word.dropFirst(chance.below(2)).prefix(2 + chance.below(3))
            let queries = [
                "** == \"*\(part)*\"c", "** == \"\(part)*\"wc", "** == \"*\(part)9*\"c",
                "** == \"*x1*\"c",
                "** == \"\(word)\"wc && InRange(rating,3,\(4 + chance.below(30)))",
            ]
            var search = MatchingCorpus.search(chance.pick(queries))
            search.delivery = .found
            search.frontCoded = true
            search.limit = UInt64(1 + chance.below(20))
            let (some, all) = try (
                reader.found(search, countsAll: false), reader.found(search, countsAll: true)
            )
            #expect(some.isSubset(of: all), "seed \(seed): \(search.query)")
            let wanted = min(Int(search.limit), all.count)
            #expect(some.count >= wanted, "seed \(seed): \(search.query) \(search.limit)")
        }
    }

    @Test("All hits without attributes, front-coded, are those of hit by hit", arguments: [10, 11])
    func bareHits(seed: UInt64) throws {
        let reader = try Self.reader(seed: seed)
        var chance = MatchingChance(seed: seed &+ 100)
        var coded = 0
        for _ in 0..<20 {
            var search = Self.search(&chance)
            search.countOnly = false
            search.clearLimit()
            search.delivery = .found
            search.frontCoded = true
            var key = WireSortKey()
            key.attribute = "rating"
            search.sort = [key]
            let fast = try reader.read(search, window: 500, batch: 1 + chance.below(300))
            // An attribute that no document has: every hit is written alone.
            var alone = search
            alone.attributes = ["nothing"]
            let slow = try reader.read(alone, window: 65_536)
            #expect(fast.answer == slow.answer, "seed \(seed): \(search.query)")
            // Who does not ask gets the same hits in the form that everybody knows.
            search.frontCoded = false
            let known = try reader.read(search, window: 500, batch: 1 + chance.below(300))
            #expect(fast.answer == known.answer, "seed \(seed): \(search.query)")
            #expect(known.frontCoded == 0 && slow.frontCoded == 0)
            coded += fast.frontCoded
        }
        #expect(coded > 0, "seed \(seed)")
    }

    @Test("Segments with these tables are whole, and merging gives what building gives")
    func merging() throws {
        var chance = MatchingChance(seed: 7)
        let documents = (1...2300).map { serial in
            let document = Self.document(serial, &chance)
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document, createdSequence: 1)
        }
        let whole = try SegmentBuilder.build(documents: documents)
        try SegmentVerifier.verify(SharedBytes(whole.bytes), named: whole.name)
        let sources = try [documents[..<900], documents[900...]].map { part in
            let segment = try SegmentBuilder.build(documents: Array(part)).open()
            return MergeSource(
                segment: segment, live: Bitset(count: segment.documentCount, filled: true))
        }
        #expect(try SegmentMerger.merge(sources).blob.bytes == whole.bytes)
    }
}

extension WindowReader {
    /// The bodies of all hits that a search finds, of as many as it looks for.
    func found(_ search: WireSearch, countsAll: Bool) throws -> Set<[UInt8]> {
        var plan = try SearchPlan(search: search, schema: schema)
        plan.countsAll = countsAll
        let control = SearchControl(time: ManualTime())
        var everything = search
        everything.clearLimit()
        if countsAll { plan = try SearchPlan(search: everything, schema: schema) }
        var matched = ShardSearch(plan, counts: nil, control: control).run(targets)
        var bodies: Set<[UInt8]> = []
        var isLast = matched.hits.remaining == 0
        while !isLast {
            let batch = try matched.hits.nextBatch(maximumItems: 100, maximumBytes: 1 << 20)
            let reader = try HitBatch(batch.payload, mayBeFrontCoded: true).whole
            for place in 0..<reader.count { bodies.insert(Array(reader.body(place))) }
            isLast = batch.isLast
        }
        return bodies
    }
}
