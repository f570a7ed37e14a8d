import FresnelModel
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Custom keys on a worker")
struct CustomKeyTests {
    private static let query = "com_shop_note == \"blue\""

    @Test("A query's keys are understood by a shard that never saw the declaring batch")
    func keyOfTheQuery() throws {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        // Read as a Boolean by the broker, it must not be a broken text here.
        let key = WireCustomKey(try CustomAttributeKey("com_shop_new", .boolean))
        let query = "com_shop_new >= true"
        #expect(bench.search(query, at: 1, keys: [key]) == SearchTask.Answer())
        #expect(bench.search(query, at: 1).failure?.contains(">=") == true)
    }

    @Test("A part's keys are known afterwards, whatever its operations use, also after a restart")
    func keyOfThePart() throws {
        let bench = try WorkerBench()
        bench.host()
        let note = try WireCustomKey.note()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [.deleteIdentifier("x")], keys: [note]))
        #expect(bench.search(Self.query, at: 1) == SearchTask.Answer())
        var document = Document(uniqueIdentifier: "lamp")
        document.attributes["com_shop_note"] = .string("blue")
        let answer = try bench.ingest(WorkerBench.part(2, after: 1, batch: 2, [.index(document)]))
        #expect(answer.refusals.isEmpty)
        #expect(bench.search(Self.query, at: 2).identifiers == ["lamp"])
        bench.restart()
        bench.host()
        #expect(bench.search(Self.query, at: 2).identifiers == ["lamp"])
    }
}
