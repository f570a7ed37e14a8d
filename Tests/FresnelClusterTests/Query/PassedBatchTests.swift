import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Batches without an order")
struct PassedBatchTests {
    @Test("Q-6: Whole batches are passed on as they came")
    func whole() throws {
        var harness = try StreamHarness(search(delivery: .found))
        harness.find(["b", "a"], part: 1)
        harness.find(["c"], part: 0)
        harness.finishAll()
        let found = harness.toClient.filter { $0.verb == .found }
        #expect(found.map(\.payload) == [hitBatch(["b", "a"]), hitBatch(["c"])])
        #expect(found.map(\.envelope.sequence) == [0, 1])
        #expect(try harness.delivered == ["b", "a", "c"])
        #expect(harness.completions.first?.delivered == 3)
        #expect(harness.completions.first?.complete == true)
    }

    @Test("Q-7: Of a batch that goes beyond the limit only the first hits are sent")
    func limited() throws {
        var harness = try StreamHarness(search(delivery: .found, limit: 3))
        harness.find(["a", "b"], part: 0)
        harness.find(["c", "d"], part: 1)
        #expect(try harness.delivered == ["a", "b", "c"])
        harness.finish(part: 0, [report(0, found: 2), report(1)])
        harness.finish(part: 1, [report(2, found: 2)])
        #expect(harness.completions.map(\.delivered) == [3])
    }

    @Test("C-1: A batch that goes beyond the credit waits, and its rest follows")
    func credit() throws {
        var few = search(delivery: .found)
        few.creditItems = 3
        var harness = try StreamHarness(few)
        harness.find(["a", "b"], part: 0)
        harness.find(["c", "d"], part: 1)
        #expect(try harness.delivered == ["a", "b", "c"])
        harness.take(harness.stream.grant(items: 10, bytes: 1 << 30, at: at(1)))
        #expect(try harness.delivered == ["a", "b", "c", "d"])
        let sent = harness.toClient.filter { $0.verb == .found }
        #expect(sent.map(\.envelope.sequence) == Array(0..<UInt64(sent.count)))
    }
}
