import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("What was matched while counting")
struct CountedSearchesTests {
    private let now = Instant(nanoseconds: 1_000)

    private func subquery(_ number: Int) -> WireSubquery {
        var subquery = WireSubquery()
        subquery.search.query = "title == \"word\(number)\""
        return subquery
    }

    private func searched(_ number: Int, cached: Bool = false) -> WireSubquery {
        var subquery = subquery(number)
        subquery.statistics.documents = 3
        if cached { subquery.statistics.sequences = [1] }
        return subquery
    }

    private func keep(
        _ number: Int, in counts: CountedSearches, for time: Duration = .seconds(10)
    ) throws {
        let plan = try SearchPlan(search: subquery(number).search, schema: AttributeSchema())
        let counted = try ShardStatistics.matches(
            of: plan, in: [], control: SearchControl(time: ManualTime()))
        counts.keep(counted, for: subquery(number), until: now + time, at: now)
    }

    @Test("goes to the search of the same query, once, and to no other")
    func once() throws {
        let counts = CountedSearches()
        try keep(1, in: counts)
        #expect(counts.take(searched(2), at: now) == nil)
        #expect(counts.take(searched(1, cached: true), at: now) == nil)
        #expect(counts.take(searched(1), at: now) != nil)
        #expect(counts.take(searched(1), at: now) == nil)
    }

    @Test("is forgotten when the query's time is up, and the oldest beyond the bound")
    func bounds() throws {
        let counts = CountedSearches(countLimit: 3)
        for number in 0..<5 { try keep(number, in: counts, for: .seconds(Int64(number + 1))) }
        #expect(counts.count == 3)
        #expect(counts.take(searched(1), at: now) == nil)
        #expect(counts.dropExpired(at: now) == .seconds(3))
        #expect(counts.dropExpired(at: now + .seconds(4)) == .seconds(1))
        #expect(counts.take(searched(3), at: now + .seconds(4)) == nil)
        #expect(counts.dropExpired(at: now + .seconds(5)) == nil)
        #expect(counts.count == 0)
    }
}
