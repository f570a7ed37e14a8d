import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("What admission learns from queries")
struct AdmissionStreamTests {
    /// Asks two workers at `seconds`; they give their counts a second later, and say a second after
    /// that that all of it was waiting in a queue.
    private func ask(_ table: inout QueryTable, _ number: UInt64, at seconds: Double) throws {
        let shards = part(of: "a", shards: [0]) + part(of: "b", shards: [1])
        let plan = try QueryPlan(
            search("title == \"lens\(number)*\""), shards: shards, schema: AttributeSchema(),
            at: moment())
        table.admission.pass(to: at(seconds))
        _ = table.start(
            plan, request: request(number), client: SessionID(1), at: at(seconds),
            deadline: at(seconds + 10))
        table.admission.pass(to: at(seconds + 1))
        for worker in [UInt32(0), 1] {
            var counts = WireStatistics()
            counts.documents = 10
            counts.leafDocuments = [2]
            counts.sequences = [5]
            answer(&table, number, worker, .statisticsReply(counts), at: seconds + 1)
        }
        table.admission.pass(to: at(seconds + 2))
        for worker in [UInt32(0), 1] {
            var shard = report(worker)
            shard.queueUs = 1_000_000
            var done = WirePartDone()
            done.shards = [shard]
            answer(&table, number, worker, .partDone(done), at: seconds + 2)
        }
    }

    private func answer(
        _ table: inout QueryTable, _ number: UInt64, _ part: UInt32, _ command: Command,
        at seconds: Double
    ) {
        let envelope = Envelope(id: RequestID(high: 0, low: number), part: part)
        _ = table.receive(
            Message(envelope, command), from: WorkerID(part == 0 ? "a" : "b"), at: at(seconds))
    }

    @Test("A queue that both questions of a query waited in is taken for a queue, and all of it")
    func bothQuestions() throws {
        var table = QueryTable()
        for number in 1...20 as ClosedRange<UInt64> {
            try ask(&table, number, at: Double(number) * 2)
        }
        #expect(table.count == 0 && table.admission.total == 0)
        for _ in 0..<4 { table.admission.begin(SessionID(1)) }
        let delay = try #require(table.admission.delay)
        #expect(abs(delay.inSeconds - 8) < 0.3, "four, of which each takes two seconds")
    }
}
