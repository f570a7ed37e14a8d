import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Last hits inside PART_DONE")
struct FoldedEndTests {
    /// A part's only hits and its end as one message.
    private func end(
        _ harness: inout StreamHarness, part: Int, _ names: [String], found: UInt64? = nil,
        sequence: UInt64 = 0, payload: [UInt8]? = nil
    ) {
        var done = WirePartDone()
        done.shards = part == 0 ? [report(0), report(1)] : [report(2)]
        done.shards[0].found = found ?? UInt64(names.count)
        done.last.items = UInt64(names.count)
        harness.receive(
            .partDone(done), part: part, sequence: sequence, payload: payload ?? hitBatch(names))
    }

    @Test("Q-70: The answer is that of the two messages, in one step")
    func whole() throws {
        var folded = try StreamHarness(search(limit: 3))
        end(&folded, part: 0, ["b", "d"])
        #expect(folded.toClient.count == 1, "only ACCEPTED: part 1 may have an earlier hit")
        end(&folded, part: 1, ["a", "c"])
        var apart = try StreamHarness(search(limit: 3))
        apart.find(["b", "d"], part: 0)
        apart.find(["a", "c"], part: 1)
        apart.finishAll()
        #expect(try folded.delivered == ["a", "b", "c"])
        #expect(try apart.delivered == folded.delivered)
        #expect(folded.completions.map(\.digest) == apart.completions.map(\.digest))
        #expect(folded.completions.first?.complete == true)
        #expect(folded.toClient.map(\.verb) == [.accepted, .found, .done])
        #expect(verbs(folded, .credit) < verbs(apart, .credit), "nobody is told of enough")
    }

    private func verbs(_ harness: StreamHarness, _ verb: Verb) -> Int {
        harness.toWorkers.count { $0.message.verb == verb }
    }

    @Test(
        "Q-70: Hits that cannot be believed fail the part, whatever its report says",
        arguments: 0...2)
    func lies(kind: Int) throws {
        var harness = try StreamHarness(search())
        switch kind {
        case 0: end(&harness, part: 0, ["b", "a"])
        case 1: end(&harness, part: 0, ["a"], sequence: 1)
        default: end(&harness, part: 0, ["a"], payload: [1])
        }
        end(&harness, part: 1, ["c"])
        #expect(harness.completions.count == 1)
        #expect(harness.statuses == [.failed, .failed, .complete])
        #expect(try harness.delivered == ["c"])
    }

    @Test("Q-2: A client that does without ACCEPTED gets none")
    func unannounced() throws {
        var quiet = search()
        quiet.unannounced = true
        var harness = try StreamHarness(quiet)
        #expect(harness.toClient.isEmpty)
        harness.finishAll()
        #expect(harness.toClient.map(\.verb) == [.done])
    }
}
