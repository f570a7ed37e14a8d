import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("The statistics phase")
struct StatisticsPhaseTests {
    /// A scored query whose first worker has answered and whose second stands still.
    private func halfCounted(budget: Duration) throws -> StreamHarness {
        var harness = try StreamHarness(search("title == \"lens*\""), budget: budget)
        var statistics = WireStatistics()
        statistics.documents = 20
        statistics.leafDocuments = [3]
        harness.receive(.statisticsReply(statistics), part: 0)
        return harness
    }

    @Test("Statistics take at most half the budget", arguments: [2, 10, 60])
    func half(seconds: Int64) throws {
        var harness = try halfCounted(budget: .seconds(seconds))
        let half = start + .seconds(seconds) / 2
        #expect(harness.stream.nextDue == half)
        harness.take(harness.stream.tick(at: half + .milliseconds(-1)))
        #expect(harness.commands(to: "a").last?.verb == .statistics)
        harness.take(harness.stream.tick(at: half))
        guard case .subquery(let subquery)? = harness.commands(to: "a").last else {
            Issue.record("the worker that answered was not asked for its hits")
            return
        }
        #expect(subquery.statistics.documents == 20)
        #expect(harness.commands(to: "b").last == .cancel)
    }

    @Test("The part that stands still is late, and the hits of the others are delivered")
    func delivery() throws {
        var harness = try halfCounted(budget: .seconds(10))
        harness.take(harness.stream.tick(at: at(5)))
        harness.find(["a"], part: 0)
        harness.receive(.statisticsReply(WireStatistics()), part: 1)
        harness.finish(part: 0, [report(0), report(1)])
        #expect(try harness.delivered == ["a"])
        #expect(harness.statuses == [.complete, .complete, .deadline])
        #expect(harness.completions.map(\.status) == ["deadline"])
    }
}
