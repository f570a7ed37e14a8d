@testable import FresnelCluster
import FresnelModel
import FresnelWire

// Every promise that the simulator checks, each in one place. Credit and "one end" are checked
// where messages pass (CreditLedger, Simulation+Notices); the rest stands here.

extension Simulation {
    // MARK: always

    /// Tables never outgrow what their limits and the number of peers allow.
    mutating func checkAlways() {
        guard let core = broker.core else { return }
        let puts = clients.reduce(0) { $0 + Int($1.batchCount) }
        if core.writes.pendingCount > puts { violate("\(core.writes.pendingCount) batches pend") }
        if core.queries.count > Limits.activeQueries {
            violate("\(core.queries.count) queries run")
        }
        if core.counters.congestedSends > 0 { violate("a send was congested") }
        if core.counters.faultyParts > 0 { violate("an honest worker was not believed") }
        for worker in workers.indices {
            guard let worker = workers[worker].core else { continue }
            if worker.tasks.count > Limits.tasksPerWorker { violate("\(worker.tasks.count) tasks") }
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
        if let fault { violate("worker\(number), query \(message.envelope.id.low): \(fault)") }
    }

    // MARK: at the end of a query

    mutating func check(_ done: WireDone, _ query: AskedQuery, _ number: Int) {
        checkManifest(done, query)
        checkOrder(done, query)
        checkContents(done, query)
        checkFacets(done, query)
        checkLostDisks(done, query)
        checkPages(done, query)
        if query.isFinal, !done.complete {
            violate("the last query of client\(number) is \(done.status): \(done.shards)")
        }
    }

    /// Complete means that every shard of every index asked was searched whole, and nothing else
    /// is.
    private mutating func checkManifest(_ done: WireDone, _ query: AskedQuery) {
        let isWhole = done.shards.allSatisfy { $0.status == .complete && $0.searched == $0.owned }
        if done.complete, !isWhole { violate("complete although a shard is not: \(done.shards)") }
        if done.complete != (done.status == "complete") {
            violate("status \(done.status) and complete \(done.complete)")
        }
        let names = Set(done.shards.map { "\($0.index)/\($0.shard)" })
        if names.count != done.shards.count { violate("a shard reports twice: \(done.shards)") }
        let indexes = Set(done.shards.map(\.index))
        if done.shards.count != indexes.count * Int(shape.shards) {
            violate("\(done.shards.count) reports of \(indexes.count) × \(shape.shards) shards")
        }
        if done.delivered != query.usedItems, !query.isCancelled {
            violate("DONE says \(done.delivered) were delivered, \(query.usedItems) came")
        }
        if query.search.hasLimit, query.usedItems > query.search.limit {
            violate("\(query.usedItems) hits under the limit \(query.search.limit)")
        }
        if done.found < done.delivered { violate("\(done.delivered) hits of \(done.found) found") }
        guard done.complete, !query.search.countOnly, query.pages == nil else { return }
        let expected = query.search.hasLimit ? min(query.search.limit, done.found) : done.found
        if query.usedItems != expected {
            violate("complete, found \(done.found), but \(query.usedItems) came")
        }
    }

    /// Ordered deliveries never descend by sort key, and the digest is that of what came. (Equal
    /// keys are two versions of one document, which a write that is not yet acknowledged may show.)
    private mutating func checkOrder(_ done: WireDone, _ query: AskedQuery) {
        guard query.search.delivery != .found else { return }
        var digest = OrderDigest()
        var former: [UInt8]?
        for hit in query.hits {
            digest.append(hit.key[...])
            if let former, hit.key.lexicographicallyPrecedes(former) {
                violate("hits out of order: \(hit.document.uniqueIdentifier)")
            }
            former = hit.key
        }
        if done.digest != digest.text { violate("digest \(done.digest) is not that of the hits") }
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
                violate("phantom \(identifier) \(hit.document.title); allowed: \(titles(allowed))")
            }
            if allowed.count == 1, seen[identifier] != 1 { violate("\(identifier) came twice") }
            if !model.matches(hit.document) { violate("\(identifier) does not match") }
        }
        guard done.complete, query.pages == nil else { return }
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
                violate("index \(index) holds \(identifier) and was not searched")
                continue
            }
            guard !query.search.countOnly, seen[identifier] == nil else { continue }
            if isCut {
                guard query.search.delivery != .found, let last = query.hits.last else { continue }
                let documents = documentsCounted(last, model)
                let key = model.key(of: document, documents: documents)
                guard key.lexicographicallyPrecedes(last.key) else { continue }
            }
            violate("\(identifier) was acknowledged and is missing from a complete answer")
        }
        if done.found < certain || done.found > certain + uncertain {
            violate("found \(done.found), expected \(certain) to \(certain + uncertain)")
        }
    }

    /// Every worker scored with the same statistics.
    private mutating func checkStatistics(_ query: AskedQuery, _ model: SearchModel) {
        guard model.isScored else { return }
        let counts = Set(query.hits.map { documentsCounted($0, model) })
        if counts.count > 1 { violate("scores were made with different statistics: \(counts)") }
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
        guard done.complete else { return }
        for worker in workers where query.askedAt >= worker.lostAt {
            for shard in done.shards {
                let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
                guard worker.lost[key] != nil else { continue }
                violate("complete although \(worker.name) lost \(key)")
            }
        }
    }

    // MARK: client state

    /// The stored client state is that of the newest acknowledged batch with one, or of a later
    /// one.
    mutating func checkState(_ state: [UInt8]?, askedAt: Instant) {
        let allowed = oracle.allowedStates(asked: askedAt, ended: now)
        guard !allowed.contains(state) else { return }
        let text = { (state: [UInt8]?) in
            state.map { String(decoding: $0, as: UTF8.self) } ?? "none"
        }
        violate("client state \(text(state)); allowed: \(allowed.map(text))")
    }

    // MARK: the end

    /// Whether every request has come to its end.
    var isIdle: Bool {
        isCalm
            && clients.allSatisfy {
                $0.queries.isEmpty && $0.puts.isEmpty && $0.stateRequests.isEmpty
            }
            && broker.core != nil && broker.pausedUntil < now
            && workers.allSatisfy { $0.core != nil && $0.pausedUntil < now }
            && clients.allSatisfy { $0.core.session.state == .open && $0.pausedUntil < now }
            && broker.core?.workers.all.count == workers.count
            && broker.core?.hasEveryShard == true
    }

    /// Once misfortunes stop, everything comes to its end.
    mutating func expectIdle() {
        guard !isIdle else { return }
        violate(
            "no rest: \(clients.map { ($0.queries.count, $0.puts.count, $0.core.session.state) }), "
                + "workers \(workers.map { $0.core.map { "\($0.session.state)" } ?? "down" }), "
                + "broker \(broker.core.map { "\($0.workers.all.count) workers" } ?? "down")")
    }

    mutating func askForEverything() {
        guard violation == nil else { return }
        for number in clients.indices {
            var search = WireSearch()
            search.query = "rating >= 0"
            search.delivery = .settled
            search.coverage = 1
            search.creditItems = 2
            search.creditBytes = 1 << 20
            var key = WireSortKey()
            key.attribute = "rating"
            search.sort = [key]
            ask(number, search, isFinal: true)
        }
    }

    /// Every client's last question was answered (its contents were checked on arrival).
    mutating func expectFinalAnswers() {
        for client in clients where !client.queries.isEmpty {
            violate("client\(client.number) still waits for its last answer")
        }
        let state = broker.core?.state.index(named: shape.indexes[0])?.clientState
        checkState(state, askedAt: now)
    }

    /// Nothing is left over anywhere.
    mutating func expectNothingLeft() {
        guard violation == nil, let core = broker.core else { return }
        if core.tails.count > 0 { violate("\(core.tails.count) queries are still followed") }
        if core.queries.count > 0 { violate("\(core.queries.count) queries are left") }
        if core.writes.pendingCount > 0 { violate("\(core.writes.pendingCount) batches are left") }
        if !core.writes.isAtRest { violate("write queues or credit are left: \(core.writes)") }
        if core.sessions.count != workers.count + clients.count {
            violate("\(core.sessions.count) sessions for \(workers.count + clients.count) peers")
        }
        for number in workers.indices {
            let tasks = workers[number].core?.tasks.count ?? 0
            if tasks > 0 { violate("worker\(number) still has \(tasks) tasks") }
            if !workers[number].tasks.isEmpty {
                violate("worker\(number) never forgot \(workers[number].tasks.keys)")
            }
            let tickets = workers[number].core?.ticketCount ?? 0
            if tickets > 0 { violate("worker\(number) still has \(tickets) tickets") }
        }
        for client in clients where client.core.pendingCount > 0 {
            violate("client\(client.number) still has \(client.core.pendingCount) requests")
        }
    }
}
