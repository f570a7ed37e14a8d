import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelWire
import Synchronization
import Testing

@testable import FresnelSystem
@testable import FresnelWorker

@Suite("What a search thread computes")
struct AwaitedSearchTests {
    @Test("is marked as waited for, whatever it is asked for, and nothing else is")
    func marked() throws {
        let bench = try WorkerBench()
        bench.host()
        let documents = (0..<9).map { WorkerBench.document("d\($0)") }
        _ = try bench.ingest(WorkerBench.part(1, after: 0, batch: 1, documents))
        let marks = Mutex<[Bool]>([])
        // It reports while it computes, on the same thread.
        let handler = SearchHandler(table: bench.table, environment: bench.environment) { _ in
            marks.withLock { $0.append(YieldBackoff.shared.isOwn) }
        }
        var subquery = WireSubquery()
        subquery.search.query = "uniqueIdentifier == \"d*\""
        subquery.search.delivery = .final
        subquery.search.context.now = 86_400
        subquery.search.context.timeZone = "UTC"
        var target = WireShardTarget()
        target.index = WorkerBench.shard.index
        target.shard = WorkerBench.shard.shard.number
        target.snapshot = 1
        subquery.targets = [target]
        let control = SearchControl(time: bench.time)
        let mails: [SearchHandler.Mail] = [
            .count(TaskID(1), subquery, control),
            .match(TaskID(2), subquery, control, queuedAt: 0),
            .produce(TaskID(2), maximumItems: 100, maximumBytes: 1 << 20),
        ]
        for mail in mails {
            #expect(!YieldBackoff.shared.isOwn)
            handler.receive(mail)
        }
        #expect(marks.withLock { $0 } == [true, true, true])
        #expect(!YieldBackoff.shared.isOwn)
    }
}
