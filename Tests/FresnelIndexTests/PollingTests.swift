import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@Suite("A search over many documents")
struct PollingTests {
    private static let count = 16_384
    /// Looks at the budget that one loop over all documents has.
    private static let loop = count / 4096

    /// One segment in which everything that can be searched is in every document.
    private static let target: Result<SearchTarget, any Error> = Result {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append(
            (0..<count).map { number in
                var document = Document(
                    uniqueIdentifier: "d\(number)",
                    attributes: [
                        "title": .string("blue lamp n\(number)"), "textContent": .string("a lamp"),
                        "keywords": .strings(["k\(number % 7)"]),
                        "rating": .number(Double(number * 7919 % 1000)),
                    ])
                document.expirationDate = Timestamp(wholeSeconds: 1_000_000)
                return document
            })
        return corpus.target()
    }

    /// A search, and how often it must look at its budget at least: about four times for each loop
    /// over all documents, counted, less two.
    struct Case: Sendable, CustomTestStringConvertible {
        let query: String
        var sort: [String] = []
        var facets: [String] = []
        var filter: String?
        var page: PagePosition?
        let looks: Int

        var testDescription: String { "\(query) \(sort) \(facets) \(filter ?? "")" }
    }

    static let cases = [
        // Dictionary and postings; selection.
        Case(query: "uniqueIdentifier == \"d*\"", sort: ["rating"], looks: 39),
        Case(query: "title == \"lamp\"w", sort: ["rating"], looks: 18),
        // The same, scored: postings, scoring, selection.
        Case(query: "title == \"lamp\"w", looks: 26),
        Case(query: "title == \"n*\"w", looks: 663),
        // An infix and a pattern on values: their tables, and the documents of what matches.
        Case(query: "title == \"*amp n*\"", sort: ["title"], looks: 43),
        Case(query: "title == \"*2*\"", sort: ["rating"], looks: 254),
        Case(query: "title == \"b*9\"", looks: 26),
        // A phrase: postings of both words, then the documents.
        Case(query: "title == \"blue lamp\"w", sort: ["rating"], looks: 38),
        Case(query: "textContent == \"a-lamp\"w || title == \"n1\"w", looks: 40),
        // Columns.
        // What it finds and sorts by are one table: no loop over documents is left.
        Case(query: "rating >= 0", sort: ["rating"], looks: 5),
        Case(query: "rating == *", sort: ["keywords"], looks: 15),
        Case(query: "!(rating == 3)", sort: ["rating"], looks: 14),
        // Facets by texts, numbers and people; a filter.
        Case(query: "rating >= 0", sort: ["rating"], facets: ["keywords"], looks: 23),
        Case(query: "rating >= 0", sort: ["rating"], facets: ["title"], looks: 27),
        Case(query: "rating >= 0", sort: ["rating"], facets: ["rating"], looks: 22),
        Case(query: "rating >= 0", sort: ["rating"], filter: "title == \"lamp\"w", looks: 23),
        // Beside a cursor.
        Case(
            query: "rating >= 0", sort: ["rating"],
            page: PagePosition(key: [1, 0x80], isBackwards: true), looks: 18),
    ]

    private func run(_ test: Case, _ time: CountedTime) throws -> (MatchedHits, SearchControl) {
        var search = MatchingCorpus.search(test.query)
        search.sort = test.sort.map { name in
            var key = WireSortKey()
            key.attribute = name
            return key
        }
        search.facets = test.facets.map { name in
            var facet = WireFacetRequest()
            facet.attribute = name
            return facet
        }
        search.filters = test.filter.map { [$0] } ?? []
        // Few are kept, so that sorting them adds no looks of its own.
        search.limit = 10
        var plan = try SearchPlan(search: search, schema: AttributeSchema())
        plan.page = test.page
        let control = SearchControl(
            deadline: Instant(nanoseconds: CountedTime.late), time: time)
        let cache = FilterCache()
        let matched = ShardSearch(plan, counts: nil, control: control, cache: cache)
            .run([try Self.target.get()])
        return (matched, control)
    }

    @Test("looks at its budget every 4096 documents of every loop", arguments: cases)
    func looks(test: Case) throws {
        let time = CountedTime()
        let (matched, _) = try run(test, time)
        #expect(matched.reports[0].status == .complete && matched.reports[0].found > 0)
        #expect(time.readCount >= test.looks, "\(time.readCount) looks")
    }

    @Test("ends at the look that finds the time is up, wherever that is", arguments: cases)
    func stops(test: Case) throws {
        let whole = CountedTime()
        _ = try run(test, whole)
        for share in 1...4 {
            let patience = whole.readCount * share / 5
            let time = CountedTime(patience: patience)
            let (matched, _) = try run(test, time)
            #expect(matched.reports[0].status == .deadline)
            // What was found before its values were counted stands, and then there are no facets.
            let isBefore = matched.reports[0].searched == 0 && matched.reports[0].found == 0
            #expect(isBefore || !test.facets.isEmpty && matched.facets.isEmpty)
            // The look itself, and what the clock is read for in the report.
            #expect(time.readCount <= patience + 4)
        }
    }

    /// Everything is new, and was not shown before.
    private func change(_ time: CountedTime) throws -> MatchedHits {
        var search = MatchingCorpus.search("title == \"lamp\"w")
        var key = WireSortKey()
        key.attribute = "rating"
        search.sort = [key]
        let schema = AttributeSchema()
        let control = SearchControl(deadline: Instant(nanoseconds: CountedTime.late), time: time)
        let changes = ShardChanges(
            try SearchPlan(search: search, schema: schema),
            direct: try DirectMatcher(search, schema: schema),
            fromNow: Timestamp(wholeSeconds: 0), toNow: Timestamp(wholeSeconds: 1),
            control: control)
        return changes.run([ChangeTarget(try Self.target.get(), since: .zero)])
    }

    @Test("looks at its budget in every loop over changes, and ends at the look that says so")
    func changes() throws {
        let whole = CountedTime()
        let found = try change(whole)
        #expect(
            found.reports[0].status == .complete && found.reports[0].found == UInt64(Self.count))
        // The match, the order and the next expiration; eight are of what was touched and is shown.
        #expect(whole.readCount >= 88, "\(whole.readCount) looks")
        for share in 0..<10 {
            let patience = whole.readCount * share / 10
            let time = CountedTime(patience: patience)
            let report = try change(time).reports[0]
            #expect(report.status == .deadline && report.searched == 0 && report.found == 0)
            #expect(time.readCount <= patience + 4)
        }
    }

    @Test("looks at its budget while later windows are looked for and hits are marked")
    func fetch() throws {
        let time = CountedTime()
        var search = MatchingCorpus.search("title == \"lamp\"w")
        search.highlight = true
        let plan = try SearchPlan(search: search, schema: AttributeSchema())
        let control = SearchControl(
            deadline: Instant(nanoseconds: CountedTime.late), time: time)
        var shards = ShardSearch(plan, counts: nil, control: control)
        shards.windowHits = 10
        var matched = shards.run([try Self.target.get()])
        let before = time.readCount
        let batch = try matched.hits.nextBatch(maximumItems: 30, maximumBytes: 1 << 20)
        #expect(batch.items == 30)
        // Three more windows, of two loops each, and every hit.
        #expect(time.readCount - before >= 3 * 2 * Self.loop + 29)
    }

    @Test("ends while its words are counted, too")
    func counting() throws {
        let plan = try SearchPlan(
            search: MatchingCorpus.search("title == \"n*\"w || title == \"lamp\"w"),
            schema: AttributeSchema())
        let whole = CountedTime()
        let control = SearchControl(
            deadline: Instant(nanoseconds: CountedTime.late), time: whole)
        let targets = [try Self.target.get()]
        _ = try ShardStatistics.matches(of: plan, in: targets, control: control)
        #expect(whole.readCount >= 3 * Self.loop, "\(whole.readCount) looks")
        for share in 0..<5 {
            let time = CountedTime(patience: whole.readCount * share / 5)
            let control = SearchControl(
                deadline: Instant(nanoseconds: CountedTime.late), time: time)
            #expect(throws: SearchStop.deadline) {
                try ShardStatistics.matches(of: plan, in: targets, control: control)
            }
        }
    }
}
