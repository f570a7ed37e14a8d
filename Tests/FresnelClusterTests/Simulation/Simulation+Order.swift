@testable import FresnelCluster
import FresnelModel
import FresnelWire

/// What the broker told its workers to read for one query, part by part.
struct Reading {
    let brokerBoot: Int
    let number: UInt64
    var targets: [UInt32: [WireShardTarget]] = [:]
}

// The exact order. Versions never change below the number that a query reads at, so the simulator
// can sort everything itself, behind the back of broker and workers: what was delivered must be the
// beginning of that, to the byte, in every answer that no shard is missing from, and also in one
// that was cancelled at any moment.

extension Simulation {
    /// Notes what a part reads.
    mutating func noteReading(_ subquery: WireSubquery, _ envelope: Envelope) {
        let number = envelope.id.low
        guard let stream = broker.core?.queries.stream(numbered: number) else { return }
        var reading = readings[stream.clientID]
        if reading?.brokerBoot != broker.boot || reading?.number != number {
            reading = Reading(brokerBoot: broker.boot, number: number)
        }
        reading?.targets[envelope.part] = subquery.targets
        readings[stream.clientID] = reading
    }

    /// Ordered deliveries never descend, the digest is that of what came, and what came is the
    /// beginning of what there is.
    mutating func checkOrder(_ done: WireDone, _ query: AskedQuery, _ id: RequestID) {
        let reading = readings.removeValue(forKey: id)
        guard query.search.delivery != .found else { return }
        var digest = OrderDigest()
        for hit in query.hits { digest.append(hit.key[...]) }
        if done.digest != digest.text {
            violate(.digestEqualAcrossReplicas, "digest \(done.digest) is not that of the hits")
        }
        if query.isFinal, done.complete {
            if let lastDigest, lastDigest != done.digest {
                violate(.digestEqualAcrossReplicas, "two clients got two answers to one question")
            }
            lastDigest = done.digest
        }
        let isWhole = done.shards.allSatisfy { $0.status == .complete || $0.status == .cancelled }
        guard isWhole, let reading, forsaken.isEmpty, workers.allSatisfy({ $0.lost.isEmpty })
        else { return }
        checkPrefix(of: reading, done, query)
    }

    private mutating func checkPrefix(
        of reading: Reading, _ done: WireDone, _ query: AskedQuery
    ) {
        tally.exactOrders += 1
        let model = SearchModel(query.search)
        let documents = query.hits.first?.score.map { UInt64($0 / 100) } ?? 0
        var keys: [[UInt8]] = []
        for target in reading.targets.values.joined() {
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            let shard = workers.lazy.compactMap { $0.disk[key] }.first
            for document in shard?.documents(at: SequenceNumber(target.snapshot)) ?? []
            where model.matches(document) {
                keys.append(model.key(of: document, documents: documents))
            }
        }
        keys.sort { $0.lexicographicallyPrecedes($1) }
        if done.complete, UInt64(keys.count) != done.found {
            violate(.countsTrue, "found \(done.found), the disks hold \(keys.count)")
        }
        let limit = query.search.hasLimit ? Int(query.search.limit) : keys.count
        if let cursor = try? Cursor(query.search.afterBytes) {
            keys = keys.filter {
                query.search.backwards
                    ? $0.lexicographicallyPrecedes(cursor.key)
                    : cursor.key.lexicographicallyPrecedes($0)
            }
        }
        keys = Array(query.search.backwards ? keys.suffix(limit) : keys.prefix(limit))
        let delivered = query.hits.map(\.key)
        let isPrefix = keys.starts(with: delivered)
        guard isPrefix, !done.complete || query.search.countOnly || delivered.count == keys.count
        else {
            let place = zip(keys, delivered).prefix { $0 == $1 }.count
            let came = place < delivered.count ? Self.text(delivered[place][...]) : "the end"
            let due = place < keys.count ? Self.text(keys[place][...]) : "the end"
            return violate(.settledPrefixFinal, "hit \(place) is \(came) where \(due) was due")
        }
    }
}
