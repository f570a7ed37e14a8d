import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("The stream of a search on a worker")
struct SettledStreamTests {
    /// A worker with some documents of which all are found in the order of their identifiers.
    private func task(
        _ control: SearchControl, limit: UInt64? = nil
    ) throws -> (SearchHandler, EventList) {
        let bench = try WorkerBench()
        bench.host()
        let documents = (0..<9).map { WorkerBench.document("d\($0)") }
        _ = try bench.ingest(WorkerBench.part(1, after: 0, batch: 1, documents))
        let events = EventList()
        let handler = SearchHandler(table: bench.table, environment: bench.environment) {
            events.append($0)
        }
        var subquery = WireSubquery()
        subquery.search.query = "uniqueIdentifier == \"d*\""
        subquery.search.delivery = .final
        if let limit { subquery.search.limit = limit }
        subquery.search.context.now = 86_400
        subquery.search.context.timeZone = "UTC"
        var target = WireShardTarget()
        target.index = WorkerBench.shard.index
        target.shard = WorkerBench.shard.shard.number
        target.snapshot = 1
        subquery.targets = [target]
        handler.receive(.match(TaskID(1), subquery, control, queuedAt: 0))
        return (handler, events)
    }

    private func produce(
        _ count: Int, _ handler: SearchHandler, _ events: EventList
    ) throws -> ProducedBatch {
        handler.receive(.produce(TaskID(1), maximumItems: count, maximumBytes: 1 << 20))
        return try #require(
            events.take().reduce(nil) { found, event in
                if case .produced(_, let batch) = event { batch } else { found }
            })
    }

    private func keys(_ batch: ProducedBatch) throws -> [[UInt8]] {
        let reader = try HitBatchReader(batch.payload)
        return (0..<reader.count).map { Array(reader.key($0)) }
    }

    @Test("says with every batch the key of the next hit, and none at the end")
    func bound() throws {
        let (handler, events) = try task(SearchControl(time: ManualTime()))
        let batches = try (0..<3).map { _ in try produce(3, handler, events) }
        #expect(batches.map(\.items) == [3, 3, 3])
        #expect(batches.map(\.isLast) == [false, false, true])
        #expect(batches[0].bound == (try keys(batches[1]))[0])
        #expect(batches[1].bound == (try keys(batches[2]))[0])
        #expect(batches[2].bound.isEmpty)
    }

    @Test("ends behind the threshold that arrives while it runs")
    func threshold() throws {
        let control = SearchControl(time: ManualTime())
        let (handler, events) = try task(control, limit: 8)
        let first = try produce(2, handler, events)
        let second = try produce(3, handler, events)
        control.narrow(to: try keys(second)[2])
        let third = try produce(3, handler, events)
        #expect(!first.isLast && !second.isLast)
        #expect(third.isLast && third.items == 0 && third.bound.isEmpty)
    }
}
