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
// beginning of that, to the byte, also in an answer that was cancelled at any moment. Where shards
// failed or were lost, it holds for the hits of the others.

extension Simulation {
    /// Notes what a part reads.
    mutating func noteReading(_ subquery: WireSubquery, _ envelope: Envelope) {
        let number = envelope.id.low
        guard let stream = broker.core?.queries.stream(numbered: number) else { return }
        let id = stream.clientID
        var all = readings[id] ?? []
        if all.last?.brokerBoot != broker.boot || all.last?.number != number {
            all.append(Reading(brokerBoot: broker.boot, number: number))
            trace.note(now, "broker asks workers as 0:\(number) for \(id.high):\(id.low)")
        }
        all[all.count - 1].targets[envelope.part] = subquery.targets
        readings[id] = all
    }

    /// The reading that an answer is of: a query that comes twice, the second time when its answer
    /// is under way, is read twice, and the client takes the first answer.
    private func reading(of done: WireDone, among readings: [Reading]) -> Reading? {
        let snapshot = done.snapshot.map { ($0.index, $0.sequence) }
        let newest = Dictionary(snapshot, uniquingKeysWith: max)
        return readings.last { reading in
            let targets = reading.targets.values.joined().map { ($0.index, $0.snapshot) }
            return Dictionary(targets, uniquingKeysWith: max) == newest
        } ?? readings.last
    }

    /// Ordered deliveries never descend, the digest is that of what came, and what came is the
    /// beginning of what there is.
    mutating func checkOrder(_ done: WireDone, _ query: AskedQuery, _ id: RequestID) {
        var reading = reading(of: done, among: readings.removeValue(forKey: id) ?? [])
        if done.kept {
            tally.keptAnswers += 1
            reading = Self.reading(ofKept: done)
        }
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
        guard let reading, forsaken.isEmpty, workers.allSatisfy({ $0.lost.isEmpty }) else {
            return
        }
        checkPrefix(of: reading, done, query)
    }

    /// What a kept answer claims to show: each shard as it is now, up to its newest part.
    private static func reading(ofKept done: WireDone) -> Reading {
        let newest = Dictionary(
            done.snapshot.map { ($0.index, $0.sequence) }, uniquingKeysWith: max)
        let targets = done.shards.map { report in
            var target = WireShardTarget()
            target.index = report.index
            target.shard = report.shard
            target.snapshot = newest[report.index] ?? 0
            return target
        }
        return Reading(brokerBoot: 0, number: 0, targets: [0: targets])
    }

    /// Of the shards that are whole, or were whole until the client wanted no more, the delivered
    /// hits are the first ones.
    private mutating func checkPrefix(of reading: Reading, _ done: WireDone, _ query: AskedQuery) {
        let believed = done.shards.filter { $0.status == .complete || $0.status == .cancelled }
        let isWhole = believed.count == done.shards.count
        // Where a page ends backwards depends on all shards.
        guard isWhole || !query.search.backwards, !believed.isEmpty else { return }
        tally.exactOrders += 1
        let due = exactOrder(of: believed, reading, query)
        if done.complete, query.search.afterBytes.isEmpty, UInt64(due.count) != done.found {
            let text = differences(believed, reading, query)
            violate(.countsTrue, "found \(done.found), the disks hold \(due.count): \(text)")
        }
        let limit = query.search.hasLimit ? Int(query.search.limit) : due.count
        let keys = (query.search.backwards ? due.suffix(limit) : due.prefix(limit)).map(\.key)
        let titles = Set(due.map(\.document.title))
        let delivered = query.hits.filter { isWhole || titles.contains($0.document.title) }
            .map(\.key)
        let isEnough =
            !done.complete || query.search.countOnly || delivered.count == keys.count
        guard keys.starts(with: delivered), isEnough else {
            let place = zip(keys, delivered).prefix { $0 == $1 }.count
            let came = place < delivered.count ? Self.text(delivered[place][...]) : "the end"
            let due = place < keys.count ? Self.text(keys[place][...]) : "the end"
            return violate(.settledPrefixFinal, "hit \(place) is \(came) where \(due) was due")
        }
    }

    /// The shards that found something else than their disks hold.
    private func differences(
        _ shards: [WireShardReport], _ reading: Reading, _ query: AskedQuery
    ) -> String {
        shards.compactMap { report in
            let due = exactOrder(of: [report], reading, query)
            guard UInt64(due.count) != report.found else { return nil }
            let titles = due.map(\.document.title).sorted().joined(separator: ", ")
            return "\(report.index)/\(report.shard) on \(report.worker) found \(report.found), "
                + "there are \(due.count): \(titles)"
        }.joined(separator: "; ")
    }

    /// Every hit of some shards on the page's side of the cursor, in order.
    private func exactOrder(
        of shards: [WireShardReport], _ reading: Reading, _ query: AskedQuery
    ) -> [(key: [UInt8], document: Document)] {
        let model = SearchModel(query.search)
        let documents = query.hits.first?.score.map { UInt64($0 / 100) } ?? 0
        let cursor = try? Cursor(query.search.afterBytes)
        let readers = shards.map {
            (ShardKey(index: $0.index, shard: ShardID($0.shard)), WorkerID($0.worker))
        }
        let readerOf = Dictionary(readers) { first, _ in first }
        var order: [(key: [UInt8], document: Document)] = []
        var seen: Set<ShardKey> = []
        for target in reading.targets.values.joined() {
            let name = ShardKey(index: target.index, shard: ShardID(target.shard))
            // What was asked again elsewhere is read once.
            guard let reader = readerOf[name], seen.insert(name).inserted else { continue }
            let shard = trueShard(name, readOn: reader)
            for document in shard?.documents(at: SequenceNumber(target.snapshot)) ?? []
            where model.matches(document) {
                order.append((model.key(of: document, documents: documents), document))
            }
        }
        if let cursor {
            order = order.filter { hit in
                query.search.backwards
                    ? hit.key.lexicographicallyPrecedes(cursor.key)
                    : cursor.key.lexicographicallyPrecedes(hit.key)
            }
        }
        return order.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
}
