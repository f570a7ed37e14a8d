import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Remembered readings of queries")
struct PlanMemoryTests {
    private let shards = part(of: "a", shards: [0, 1])

    private func question(_ search: WireSearch, version: UInt64 = 1) -> PlanMemory.Question? {
        PlanMemory.Question(search, schemaVersion: version)
    }

    @Test(
        "A plan by memory is the plan",
        arguments: [
            "title == \"apfel*\"cd", "** == \"a b\"cdwt && rating > 3", "nosuch == 1",
            "title == \"a\" || !(keywords == \"b\")",
        ])
    func same(query: String) throws {
        var search = search()
        search.query = query
        search.filters = ["rating >= 1"]
        let first = try QueryPlan(search, shards: shards, schema: AttributeSchema(), at: moment())
        let again = try QueryPlan(
            search, shards: shards, schema: AttributeSchema(), at: moment(),
            reading: first.reading)
        #expect(first.warnings == again.warnings && first.scored == again.scored)
        #expect(first.digest == again.digest && first.customKeys == again.customKeys)
        #expect(first.search == again.search)
    }

    @Test("Whatever a reading depends on is part of its question")
    func distinct() throws {
        let plain = search()
        let changes: [(inout WireSearch) -> Void] = [
            { $0.query += " " }, { $0.filters = ["rating > 1"] }, { $0.attributes = ["title"] },
            { $0.sort = [WireSortKey()] }, { $0.indexes = ["other"] }, { $0.strict = true },
            { $0.filters = ["dueDate < $time.iso(2026-11-20T00:00:00Z)"] },
            { $0.countOnly = true }, { $0.context.language = "de" }, { $0.allAttributes = true },
            { $0.attributes = ["*", "*"] }, { $0.attributes = ["*"] },
            { $0.context.timeZone = "Europe/Berln" },
        ]
        var questions = Set([try #require(question(plain)), try #require(question(plain))])
        #expect(questions.count == 1)
        for change in changes {
            var other = plain
            change(&other)
            questions.insert(try #require(question(other)))
        }
        questions.insert(try #require(question(plain, version: 2)))
        #expect(questions.count == changes.count + 2)
    }

    @Test("A time zone that does not exist is refused, also where the texts were read in another")
    func timeZone() throws {
        var memory = PlanMemory()
        var known = search()
        known.context.timeZone = "Europe/Berlin"
        let plan = try QueryPlan(known, shards: shards, schema: AttributeSchema(), at: moment())
        memory.keep(plan.reading, for: try #require(question(known)))
        var unknown = known
        unknown.context.timeZone = "Europe/Berln"
        let reading = memory.reading(of: try #require(question(unknown)))
        #expect(throws: PlanRefusal.self) {
            try QueryPlan(
                unknown, shards: shards, schema: AttributeSchema(), at: moment(), reading: reading)
        }
    }

    @Test("Equivalent spellings are read each by itself: their places and digests differ")
    func spellings() throws {
        let changes: [(inout WireSearch, String) -> Void] = [
            { $0.query = "title == \"\($1)\" && nosuch == 1" },
            { $0.filters = ["title == \"\($1)\""] },
            {
                $0.sort = [WireSortKey()]
                $0.sort[0].attribute = $1
            },
        ]
        for change in changes {
            let questions = try ["\u{E9}", "e\u{301}", "\u{E9}"].map { spelling in
                var search = search()
                change(&search, spelling)
                return try #require(question(search))
            }
            #expect(questions[0] != questions[1] && questions[0] == questions[2])
            #expect(questions[0].hashValue == questions[2].hashValue)
        }
    }

    @Test("What speaks of the time, counts values, names documents or is long is read each time")
    func unfit() {
        let changes: [(inout WireSearch) -> Void] = [
            { $0.query = "contentCreationDate > $time.now" },
            { $0.filters = ["dueDate < $time.today(1)"] },
            { $0.filters = ["dueDate < $time.iso(2026-11-20)"] },
            { $0.facets = [WireFacetRequest()] }, { $0.identifiers = ["a"] },
            { $0.follow = true },
            { $0.query = "title == \"" + String(repeating: "a", count: 3_000) + "\"" },
        ]
        for change in changes {
            var search = search()
            change(&search)
            #expect(question(search) == nil)
        }
    }

    @Test("The memory is bounded, and what is asked again stays")
    func bounded() throws {
        var memory = PlanMemory()
        let plan = try QueryPlan(search(), shards: shards, schema: AttributeSchema(), at: moment())
        let favourite = try #require(question(search()))
        memory.keep(plan.reading, for: favourite)
        for number in 0..<5 * UInt64(Limits.rememberedQueries) {
            memory.keep(plan.reading, for: try #require(question(search(), version: number + 9)))
            #expect(memory.reading(of: favourite) != nil)
        }
        #expect(memory.reading(of: try #require(question(search(), version: 9))) == nil)
    }
}
