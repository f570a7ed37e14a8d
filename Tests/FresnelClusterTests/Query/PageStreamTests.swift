@testable import FresnelCluster
import FresnelModel
import FresnelWire
import Testing

@Suite("The broker's pages")
struct PageStreamTests {
    /// The cursor beside a key, in the query that the harness asks.
    private func cursor(_ key: String) throws -> [UInt8] {
        let shards = part(of: "a", shards: [0, 1]) + part(of: "b", shards: [2])
        let plan = try QueryPlan(
            search(), shards: shards, schema: AttributeSchema(), at: moment())
        return plan.cursor(at: Array(key.utf8)).bytes
    }

    private func harness(_ key: String, limit: UInt64, isBackwards: Bool) throws -> StreamHarness {
        var asked = search(limit: limit)
        asked.afterBytes = try cursor(key)
        asked.backwards = isBackwards
        return try StreamHarness(asked)
    }

    /// A part's only batch, of a worker that has more on the page's side.
    private func find(
        _ names: [String], of beyond: UInt64, part: Int, in harness: inout StreamHarness
    ) {
        var found = WireFound()
        found.items = UInt64(names.count)
        found.beyond = beyond
        harness.receive(.found(found), part: part, payload: hitBatch(names))
    }

    private func key(of bytes: [UInt8]) throws -> String {
        String(decoding: try Cursor(bytes).key, as: UTF8.self)
    }

    @Test("Q-33: The first page has a next cursor when more was found, and no previous one")
    func first() throws {
        var harness = try StreamHarness(search(limit: 2))
        harness.find(["a", "c"], part: 0)
        harness.find(["b", "d"], part: 1)
        harness.finish(part: 0, [report(0, found: 2), report(1)])
        harness.finish(part: 1, [report(2, found: 3)])
        let done = try #require(harness.completions.first)
        #expect(try harness.delivered == ["a", "b"])
        #expect(try key(of: done.nextBytes) == "b")
        #expect(done.previousBytes.isEmpty)
    }

    @Test("Q-34: A worker that sends what the page before had is not believed")
    func repeated() throws {
        for (name, isBackwards) in [("b", false), ("a", false), ("b", true), ("c", true)] {
            var harness = try harness("b", limit: 2, isBackwards: isBackwards)
            find([name], of: 1, part: 0, in: &harness)
            #expect(harness.stream.faultCount == 1, "\(name), \(isBackwards)")
            #expect(try harness.delivered == [])
        }
    }

    @Test("Q-33: An answer that was delivered whole has no cursors")
    func whole() throws {
        var harness = try StreamHarness(search())
        harness.find(["a"], part: 0)
        harness.find(["b"], part: 1)
        harness.finishAll()
        let done = try #require(harness.completions.first)
        #expect(done.nextBytes.isEmpty && done.previousBytes.isEmpty)
    }

    @Test(
        "Q-34: Workers get the key and the direction, at the cursor's snapshot",
        arguments: [
            false, true,
        ])
    func subqueries(isBackwards: Bool) throws {
        let harness = try harness("m", limit: 2, isBackwards: isBackwards)
        for worker in ["a", "b"] {
            guard case .subquery(let subquery) = harness.commands(to: worker).first else {
                Issue.record("no SUBQUERY for \(worker)")
                continue
            }
            #expect(
                subquery.page == PagePosition(key: Array("m".utf8), isBackwards: isBackwards))
            #expect(subquery.search.afterBytes.isEmpty)
            #expect(subquery.targets.allSatisfy { $0.snapshot == 7 })
        }
    }

    @Test("Q-35: A page backwards is the last of what precedes the cursor, in the usual order")
    func backwards() throws {
        var harness = try harness("m", limit: 3, isBackwards: true)
        find(["c", "e", "g"], of: 5, part: 0, in: &harness)
        #expect(try harness.delivered.isEmpty)
        find(["b", "f"], of: 2, part: 1, in: &harness)
        harness.finish(part: 0, [report(0, found: 20), report(1)])
        harness.finish(part: 1, [report(2, found: 2)])
        let done = try #require(harness.completions.first)
        #expect(try harness.delivered == ["e", "f", "g"])
        #expect(done.complete)
        #expect(try key(of: done.nextBytes) == "g")
        #expect(try key(of: done.previousBytes) == "e")
        #expect(harness.completions.count == 1)
    }

    @Test("Q-35: The first page, reached backwards, has no previous cursor")
    func backToTheFirst() throws {
        var harness = try harness("m", limit: 9, isBackwards: true)
        find(["c"], of: 1, part: 0, in: &harness)
        find(["b"], of: 1, part: 1, in: &harness)
        harness.finish(part: 0, [report(0, found: 20), report(1)])
        harness.finish(part: 1, [report(2, found: 2)])
        let done = try #require(harness.completions.first)
        #expect(try harness.delivered == ["b", "c"])
        #expect(done.previousBytes.isEmpty && !done.nextBytes.isEmpty)
    }

    @Test("Q-33: The last page has no next cursor, and an empty one has none at all")
    func last() throws {
        var harness = try harness("m", limit: 3, isBackwards: false)
        find(["n"], of: 1, part: 0, in: &harness)
        harness.finish(part: 0, [report(0, found: 20), report(1)])
        harness.finish(part: 1, [report(2, found: 2)])
        let done = try #require(harness.completions.first)
        #expect(done.complete && done.nextBytes.isEmpty)
        #expect(try key(of: done.previousBytes) == "n")
    }

    @Test("A worker that sends less than it said to have is not believed")
    func liar() throws {
        var harness = try harness("m", limit: 3, isBackwards: false)
        find(["n"], of: 2, part: 0, in: &harness)
        harness.finish(part: 0, [report(0, found: 20), report(1)])
        harness.finish(part: 1, [report(2, found: 2)])
        #expect(harness.statuses == [.failed, .failed, .complete])
    }

    @Test("Q-36: A cursor that expired on one worker ends the query once, with 414")
    func expired() throws {
        var harness = try harness("m", limit: 3, isBackwards: false)
        find(["n"], of: 1, part: 0, in: &harness)
        var part = WirePartDone()
        part.shards = [report(2, .failed)]
        part.error = WireFailure(.cursorExpired, "gone")
        harness.receive(.partDone(part), part: 1)
        harness.finish(part: 0, [report(0, found: 1), report(1)])
        #expect(harness.completions.count == 1)
        let done = try #require(harness.completions.first)
        #expect(done.status == "failed" && done.error.code == 414 && !done.error.retriable)
        #expect(try harness.delivered.isEmpty)
    }
}
