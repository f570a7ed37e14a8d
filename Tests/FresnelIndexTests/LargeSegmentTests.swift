import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@testable import FresnelIndex

/// Thousands of documents in one packed segment: large enough for every fast way, and small enough
/// for the reference matcher and the plainest scores over whole documents.
@Suite("Large segments answer as the plainest code does")
struct LargeSegmentTests {
    /// What is asked for.
    enum Kind: CaseIterable {
        case word, bothWords, eitherWord, allThree, eitherOfThree
        case prefix, infix, phrase, wordAndRange, range

        /// - Parameter modifiers: of words; parts of words have them without `w`.
        func search(_ chance: inout MatchingChance, _ modifiers: String) -> WireSearch {
            let words = PropertyFastPathTests.words
            let one = chance.pick(words)
            let other = chance.pick(words.filter { $0 != one })
            let part = one.dropFirst(chance.below(2)).prefix(2 + chance.below(2))
            let own = "\(chance.below(10))x\(chance.below(3))"
            let lower = chance.below(30)
            let range = "InRange(rating,\(lower),\(lower + 1 + chance.below(9)))"
            let (mine, others) = (
                "** == \"\(one)\"\(modifiers)", "** == \"\(other)\"\(modifiers)"
            )
            switch self {
            case .word: return MatchingCorpus.search(mine)
            case .bothWords: return MatchingCorpus.search("\(mine) && \(others)")
            case .eitherWord: return MatchingCorpus.search("\(mine) || \(others)")
            case .allThree, .eitherOfThree:
                let third = chance.pick(words.filter { $0 != one && $0 != other })
                let sign = self == .allThree ? "&&" : "||"
                return MatchingCorpus.search(
                    [mine, others, "** == \"\(third)\"\(modifiers)"]
                        .joined(separator: " \(sign) "))
            case .prefix: return MatchingCorpus.search("** == \"\(one.prefix(2))*\"\(modifiers)")
            case .infix:
                let needle = chance.chance(0.5) ? String(part) : own
                let loose = modifiers.filter { $0 != "w" }
                return MatchingCorpus.search("** == \"*\(needle)*\"\(loose)")
            case .phrase: return MatchingCorpus.search("** == \"\(one) \(other)\"\(modifiers)")
            case .wordAndRange: return MatchingCorpus.search("\(mine) && \(range)")
            case .range:
                var search = MatchingCorpus.search(range)
                var key = WireSortKey()
                key.attribute = "rating"
                key.descending = chance.chance(0.5)
                search.sort = [key]
                return search
            }
        }
    }

    /// Texts in lower case, and texts with capitals and signs.
    private static let corpora = Result { try corpora(capitals: 0) }
    private static let written = Result { try corpora(capitals: 0.3) }

    /// The same documents twice, the second time with some deleted, beside a small segment.
    ///
    /// The corpus packs its first segment.
    private static func corpora(capitals: Double) throws -> [MatchingCorpus] {
        var chance = MatchingChance(seed: 41)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        var serial = 0
        for count in [2500, 40] {
            try corpus.append(
                (0..<count).map { _ in
                    serial += 1
                    return PropertyFastPathTests.document(serial, &chance, capitals: capitals)
                })
        }
        let whole = corpus
        let gone = corpus.documents.filter { _ in chance.chance(0.03) }
        corpus.delete(Set(gone.map(\.uniqueIdentifier)))
        return [whole, corpus]
    }

    @Test("They have what the fast ways need: a way that is never taken would leave all else green")
    func tables() throws {
        for corpus in try Self.corpora.get() + Self.written.get() {
            let published = try #require(corpus.snapshot.segments.first)
            let segment = published.segment
            #expect(segment.terms.grams != nil)
            let best = try #require(segment.bestPostings)
            let impacts = try #require(segment.impacts)
            #expect(best.agrees(with: FieldWeights(published.view)))
            // The most frequent words, as most documents write them.
            for word in PropertyFastPathTests.words.prefix(3) {
                let key = Array(word.utf8)
                let counts = segment.terms.range(withFoldedKey: key.span).map { term in
                    (term: term, count: segment.postings.documentCount(of: term))
                }
                let (term, count) = try #require(counts.max { $0.count < $1.count })
                #expect(count > SegmentFormat.bestPostingsDocuments, "\(word)")
                #expect(best.ranking(of: term) != nil, "\(word)")
                #expect(impacts.codes(of: term, documentCount: count) != nil, "\(word)")
            }
        }
    }

    @Test(
        "whatever is asked, all of it, the first, any, or how many", arguments: Kind.allCases,
        [1, 2] as [UInt64])
    func answers(kind: Kind, seed: UInt64) throws {
        var chance = MatchingChance(seed: seed)
        let corpus = try Self.corpora.get()[Int(seed % 2)]
        try compare(kind.search(&chance, "wc"), corpus, seed)
    }

    @Test(
        "the same of texts as people write them, with and without regard to accents",
        arguments: Kind.allCases, [1, 2, 3, 4] as [UInt64])
    func writtenAnswers(kind: Kind, seed: UInt64) throws {
        var chance = MatchingChance(seed: seed)
        let corpus = try Self.written.get()[Int(seed % 2)]
        try compare(kind.search(&chance, seed > 2 ? "wc" : "cdw"), corpus, seed)
    }

    @Test(
        "Of three words, frequent and less frequent, those with several come first",
        arguments: [
            ["apple", "pie", "tart"], ["plum", "tart", "pie"], ["apple", "rare", "plum"],
            ["tart", "cake", PropertyFastPathTests.seldom],
        ], ["&&", "||"])
    func threeWords(words: [String], sign: String) throws {
        let query = words.map { "** == \"\($0)\"wc" }.joined(separator: " \(sign) ")
        for (number, corpus) in try Self.corpora.get().enumerated() {
            try compare(MatchingCorpus.search(query), corpus, UInt64(number))
        }
    }

    private func compare(_ search: WireSearch, _ corpus: MatchingCorpus, _ seed: UInt64) throws {
        let oracle = try OrderOracle(
            search, corpus.documents, schema: corpus.schema, at: MatchingCorpus.context.now)
        #expect(!oracle.places.isEmpty, "seed \(seed): \(search.query)")
        try compareHits(search, oracle, corpus)
        try compareSets(search, oracle, corpus)
    }

    /// All hits and the first, in order and with scores, and how many there are.
    private func compareHits(
        _ search: WireSearch, _ oracle: OrderOracle, _ corpus: MatchingCorpus
    ) throws {
        for limit in [nil, 1, 10, 64, 65] as [Int?] {
            var limited = search
            if let limit { limited.limit = UInt64(limit) }
            let answer = try MatchingCorpus.run(
                limited, over: [corpus.target()], schema: corpus.schema)
            let expected = oracle.places.prefix(limit ?? .max)
            let found = try answer.hits.map { try $0.decodeDocument().uniqueIdentifier }
            let isSame = found == expected.map(\.document.uniqueIdentifier)
            #expect(isSame, "\(difference(found, oracle)) \(search.query), first \(limit ?? 0)")
            let isScoredAlike = answer.hits.map(\.score) == expected.map(\.score)
            #expect(isScoredAlike, "\(search.query), first \(limit ?? 0)")
            let count = answer.reports.reduce(0) { $0 + $1.found }
            #expect(count == UInt64(oracle.places.count), "\(search.query), first \(limit ?? 0)")
        }
        var counting = search
        counting.countOnly = true
        let counted = try MatchingCorpus.run(
            counting, over: [corpus.target()], schema: corpus.schema)
        let count = counted.reports.reduce(0) { $0 + $1.found }
        #expect(count == UInt64(oracle.places.count), "\(search.query), counted")
        #expect(counted.hits.isEmpty, "\(search.query), counted")
    }

    /// Hits window by window, and any hits, of which there need not be more than are wanted.
    private func compareSets(
        _ search: WireSearch, _ oracle: OrderOracle, _ corpus: MatchingCorpus
    ) throws {
        let reader = WindowReader(schema: corpus.schema, targets: [corpus.target()])
        let read = try reader.read(search, window: 500, batch: 100).answer.bodies
        let windows = try read.map(Self.identifier)
        #expect(windows == oracle.identifiers, "\(search.query), in windows")
        var any = search
        any.delivery = .found
        any.frontCoded = true
        any.limit = 20
        let everything = Set(oracle.identifiers)
        let all = try reader.found(any, countsAll: true).map(Self.identifier)
        let isWhole = Set(all) == everything && all.count == everything.count
        #expect(isWhole, "\(difference(all, oracle)) \(search.query), in any order")
        let some = try reader.found(any, countsAll: false).map(Self.identifier)
        let areFound = Set(some).isSubset(of: everything)
        #expect(areFound, "\(difference(some, oracle)) \(search.query), any")
        #expect(some.count >= min(20, everything.count), "\(search.query), any")
    }

    private static func identifier(of body: [UInt8]) throws -> String {
        String(decoding: try HitBody.identity(of: body).identifier, as: UTF8.self)
    }

    /// What is found and should not be, and the other way round.
    private func difference(_ found: [String], _ oracle: OrderOracle) -> String {
        let (found, expected) = (Set(found), Set(oracle.identifiers))
        let (surplus, missing) = (found.subtracting(expected), expected.subtracting(found))
        return "surplus \(surplus.sorted().prefix(9)) missing \(missing.sorted().prefix(9)) in"
    }
}
