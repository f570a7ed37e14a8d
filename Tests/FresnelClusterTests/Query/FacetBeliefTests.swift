import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Facets of workers that are not believed")
struct FacetBeliefTests {
    private typealias Values = FacetRoundHarness

    private func list(_ values: [WireFacetValue], documents: UInt64) -> WireFacetCounts {
        var facet = Values.facet(values, bound: 0, distinct: UInt64(values.count))
        facet.documents = documents
        return facet
    }

    @Test("Q-12: who is not believed any more is in no facet, also when they were known before")
    func late() throws {
        var asking = search(credit: 1)
        asking.facets = [Values.request]
        var harness = try StreamHarness(asking)
        for part in 0...1 {
            harness.find([part == 0 ? "a" : "b"], part: part)
            var done = WirePartDone()
            done.shards =
                part == 0 ? [report(0, found: 1), report(1)] : [report(2, found: 1)]
            done.facets = [list([Values.value("x", 1)], documents: 1)]
            harness.receive(.partDone(done), part: part)
        }
        #expect(harness.completions.isEmpty, "one hit waits for credit")
        harness.find(["c"], part: 0, sequence: 1)
        harness.take(harness.stream.grant(items: 9, bytes: 1 << 30, at: at(2)))
        let done = try #require(harness.completions.first)
        #expect(!done.complete && harness.stream.faultCount == 1)
        #expect(done.facets.map(\.documents) == [1])
        #expect(done.facets.map(\.values) == [[Values.value("x", 1)]])
    }

    @Test("What comes beside an error is not added up")
    func error() throws {
        var asking = search()
        asking.countOnly = true
        asking.facets = [Values.request]
        var harness = try StreamHarness(asking)
        var done = WirePartDone()
        done.shards = [report(0, found: 3), report(1)]
        done.error = WireFailure(.internalError, "damaged")
        done.facets = [list([Values.value("x", 1), Values.value("y", 90)], documents: 91)]
        harness.receive(.partDone(done), part: 0)
        done = WirePartDone()
        done.shards = [report(2, found: 1)]
        done.facets = [list([Values.value("x", 1)], documents: 1)]
        harness.receive(.partDone(done), part: 1)
        let end = try #require(harness.completions.first)
        #expect(!end.complete && end.facets.map(\.documents) == [1])
        #expect(end.facets.map(\.values) == [[Values.value("x", 1)]])
    }

    /// Two parts: the first says what is given of two facets, the second is honest.
    private func answer(_ lists: [WireFacetCounts]) throws -> (StreamHarness, WireDone) {
        var asking = search()
        var request = Values.request
        request.limit = 10
        var other = request
        other.attribute = "creator"
        asking.facets = [request, other]
        var harness = try StreamHarness(asking)
        harness.find(["a", "b"], part: 0)
        var done = WirePartDone()
        done.shards = [report(0, found: 2), report(1)]
        done.facets = lists
        harness.receive(.partDone(done), part: 0)
        harness.find(["c"], part: 1)
        done.shards = [report(2, found: 1)]
        done.facets = [Values.request.attribute, "creator"].map { attribute in
            var facet = list([Values.value("z", 1)], documents: 1)
            facet.attribute = attribute
            return facet
        }
        harness.receive(.partDone(done), part: 1)
        return (harness, try #require(harness.completions.first))
    }

    enum FacetLie: CaseIterable { case disorder, twice, tooMany, otherSum, boundOfNothing }

    @Test(
        "Q-44: a facet that cannot be true is not exact; hits, counts and other facets stand",
        arguments: FacetLie.allCases)
    func oneFacet(lie: FacetLie) throws {
        var first = list([Values.value("x", 1), Values.value("y", 1)], documents: 2)
        var second = first
        second.attribute = "creator"
        switch lie {
        case .disorder: first.values.reverse()
        case .twice: first.values[1] = Values.value("x", 1)
        case .tooMany: first.values[0].count = 3
        case .otherSum: first.documents = 7
        case .boundOfNothing: first.bound = 1
        }
        let (harness, done) = try answer([first, second])
        #expect(harness.stream.violations[.countsTrue] == 1 && harness.stream.faultCount == 1)
        #expect(done.complete && done.found == 3 && done.delivered == 3)
        #expect(done.facets.map(\.bound) == [2, 0])
        #expect(done.facets[0].values == [Values.value("z", 1)])
        #expect(done.facets[1].values.map(\.count) == [1, 1, 1])
        let warning = try #require(done.warnings.first?.message)
        #expect(done.warnings.count == 1)
        #expect(warning.contains("facet by keywords is not exact: worker a"), "\(warning)")
    }

    @Test("Q-44: a worker that counted other facets than it was asked for takes all exactness")
    func otherFacets() throws {
        let (harness, done) = try answer([list([Values.value("x", 2)], documents: 2)])
        #expect(harness.stream.faultCount == 2 && done.complete && done.delivered == 3)
        #expect(done.facets.map(\.bound) == [2, 2] && done.warnings.count == 2)
    }

    @Test("Q-42: values that only canonical equivalence makes equal are two values")
    func spellings() throws {
        // Worked out by bytes: each of these equals its neighbour as a Swift string.
        let pairs = [
            ("e\u{301}", "\u{e9}"), ("K", "\u{212A}"), ("\u{c5}", "\u{212B}"),
            ("\u{3ac}", "\u{1f71}"), ("a\u{323}\u{301}", "a\u{301}\u{323}"),
        ]
        for (one, other) in pairs {
            var values = [one, other].map { text in
                var value = Values.value(text, 1)
                value.folded = "k"
                return value
            }
            values.sort { $0.precedes($1) }
            #expect(values[0] == values[1], "the generated message compares them as texts")
            var first = list(values, documents: 2)
            first.distinct = 2
            var second = first
            second.attribute = "creator"
            let (harness, done) = try answer([first, second])
            #expect(harness.stream.faultCount == 0 && done.facets.map(\.bound) == [0, 0])
            #expect(done.facets[0].values.count == 3 && done.warnings.isEmpty)
        }
    }

    @Test("Q-44: a value that is listed twice, with two counts, is not believed")
    func twice() throws {
        var asking = search()
        asking.countOnly = true
        asking.facets = [Values.request]
        var harness = try StreamHarness(asking)
        var done = WirePartDone()
        done.shards = [report(0, found: 8), report(1)]
        done.facets = [list([Values.value("x", 5), Values.value("x", 3)], documents: 8)]
        harness.receive(.partDone(done), part: 0)
        #expect(harness.stream.faultCount == 1)
    }

    @Test("Q-44: a worker whose time was up while it counted values is believed what it found")
    func timeUp() throws {
        var asking = search()
        asking.countOnly = true
        asking.facets = [Values.request]
        var harness = try StreamHarness(asking)
        var done = WirePartDone()
        done.shards = [report(0, .deadline, found: 8), report(1, .deadline)]
        harness.receive(.partDone(done), part: 0)
        done.shards = [report(2, found: 1)]
        done.facets = [list([Values.value("x", 1)], documents: 1)]
        harness.receive(.partDone(done), part: 1)
        let end = try #require(harness.completions.first)
        #expect(harness.stream.faultCount == 0 && !end.complete && end.found == 9)
        #expect(end.facets.map(\.documents) == [1])
    }
}
