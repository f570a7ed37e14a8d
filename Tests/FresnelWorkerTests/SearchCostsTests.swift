import FresnelCluster
import FresnelModel
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("What searches cost")
struct SearchCostsTests {
    private func subquery(_ query: String, index: String = "a") -> WireSubquery {
        var subquery = WireSubquery()
        subquery.search.query = query
        var target = WireShardTarget()
        target.index = index
        subquery.targets = [target]
        return subquery
    }

    private func outcome(_ microseconds: UInt64, holdsHits: Bool = false) -> MatchOutcome {
        var report = WireShardReport()
        report.matchUs = microseconds
        return MatchOutcome(reports: [report], available: holdsHits ? 1 : 0)
    }

    @Test("A search that was light is light, wherever it is asked again with the same texts")
    func remembered() throws {
        var costs = SearchCosts()
        let light = try #require(SearchCosts.Search(subquery("title == \"a\"")))
        #expect(!costs.isLight(light))
        costs.note(outcome(20), of: light)
        #expect(costs.isLight(light))
        let elsewhere = try #require(SearchCosts.Search(subquery("title == \"a\"", index: "b")))
        #expect(!costs.isLight(elsewhere))
        let other = try #require(SearchCosts.Search(subquery("title == \"b\"")))
        costs.note(outcome(20_000), of: other)
        #expect(!costs.isLight(other))
    }

    @Test("One interruption does not make a search heavy; being heavy does")
    func interrupted() throws {
        var costs = SearchCosts()
        let search = try #require(SearchCosts.Search(subquery("title == \"a\"")))
        costs.note(outcome(20), of: search)
        costs.note(outcome(9_000), of: search)
        #expect(costs.isLight(search))
        for _ in 0..<3 { costs.note(outcome(9_000), of: search) }
        #expect(!costs.isLight(search))
    }

    @Test("Hits that are left to be fetched are not light")
    func unfetched() throws {
        var costs = SearchCosts()
        let search = try #require(SearchCosts.Search(subquery("title == \"a\"")))
        costs.note(outcome(20, holdsHits: true), of: search)
        #expect(!costs.isLight(search))
    }

    @Test("Pages, changes and what depends on the time are not remembered")
    func unfit() {
        var page = subquery("title == \"a\"")
        page.afterKeyBytes = [1]
        var changes = subquery("title == \"a\"")
        changes.changes = WireChangeSpan()
        let timed = subquery("dueDate > $time.now")
        for subquery in [page, changes, timed] {
            #expect(SearchCosts.Search(subquery) == nil)
        }
    }

    @Test("Whole words in few documents are light before they were ever searched")
    func words() {
        var words = subquery("** == \"fast\"wc")
        words.search.limit = 10
        #expect(!words.isLight)
        words.statistics.leafDocuments = [100]
        #expect(words.isLight)
        var many = words
        many.statistics.leafDocuments = [100_000]
        var pattern = words
        pattern.search.query = "** == \"fas*\"wc"
        var phrase = words
        phrase.search.query = "** == \"fast car\"wct"
        var all = words
        all.search.clearLimit()
        for heavy in [many, pattern, phrase, all] { #expect(!heavy.isLight) }
    }
}
