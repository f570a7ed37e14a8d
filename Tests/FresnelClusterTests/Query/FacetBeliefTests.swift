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
