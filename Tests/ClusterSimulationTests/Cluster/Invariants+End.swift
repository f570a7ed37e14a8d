@testable import FresnelCluster
import FresnelModel
import FresnelWire

// What must be true when everything has come to its end.

extension Simulation {
    // MARK: client state

    /// The stored client state is that of the newest acknowledged batch with one, or of a later
    /// one.
    mutating func checkState(_ state: [UInt8]?, _ asked: AskedState) {
        // It goes with documents that were given up as lost.
        if state == nil, !forsaken.isEmpty { return }
        // It is not kept by workers; who knows that an index is there does not say that none is.
        if memory.lacksClientStates { return }
        if memory.isLost, asked.isTooEarly || !memory.isEmpty { return }
        let allowed = oracle.allowedStates(asked: asked.at, ended: now)
        guard !allowed.contains(state) else { return expectItems(of: state) }
        let text = { (state: [UInt8]?) in
            state.map { String(decoding: $0, as: UTF8.self) } ?? "none"
        }
        violate(.writesKept, "client state \(text(state)); allowed: \(allowed.map(text))")
    }

    // MARK: the end

    /// Whether every request has come to its end.
    var isIdle: Bool {
        isCalm && hasToldEverything
            && clients.allSatisfy {
                $0.queries.isEmpty && $0.puts.isEmpty && $0.stateRequests.isEmpty
                    && $0.plans.isEmpty && $0.copies.isEmpty
            }
            && hasRemoved
            && broker.core != nil && broker.pausedUntil < now
            && workers.allSatisfy { $0.core != nil && $0.pausedUntil < now }
            && clients.allSatisfy { $0.core.session.state == .open && $0.pausedUntil < now }
            && broker.core?.workers.all.count == workers.count
            && broker.core?.hasEveryShard == true && isInSync && hasMoved
            // A lost disk is still to be found, which starts its worker again.
            && workers.allSatisfy(\.lost.isEmpty)
            // So is damage.
            && !workers.contains { $0.disk.values.contains(where: \.isDamaged) }
            && hasOneContent
    }

    /// Once misfortunes stop, everything comes to its end.
    mutating func expectIdle() {
        guard !isIdle else { return }
        violate(
            .restReached,
            "no rest: \(clients.map { ($0.queries.count, $0.puts.count, $0.core.session.state) }), "
                + "workers \(workers.map { $0.core.map { "\($0.session.state)" } ?? "down" }), "
                + "broker \(broker.core.map { "\($0.workers.all.count) workers" } ?? "down"), "
                + "in sync \(isInSync), moved \(hasMoved), removed \(hasRemoved), "
                + "equal \(hasOneContent), told everything \(hasToldEverything), "
                + "lost \(workers.map(\.lost.count)), damaged "
                + "\(workers.map { $0.disk.filter(\.value.isDamaged).keys.sorted() })")
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
            search.indexes = indexesToAsk
            search.facets = SearchModel.facets(hasLittleRoom: true)
            ask(number, search, isFinal: true)
        }
    }

    /// Every client's last question was answered (its contents were checked on arrival).
    mutating func expectFinalAnswers() {
        for client in clients where !client.queries.isEmpty {
            violate(.restReached, "client\(client.number) still waits for its last answer")
        }
        let state = broker.core?.state.index(named: shape.indexes[0])?.clientState
        checkState(state, AskedState(at: now))
    }

    /// Nothing is left over anywhere.
    mutating func expectNothingLeft() {
        guard violation == nil, let core = broker.core else { return }
        expectEqualReplicas()
        expectNothingDropped()
        expectPassingIndexes()
        expectStateFitsItems()
        expectNothingRestored()
        for name in store.wanted.keys.sorted() { expectRestored(name) }
        if core.tails.count > 0 {
            violate(.restReached, "\(core.tails.count) queries are still followed")
        }
        if core.queries.count > 0 {
            violate(.restReached, "\(core.queries.count) queries are left")
        }
        if core.writes.pendingCount > 0 {
            violate(.restReached, "\(core.writes.pendingCount) batches are left")
        }
        if !core.writes.isAtRest {
            violate(.restReached, "write queues or credit are left: \(core.writes)")
        }
        if core.sessions.count != workers.count + clients.count {
            violate(
                .restReached,
                "\(core.sessions.count) sessions for \(workers.count + clients.count) peers")
        }
        for number in workers.indices {
            let tasks = workers[number].core?.tasks.count ?? 0
            if tasks > 0 { violate(.restReached, "worker\(number) still has \(tasks) tasks") }
            if !workers[number].tasks.isEmpty {
                violate(.restReached, "worker\(number) never forgot \(workers[number].tasks.keys)")
            }
            let tickets = workers[number].core?.ticketCount ?? 0
            if tickets > 0 { violate(.restReached, "worker\(number) still has \(tickets) tickets") }
        }
        for client in clients where client.core.pendingCount > 0 {
            violate(
                .restReached,
                "client\(client.number) still has \(client.core.pendingCount) requests")
        }
    }
}
