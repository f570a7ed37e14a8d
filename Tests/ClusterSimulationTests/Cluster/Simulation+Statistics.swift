@testable import FresnelCluster
import FresnelModel
import FresnelWire

// Term statistics that the broker remembered: every worker that scores with them is asked, behind
// its back, what it would have counted at that moment. Once all parts of a query have matched, the
// sum of that must be what they were given.

/// What the workers of one query would have counted, part by part.
struct CachedCount {
    var parts: [UInt32: UInt64] = [:]
    let claimed: UInt64
}

extension EngineTask {
    /// Fresh statistics, when those that came with the query are of another state of a shard.
    func objection(_ shards: [ShardKey: StoredShard]) -> WireStatistics? {
        guard !subquery.statistics.sequences.isEmpty else { return nil }
        let counted = count(shards)
        return counted.sequences == subquery.statistics.sequences ? nil : counted
    }
}

extension Simulation {
    /// Notes that a worker scores with remembered statistics, and compares once all parts have.
    mutating func checkCachedCount(_ id: TaskID, _ number: Int) {
        guard let task = workers[number].tasks[id], let core = broker.core,
            let envelope = workers[number].core?.tasks.envelope(of: id),
            workers[number].core?.session.welcome?.incarnation == UInt64(broker.boot),
            let stream = core.queries.stream(numbered: envelope.id.low),
            stream.statisticsSource == .cached, stream.movedParts == 0, task.subquery.rest.isEmpty
        else { return }
        let name = CreditLedger.Part(
            brokerBoot: UInt64(broker.boot), worker: 0, query: envelope.id.low, part: 0)
        let claimed = task.subquery.statistics.documents
        var count = cachedCounts[name] ?? CachedCount(claimed: claimed)
        count.parts[envelope.part] = task.count(workers[number].disk).documents
        cachedCounts[name] = count
        guard count.parts.count == stream.parts.count else { return }
        cachedCounts[name] = nil
        tally.cachedAnswers += 1
        let asked = count.parts.values.reduce(0, +)
        if claimed != asked {
            violate(
                .statisticsTrue, "statistics from the cache count \(claimed), the workers \(asked)")
        }
    }
}
