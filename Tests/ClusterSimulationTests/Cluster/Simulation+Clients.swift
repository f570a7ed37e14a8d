@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// The applications: what they ask at random, and what they make of the answers.

extension Simulation {
    mutating func tell(_ number: Int, client event: ClientEvent) {
        let effects = clients[number].core.decide(event, at: now)
        for effect in effects {
            switch effect {
            case .send(let message, let lane):
                send(message, from: .client(number), lane: lane)
            case .connectData: connectData(.client(number), boot: 0)
            case .notify(let id, let notice): take(notice, of: id, number)
            case .log(let level, let text):
                trace.note(now, "client\(number) logs \(level): \(text)")
            }
        }
    }

    /// One thing a client does by itself; then it plans the next.
    mutating func act(_ number: Int) {
        agenda.add(.act(client: number), at: now + random.milliseconds(5...250))
        grantFollows(number)
        guard !isCalm else { return grantEverything(number) }
        switch random.below(100) {
        // What is written by a broker that knows too little is not the question here.
        case ..<40 where !memory.isLost: putBatch(number)
        case ..<75: ask(number, randomSearch(number))
        case ..<90: grantSomething(number)
        case ..<95: cancelSomething(number)
        default: fetchState(number)
        }
    }

    // MARK: queries

    private mutating func randomSearch(_ number: Int) -> WireSearch {
        var search = WireSearch()
        search.query = random.chance(40) ? "title == \"lens*\"" : "rating >= \(random.below(6))"
        search.delivery = random.element(of: [.found, .settled, .final])
        search.coverage = Double(random.below(3)) / 2
        if !search.query.hasPrefix("title") {
            var key = WireSortKey()
            key.attribute = "rating"
            key.descending = random.chance(50)
            search.sort = [key]
        }
        if random.chance(60) { search.limit = UInt64(random.number(in: 1...30)) }
        if random.chance(10) { search.countOnly = true }
        if random.chance(20) { search.slot = "slot\(random.below(2))" }
        if random.chance(30) { search.indexes = [random.element(of: shape.indexes)] }
        if search.indexes.isEmpty { search.indexes = indexesToAsk }
        // No dice, so that the fates of all seeds stay as they were.
        let requests = clients[number].requestCount
        if requests % 3 == 0 {
            search.facets = SearchModel.facets(hasLittleRoom: requests % 2 == 0)
        }
        search.creditItems = UInt64(random.element(of: [1, 3, 20, 1_000]))
        search.creditBytes = random.chance(30) ? 600 : 1 << 20
        // Who follows every index there will be would follow those that are restored.
        if !store.isUsed && !shape.changesIndexes || !search.indexes.isEmpty {
            makeFollowed(&search, number)
        }
        return search
    }

    mutating func ask(
        _ number: Int, _ search: WireSearch, isFinal: Bool = false, after pages: ReadPages? = nil
    ) {
        let id = newRequest(number)
        clients[number].queries[id] = AskedQuery(
            search: search, askedAt: now, grantedItems: search.creditItems,
            grantedBytes: search.creditBytes, isFinal: isFinal, isTooEarly: isTooEarlyToJudge,
            isSafe: isSafeToAsk, pages: pages)
        trace.note(now, "client\(number) asks \(id.low): \(search.query)")
        let isLong = isFinal || shape.losesOneWorker || shape.isUndisturbed
        let budget = isLong ? Duration.seconds(20) : random.milliseconds(300...8_000)
        tell(number, client: .search(id, search, budget: budget))
    }

    /// Every index but those that are made from snapshots, which hold everything once more, and
    /// those that come and go.
    var indexesToAsk: [String] {
        guard store.isUsed || shape.changesIndexes else { return [] }
        if shape.changesIndexes, !isCalm { return shape.indexes }
        // The initial state decodes, and whatever was written later.
        let decoded = try? ClusterState(decoding: broker.disk)
        let state = broker.core?.state ?? decoded
        return shape.indexes.filter { state?.index(named: $0) != nil }
    }

    private mutating func grantSomething(_ number: Int) {
        guard let id = anyQuery(number) else { return }
        grant(id, number, items: UInt64(random.number(in: 1...50)), bytes: 20_000)
    }

    mutating func grantEverything(_ number: Int) {
        for id in runningQueries(number)
        where (clients[number].queries[id]?.usedItems ?? 0) + 500
            > (clients[number].queries[id]?.grantedItems ?? 0)
        {
            // The last questions live on little credit, so that every refill is needed.
            let isFinal = clients[number].queries[id]?.isFinal == true
            grant(id, number, items: isFinal ? 3 : 1_000, bytes: 1 << 20)
        }
    }

    private mutating func grant(_ id: RequestID, _ number: Int, items: UInt64, bytes: UInt64) {
        guard var query = clients[number].queries[id] else { return }
        query.grantedItems += items
        query.grantedBytes += bytes
        clients[number].queries[id] = query
        tell(
            number,
            client: .grant(id, items: query.grantedItems, bytes: query.grantedBytes))
    }

    private mutating func cancelSomething(_ number: Int) {
        guard let id = anyQuery(number) else { return }
        clients[number].queries[id]?.isCancelled = true
        tell(number, client: .cancel(id))
    }

    private func runningQueries(_ number: Int) -> [RequestID] {
        clients[number].queries.keys.sorted { $0.low < $1.low }
    }

    private mutating func anyQuery(_ number: Int) -> RequestID? {
        let running = runningQueries(number)
        return running.isEmpty ? nil : random.element(of: running)
    }

    // MARK: writes

    private mutating func putBatch(_ number: Int) {
        guard clients[number].puts.count < 4 else { return }
        let index = random.element(of: shape.indexes)
        clients[number].batchCount += 1
        let batch = clients[number].batchCount
        var put = WirePut()
        put.index = index
        put.clientLow = UInt64(number) + 1
        put.batchNumber = batch
        // One client imports and keeps its place in the client state of its index.
        var state: [UInt8]?
        if number == 0, index == shape.indexes[0], random.chance(60) {
            state = Array("batch \(batch)".utf8)
            put.clientStateBytes = state
            if let expected = clients[0].expectedState, random.chance(50) {
                put.expectedClientStateBytes = expected
            }
        }
        // A faulty client: the number stood for another batch, which may be under way.
        if state == nil, batch > 1, shape.hasMishaps, strangers.chance(8) {
            put.batchNumber = batch - 1
            tally.reusedNumbers += 1
        }
        var steps: [UInt32: [StepName]] = [:]
        var builder = PutBuilder(put)
        for _ in 0..<random.number(in: 1...6) {
            let (operation, names) = randomOperation(number, index, batch)
            let position = UInt32(builder.count)
            do {
                let fits = try builder.append(operation)
                precondition(fits, "a batch of \(builder.count) operations is full")
            } catch {
                violate(.messagesReadable, "a batch cannot be built: \(error)")
            }
            steps[position] = names
        }
        let id = newRequest(number)
        clients[number].puts[id] = SentBatch(
            steps: steps, state: state, expectsState: put.hasExpectedClientState,
            predecessor: clients[0].lastStateBatch)
        if let state {
            oracle.writeState(state, at: now)
            noteItems(steps, of: state)
            clients[0].lastStateBatch = id
            clients[0].expectedState = state
        }
        trace.note(
            now,
            "client\(number) puts batch \(batch) of \(builder.count) in \(index) as \(id.low): "
                + steps.sorted { $0.key < $1.key }.flatMap(\.value).map(\.identifier)
                .joined(separator: " "))
        tell(
            number,
            client: .put(
                id, builder.message, payload: builder.payload,
                budget: random.milliseconds(1_000...20_000)))
    }

    private mutating func randomOperation(
        _ number: Int, _ index: String, _ batch: UInt64
    ) -> (BatchOperation, [StepName]) {
        let domain = "\(index).client\(number)"
        if random.chance(2) {
            let names = oracle.identifiers.filter { $0.hasPrefix("\(index)/\(number)/") }.map {
                oracle.write(nil, to: $0, at: now)
            }
            return (.deleteDomain(domain), names)
        }
        let identifier = "\(index)/\(number)/\(random.below(40))"
        if random.chance(12) {
            return (.deleteIdentifier(identifier), [oracle.write(nil, to: identifier, at: now)])
        }
        let kind = random.chance(60) ? "lens" : "mirror"
        var document = Document(uniqueIdentifier: identifier, domainIdentifier: domain)
        document.attributes["title"] = .string("\(kind) \(batch).\(random.below(1_000_000))")
        document.attributes["rating"] = .number(Double(random.below(10)))
        if seed % 3 == 0, random.chance(20) {
            let root = random.chance(30) ? StoredShard.nothing : "thing"
            document.attributes["relatedUniqueIdentifier"] = .string("\(root) \(random.below(5))")
        }
        return (.index(document), [oracle.write(document, to: identifier, at: now)])
    }

    private mutating func fetchState(_ number: Int) {
        let id = newRequest(number)
        clients[number].stateRequests[id] = AskedState(at: now, isTooEarly: isTooEarlyToJudge)
        tell(
            number,
            client: .fetchState(id, index: shape.indexes[0], budget: .milliseconds(3_000)))
    }

    mutating func newRequest(_ number: Int) -> RequestID {
        clients[number].requestCount += 1
        return RequestID(high: UInt64(number) + 1, low: clients[number].requestCount)
    }
}
