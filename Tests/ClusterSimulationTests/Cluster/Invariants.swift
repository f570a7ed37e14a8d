@testable import FresnelCluster
import FresnelModel
import FresnelWire

// Every promise that the simulator checks, each by its name (StreamInvariant). Credit and "one end"
// are checked where messages pass (CreditLedger, Simulation+Notices), the exact order in
// Simulation+Order, what must be true in the end in Invariants+End; the rest stands here.

extension Simulation {
    // MARK: always

    /// Tables never outgrow what their limits and the number of peers allow.
    mutating func checkAlways() {
        guard let core = broker.core else { return }
        let puts = clients.reduce(0) { $0 + Int($1.batchCount) }
        if core.writes.pendingCount > puts {
            violate(.memoryBounded, "\(core.writes.pendingCount) batches pend")
        }
        checkCoverage(core)
        if core.queries.count > Limits.activeQueries {
            violate(.memoryBounded, "\(core.queries.count) queries run")
        }
        if core.counters.congestedSends > 0 { violate(.memoryBounded, "a send was congested") }
        // The tries of a round contradict each other where a disk was given up between them.
        if core.counters.faultyParts > 0, forsaken.isEmpty {
            violate(.countsTrue, "an honest worker was not believed")
        }
        for worker in workers.indices {
            guard let worker = workers[worker].core else { continue }
            if worker.tasks.count > Limits.tasksPerWorker {
                violate(.memoryBounded, "\(worker.tasks.count) tasks")
            }
        }
    }

    /// A worker never sends beyond the credit the broker granted, and without gaps.
    mutating func checkWorkerCredit(_ message: Message, _ number: Int) {
        guard case .found(let found) = message.command,
            let welcome = workers[number].core?.session.welcome
        else { return }
        let part = CreditLedger.Part(
            brokerBoot: welcome.incarnation, worker: number, query: message.envelope.id.low,
            part: message.envelope.part)
        let fault = ledger.use(
            part, sequence: message.envelope.sequence, items: found.items,
            bytes: UInt64(message.payload?.count ?? 0))
        if let fault {
            violate(fault.invariant, "worker\(number), query \(message.envelope.id.low): \(fault)")
        }
    }

    // MARK: at the end of a query

    mutating func check(_ done: WireDone, _ query: AskedQuery, _ number: Int) {
        if memory.isLost, done.status == "incomplete" { tally.honestAnswers += 1 }
        checkManifest(done, query)
        checkContents(done, query)
        checkFacets(done, query)
        checkLostDisks(done, query)
        checkPages(done, query)
        checkSurvival(done, query)
        if query.isFinal, !done.complete {
            violate(
                .restReached,
                "the last query of client\(number) is \(done.status):\(Self.lacks(done.shards))")
        }
    }

    /// Complete means that every shard of every index asked was searched whole, and nothing else
    /// is.
    private mutating func checkManifest(_ done: WireDone, _ query: AskedQuery) {
        let isWhole = done.shards.allSatisfy { $0.status == .complete && $0.searched == $0.owned }
        if done.complete, !isWhole {
            violate(
                .manifestSumsToOwned, "complete although a shard is not:\(Self.lacks(done.shards))")
        }
        if done.complete != (done.status == "complete") {
            violate(.manifestSumsToOwned, "status \(done.status) and complete \(done.complete)")
        }
        let names = Set(done.shards.map { "\($0.index)/\($0.shard)" })
        if names.count != done.shards.count {
            violate(.manifestSumsToOwned, "a shard reports twice:\(Self.lacks(done.shards))")
        }
        let indexes = Set(done.shards.map(\.index))
        // Of an index that only some workers told of yet not all shards are known.
        if done.shards.count != indexes.count * Int(shape.shards), !memory.isLost || done.complete {
            violate(
                .manifestSumsToOwned,
                "\(done.shards.count) reports of \(indexes.count) × \(shape.shards) shards")
        }
        if done.delivered != query.usedItems, !query.isCancelled {
            violate(
                .countsTrue, "DONE says \(done.delivered) were delivered, \(query.usedItems) came")
        }
        if query.search.hasLimit, query.usedItems > query.search.limit {
            violate(.countsTrue, "\(query.usedItems) hits under the limit \(query.search.limit)")
        }
        if done.found < done.delivered {
            violate(.countsTrue, "\(done.delivered) hits of \(done.found) found")
        }
        guard done.complete, !query.search.countOnly, query.pages == nil else { return }
        let expected = query.search.hasLimit ? min(query.search.limit, done.found) : done.found
        if query.usedItems != expected {
            violate(.countsTrue, "complete, found \(done.found), but \(query.usedItems) came")
        }
    }

    /// Hits are what was written (no phantoms), and a complete answer misses nothing acknowledged.
    private mutating func checkContents(_ done: WireDone, _ query: AskedQuery) {
        let model = SearchModel(query.search)
        checkStatistics(query, model)
        var seen: [String: Int] = [:]
        for hit in query.hits { seen[hit.document.uniqueIdentifier, default: 0] += 1 }
        for hit in query.hits {
            let identifier = hit.document.uniqueIdentifier
            let allowed = oracle.allowed(
                identifier, asked: query.decidedFrom, ended: query.decidedUntil(now))
            if !allowed.contains(hit.document) {
                violate(
                    phantom(hit.document, decided: query.decidedFrom),
                    "phantom \(identifier) \(hit.document.title); allowed: \(titles(allowed))")
            }
            if allowed.count == 1, seen[identifier] != 1 {
                violate(.answerExact, "\(identifier) came twice")
            }
            if !model.matches(hit.document) {
                violate(.answerExact, "\(identifier) does not match")
            }
        }
        guard done.complete, query.pages == nil, !query.isTooEarly else { return }
        checkNothingMissing(done, query, model, seen)
    }

    private mutating func checkNothingMissing(
        _ done: WireDone, _ query: AskedQuery, _ model: SearchModel, _ seen: [String: Int]
    ) {
        let indexes = Set(done.shards.map(\.index))
        let isCut = query.search.hasLimit && query.usedItems == query.search.limit
        var certain: UInt64 = 0
        var uncertain: UInt64 = 0
        for identifier in oracle.identifiers {
            let index = String(identifier.prefix { $0 != "/" })
            let asked = query.search.indexes
            guard asked.isEmpty || asked.contains(index) else { continue }
            let allowed = oracle.allowed(identifier, asked: query.askedAt, ended: now)
            if allowed.count > 1 { uncertain += 2 }
            guard allowed.count == 1, let document = allowed[0], model.matches(document) else {
                continue
            }
            certain += 1
            guard indexes.contains(index) else {
                violate(.answerExact, "index \(index) holds \(identifier) and was not searched")
                continue
            }
            guard !query.search.countOnly, seen[identifier] == nil else { continue }
            if isCut {
                guard query.search.delivery != .found, let last = query.hits.last else { continue }
                let documents = documentsCounted(last, model)
                let key = model.key(of: document, documents: documents)
                guard key.lexicographicallyPrecedes(last.key) else { continue }
            }
            violate(
                .writesKept, "\(identifier) was acknowledged and is missing from a complete answer")
        }
        if done.found < certain || done.found > certain + uncertain {
            violate(
                .countsTrue, "found \(done.found), expected \(certain) to \(certain + uncertain)")
        }
    }

    /// Every worker scored with the same statistics.
    private mutating func checkStatistics(_ query: AskedQuery, _ model: SearchModel) {
        guard model.isScored else { return }
        let counts = Set(query.hits.map { documentsCounted($0, model) })
        if counts.count > 1 {
            violate(.statisticsTrue, "scores were made with different statistics: \(counts)")
        }
    }

    private func documentsCounted(
        _ hit: (key: [UInt8], document: Document, score: Double?), _ model: SearchModel
    ) -> UInt64 {
        hit.score.map { UInt64(($0 - hit.document.rating) / 100) } ?? 0
    }

    private func titles(_ documents: [Document?]) -> [String] {
        documents.map { $0?.title ?? "absent" }
    }

    /// While a worker's disk is lost, and nobody gave it up, no answer is complete over its shards.
    private mutating func checkLostDisks(_ done: WireDone, _ query: AskedQuery) {
        guard done.complete, shape.replication == 1, shape.membership == .fixed else { return }
        for worker in workers where query.askedAt >= worker.lostAt {
            for shard in done.shards {
                let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
                guard worker.lost[key] != nil else { continue }
                violate(.manifestSumsToOwned, "complete although \(worker.name) lost \(key)")
            }
        }
    }
}
