import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire

@testable import FresnelWorker

/// One search on the worker's searching thread, without the thread.
struct SearchTask {
    struct Answer: Equatable {
        var identifiers: [String] = []
        /// Why the search or the shard failed.
        var failure: String?
    }

    let table: ReplicaTable
    let environment: Environment

    func run(
        _ query: String, shard: ShardKey, at sequence: UInt64, keys: [WireCustomKey]
    ) -> Answer {
        let events = EventList()
        let handler = SearchHandler(table: table, environment: environment) { events.append($0) }
        var subquery = WireSubquery()
        subquery.search.query = query
        subquery.search.delivery = .final
        subquery.search.allAttributes = true
        subquery.search.context.now = 86_400
        subquery.search.context.timeZone = "UTC"
        subquery.customKeys = keys
        var target = WireShardTarget()
        target.index = shard.index
        target.shard = shard.shard.number
        target.snapshot = sequence
        subquery.targets = [target]
        let control = SearchControl(time: environment.time)
        handler.receive(.match(TaskID(1), subquery, control, queuedAt: 0))
        handler.receive(.produce(TaskID(1), maximumItems: 1000, maximumBytes: 1 << 20))
        return events.take().reduce(into: Answer()) { answer, event in
            Self.note(event, in: &answer)
        }
    }

    private static func note(_ event: WorkerEvent, in answer: inout Answer) {
        switch event {
        case .searchFailed(_, let reason): answer.failure = reason
        case .matched(_, let outcome):
            for report in outcome.reports where report.status == .failed {
                answer.failure = report.message
            }
        case .produced(_, let batch): answer.identifiers += identifiers(in: batch)
        default: break
        }
    }

    private static func identifiers(in batch: ProducedBatch) -> [String] {
        guard batch.items > 0 else { return [] }
        do {
            let reader = try HitBatchReader(batch.payload)
            return try (0..<reader.count).map { place in
                try HitBody(reader.bytes, in: reader.bodyRange(place)).decodeDocument()
                    .uniqueIdentifier
            }
        } catch {
            return ["unreadable: \(error)"]
        }
    }
}
