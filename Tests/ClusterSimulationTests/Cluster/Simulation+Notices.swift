@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

extension Simulation {
    /// What a client's application makes of a notice.
    mutating func take(_ notice: ClientNotice, of id: RequestID, _ number: Int) {
        if clients[number].ended.contains(id) {
            return violate(
                .exactlyOneCompletion,
                "client\(number) hears of request \(id.low) after its end: \(notice)")
        }
        switch notice {
        case .accepted: break
        case .found(let found, let payload): take(found, payload, id, number)
        case .done(let done):
            guard let query = clients[number].queries.removeValue(forKey: id) else {
                return violate(
                    .exactlyOneCompletion,
                    "client\(number) gets DONE for \(id.low), which is no query")
            }
            end(id, number)
            tally.completions[done.status, default: 0] += 1
            tally.hits += query.hits.count
            checkOrder(done, query, id)
            check(done, query, number)
            turnPage(done, query, number)
        case .following(let done): follow(done, id, number)
        case .changes(let changes, let payload): take(changes, payload, id, number)
        case .written(let ack):
            guard passing.settle(id, hasFailed: ack.hasError || !ack.refusals.isEmpty, at: now)
            else {
                return settle(id, number, ack)
            }
            end(id, number)
        case .failed(let failure): fail(id, number, failure)
        case .state(let state):
            guard let asked = clients[number].stateRequests.removeValue(forKey: id) else {
                return violate(.verbsInTurn, "client\(number) gets STATE for \(id.low)")
            }
            end(id, number)
            checkState(state.stateBytes, asked)
        case .copied(let done):
            end(id, number)
            take(done, of: id, number)
        case .indexesChanged(let reply):
            end(id, number)
            take(reply, of: id, number)
        case .status: violate(.verbsInTurn, "client\(number) gets a status it did not ask for")
        case .planned:
            end(id, number)
            guard clients[number].plans.remove(id) == nil else { return }
            violate(.verbsInTurn, "client\(number) gets a plan it did not ask for")
        }
    }

    private mutating func end(_ id: RequestID, _ number: Int) {
        clients[number].ended.insert(id)
        trace.note(now, "client\(number) request \(id.low) ended")
    }

    private mutating func take(
        _ found: WireFound, _ payload: [UInt8], _ id: RequestID, _ number: Int
    ) {
        guard var query = clients[number].queries[id] else {
            return violate(
                .exactlyOneCompletion, "client\(number) gets hits for \(id.low), which is no query")
        }
        query.usedItems += found.items
        query.usedBytes += UInt64(payload.count)
        if query.usedItems > query.grantedItems || query.usedBytes > query.grantedBytes {
            violate(
                .creditNeverExceeded,
                "query \(id.low) of client\(number) got \(query.usedItems) hits and "
                    + "\(query.usedBytes) bytes; granted \(query.grantedItems) "
                    + "and \(query.grantedBytes)")
        }
        if found.total != query.usedItems {
            violate(.countsTrue, "FOUND says \(found.total) in all, \(query.usedItems) came")
        }
        do {
            let batch = try HitBatchReader(payload)
            if UInt64(batch.count) != found.items {
                violate(
                    .countsTrue, "FOUND says \(found.items) hits, its payload has \(batch.count)")
            }
            for position in 0..<batch.count {
                let body = try HitBody(Array(batch.body(position)))
                if query.search.delivery != .found, let last = query.hits.last,
                    batch.key(position).lexicographicallyPrecedes(last.key)
                {
                    let key = Self.text(batch.key(position))
                    violate(.orderAscending, "\(key) came after \(Self.text(last.key[...]))")
                }
                query.hits.append(
                    (Array(batch.key(position)), try body.decodeDocument(), body.score))
            }
        } catch {
            violate(.messagesReadable, "a hit batch is unreadable: \(error)")
        }
        clients[number].queries[id] = query
        if isCalm || random.chance(50) { grantEverything(number) }
    }

    private mutating func settle(_ id: RequestID, _ number: Int, _ ack: WirePutAck) {
        guard let batch = clients[number].puts.removeValue(forKey: id) else {
            return violate(
                .exactlyOneCompletion,
                "client\(number) gets PUT_ACK for \(id.low), which is no batch")
        }
        end(id, number)
        if !ack.hasError {
            tally.acknowledgements += 1
            if memory.isLost { memory.hasWritten = true }
        }
        let codes = Dictionary(ack.refusals.map { ($0.position, $0.code) }) { first, _ in first }
        let isWhole = codes.values.allSatisfy { $0 == ErrorCode.invalidItem.number }
        for (position, names) in batch.steps {
            let outcome: Oracle.Outcome =
                switch codes[position] {
                case nil: .acknowledged(now)
                case ErrorCode.invalidItem.number: .refused
                default: .unknown
                }
            for name in names {
                oracle.settle(name, as: forsaken.contains(name) ? .unknown : outcome)
            }
        }
        guard let state = batch.state else { return }
        oracle.settleState(state, as: isWhole ? .acknowledged(now) : .unknown)
        clients[number].stateOutcomes[id] = isWhole
    }

    private mutating func fail(_ id: RequestID, _ number: Int, _ failure: WireFailure) {
        trace.note(now, "client\(number) request \(id.low) failed: \(failure.message)")
        tally.failures += 1
        end(id, number)
        guard !passing.fail(id, at: now) else { return }
        if clients[number].follows.removeValue(forKey: id) != nil {
            endFollow(id, failure)
        } else if let query = clients[number].queries.removeValue(forKey: id) {
            if query.isFinal { violate(.restReached, "the last query failed: \(failure.message)") }
        } else if let batch = clients[number].puts.removeValue(forKey: id) {
            for name in batch.steps.values.joined() { oracle.settle(name, as: .unknown) }
            guard let state = batch.state else { return }
            oracle.settleState(state, as: .unknown)
            clients[number].stateOutcomes[id] = false
            // A later batch may have stored its own state before this one was sent again.
            let isNewest = clients[0].lastStateBatch == id
            let isMismatch = failure.code == ErrorCode.mismatchedClientState.number
            // The one that was acknowledged goes with documents that are given up as lost, and with
            // the broker's state.
            let isThere = forsaken.isEmpty && !batch.isTooEarly && !memory.lacksClientStates
            if isMismatch, isNewest, isThere, let former = batch.predecessor,
                clients[number].stateOutcomes[former] == true
            {
                violate(
                    .writesKept,
                    "batch \(id.low) expects the state that was acknowledged, and is refused")
            }
        } else if clients[number].plans.remove(id) != nil {
            tally.refusedPlans += 1
        } else if failCopy(of: id, number) {
            return
        } else if clients[number].stateRequests.removeValue(forKey: id) == nil {
            violate(
                .exactlyOneCompletion,
                "client\(number) is told that \(id.low) failed, which it never asked")
        }
    }
}
