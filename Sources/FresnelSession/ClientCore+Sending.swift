import FresnelModel
import FresnelWire

// What goes out: requests in their order, under session and write credit.

extension ClientCore {
    /// Sends what waits, in order, as far as session and write credit allow.
    mutating func sendWaiting(at now: Instant) -> [ClientEffect] {
        guard session.state == .open else { return [] }
        let writeCredit = Int(session.welcome?.writeCreditBytes ?? 0)
        var effects: [ClientEffect] = []
        var isWriteBlocked = false
        // More than the broker takes from one client would only be refused there.
        var room = retries.isNone ? Int.max : Limits.queriesPerClient - runningSearches
        for id in order {
            guard var request = requests[id], case .waiting(let notBefore) = request.state else {
                continue
            }
            if request.isPut {
                let fits = writeBytesInFlight + request.writeBytes <= writeCredit
                // Also one that waits for its time holds back all behind it.
                isWriteBlocked =
                    isWriteBlocked || notBefore > now || (!fits && writeBytesInFlight > 0)
                guard !isWriteBlocked else { continue }
                writeBytesInFlight += request.writeBytes
            }
            guard notBefore <= now else { continue }
            if request.isSearch {
                guard room > 0 else { continue }
                room -= 1
            }
            request.state = .sent
            effects.append(message(for: request, id: id, at: now))
            requests[id] = request
        }
        return effects
    }

    /// Searches that the broker runs for this client.
    private var runningSearches: Int {
        requests.values.count { $0.isSearch && $0.state == .sent && !$0.isFollowing }
    }

    /// Ends searches that wait to be asked again, in whose slot something newer is asked now.
    mutating func supersede(_ search: WireSearch, at now: Instant) -> [ClientEffect] {
        guard !search.slot.isEmpty else { return [] }
        let former = order.filter { id in
            guard let request = requests[id], case .search(let other) = request.kind else {
                return false
            }
            return other.slot == search.slot && request.state != .sent
        }
        let failure = WireFailure(.cancelled, "a newer query took its place")
        return former.flatMap { finish($0, .failed(failure), at: now) }
    }

    func message(
        for request: ClientRequest, id: RequestID, at now: Instant
    ) -> ClientEffect {
        var command: Command
        var payload: [UInt8]?
        switch request.kind {
        case .search(var search):
            search.creditItems = request.credit.grantedItems
            search.creditBytes = request.credit.grantedBytes
            command = .query(search)
        case .put(let put, let bytes):
            command = .put(put)
            payload = bytes
        case .fetchState(let index):
            var fetch = WireFetchState()
            fetch.index = index
            command = .fetchState(fetch)
        case .status:
            command = .status(WireStatusRequest())
        case .plan(let plan):
            command = .plan(plan)
        case .changeIndexes(let change):
            command = .changeIndexes(change)
        case .snapshot(let order):
            command = .snapshot(order)
        }
        return send(
            command, id: id, payload: payload, attempt: request.attempt,
            budget: max(.milliseconds(1), request.deadline - now))
    }

    func send(
        _ command: Command, id: RequestID, payload: [UInt8]? = nil, attempt: UInt32 = 0,
        budget: Duration? = nil
    ) -> ClientEffect {
        var envelope = Envelope(id: id)
        envelope.attempt = attempt
        envelope.epoch = session.epoch
        envelope.budget = budget
        let message = Message(envelope, command, payload: payload)
        return .send(message, lane: message.lane)
    }
}
