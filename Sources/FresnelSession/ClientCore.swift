package import FresnelModel
import FresnelWire

/// Every decision of a client, as a value: an event and the time go in, effects come out.
///
/// Requests survive a broker's restart: what was not answered is sent again with the same id, which
/// changes nothing when it had been carried out. Only a query that already delivered hits ends with
/// an error then, because a second run could deliver others.
package struct ClientCore: Sendable {
    package private(set) var session: PeerSession
    private let endpoint: String
    /// Requests fail when no session stands for this long.
    private let connectBudget: Duration
    var requests: [RequestID: ClientRequest] = [:]
    /// Requests in the order they came; batches must not overtake each other.
    var order: [RequestID] = []
    var writeBytesInFlight = 0
    private(set) var retries: RetryBudget
    private var closedAt: Instant?

    package init(
        name: String, bootID: UInt64, software: String, endpoint: String,
        connectBudget: Duration = .seconds(2), retries: RetryBudget = RetryBudget(),
        at now: Instant
    ) {
        var hello = WireHello()
        hello.minimumMajor = UInt32(Header.major)
        hello.maximumMajor = UInt32(Header.major)
        hello.role = .client
        hello.name = name
        hello.bootID = bootID
        hello.software = software
        session = PeerSession(hello: hello, at: now)
        self.endpoint = endpoint
        self.connectBudget = connectBudget
        self.retries = retries
        closedAt = now
    }

    package var pendingCount: Int { requests.count }

    /// Decides what an event means.
    package mutating func decide(_ event: ClientEvent, at now: Instant) -> [ClientEffect] {
        switch event {
        case .received(let message, let lane):
            return receive(message, lane: lane, at: now)
        case .unreadable(let error, let lane):
            return [
                .log(.warning, "the broker sent an unreadable \(lane.rawValue) message: \(error)")
            ]
        case .search(let id, let search, let budget):
            retries.earn()
            return supersede(search, at: now)
                + add(id, ClientRequest(.search(search), at: now, budget: budget), at: now)
        case .put(let id, let put, let payload, let budget):
            let request = ClientRequest(.put(put, payload: payload), at: now, budget: budget)
            return add(id, request, at: now)
        case .fetchState(let id, let index, let budget):
            return add(
                id, ClientRequest(.fetchState(index: index), at: now, budget: budget), at: now)
        case .status(let id, let budget):
            return add(id, ClientRequest(.status, at: now, budget: budget), at: now)
        case .plan(let id, let plan, let budget):
            return add(id, ClientRequest(.plan(plan), at: now, budget: budget), at: now)
        case .changeIndexes(let id, let change, let budget):
            return add(id, ClientRequest(.changeIndexes(change), at: now, budget: budget), at: now)
        case .snapshot(let id, let order, let budget):
            return add(id, ClientRequest(.snapshot(order), at: now, budget: budget), at: now)
        case .grant(let id, let items, let bytes):
            return grant(id, items: items, bytes: bytes)
        case .cancel(let id):
            return cancel(id, at: now)
        case .close:
            return [send(.goodbye, id: .session)]
        case .tick:
            return tick(at: now)
        }
    }

    private mutating func receive(
        _ message: Message, lane: Lane, at now: Instant
    ) -> [ClientEffect] {
        if let actions = session.receive(message, lane: lane, at: now) {
            return perform(actions, at: now)
        }
        let id = message.envelope.id
        guard id == .session || isAnswer(message) else { return disown(message) }
        switch message.command {
        case .ping:
            return [send(.pong(WirePulse()), id: .session)]
        case .accepted(let accepted):
            return [.notify(id, .accepted(accepted))]
        case .found(let found):
            return take(found, message, at: now)
        case .done(let done):
            return complete(id, done, at: now)
        case .changes(let changes):
            return take(changes, message, at: now)
        case .putAck(let ack):
            return finish(id, ack.hasError ? .failed(ack.reason) : .written(ack), at: now)
        case .state(let state):
            return finish(id, .state(state), at: now)
        case .statusReply(let reply):
            return finish(id, .status(reply), at: now)
        case .planReply(let reply):
            return finish(id, .planned(reply), at: now)
        case .indexesChanged(let change):
            return finish(id, .indexesChanged(change), at: now)
        case .snapshotDone(let done):
            return finish(id, .copied(done), at: now)
        case .busy(let failure):
            return retryLater(id, failure, at: now)
        case .error(let failure):
            guard id == .session else { return finish(id, .failed(failure), at: now) }
            return [.log(.error, "the broker reports: \(failure.message)")]
        default:
            return [.log(.warning, "the broker sent \(message.verb), which is not for clients")]
        }
    }

    /// Whether this answers the newest try of a request; what was said to an earlier one is void,
    /// except that a batch was written.
    private func isAnswer(_ message: Message) -> Bool {
        guard let request = requests[message.envelope.id] else { return false }
        if case .putAck(let ack) = message.command, !ack.hasError { return true }
        return request.state == .sent && request.attempt == message.envelope.attempt
    }

    private mutating func add(
        _ id: RequestID, _ request: ClientRequest, at now: Instant
    ) -> [ClientEffect] {
        precondition(requests[id] == nil, "request id \(id) is in use")
        requests[id] = request
        order.append(id)
        return sendWaiting(at: now)
    }

    private mutating func take(
        _ found: WireFound, _ message: Message, at now: Instant
    ) -> [ClientEffect] {
        let id = message.envelope.id
        guard var request = requests[id], request.isSearch else { return [] }
        guard message.envelope.sequence == request.nextSequence else {
            let failure = WireFailure(
                .indexUnreachable,
                "hit batch \(message.envelope.sequence) came where "
                    + "\(request.nextSequence) was due; ask again")
            return [send(.cancel, id: id)] + finish(id, .failed(failure), at: now)
        }
        request.nextSequence += 1
        requests[id] = request
        return [.notify(id, .found(found, payload: message.payload ?? []))]
    }

    private mutating func grant(
        _ id: RequestID, items: UInt64, bytes: UInt64
    ) -> [ClientEffect] {
        guard var request = requests[id], request.isSearch else { return [] }
        request.credit.grant(items: items, bytes: bytes)
        requests[id] = request
        guard request.state == .sent else { return [] }
        var credit = WireCredit()
        credit.items = request.credit.grantedItems
        credit.bytes = request.credit.grantedBytes
        return [send(.credit(credit), id: id)]
    }

    /// Cancels at the broker, whose completion ends the request; unsent requests end at once.
    private mutating func cancel(_ id: RequestID, at now: Instant) -> [ClientEffect] {
        guard let request = requests[id] else { return [] }
        guard request.state == .sent else {
            return finish(id, .failed(WireFailure(.cancelled, "cancelled before it ran")), at: now)
        }
        requests[id]?.isCancelled = true
        let isFollowing = request.isFollowing
        return [send(.cancel, id: id)] + (isFollowing ? endFollowing(id, at: now) : [])
    }

    mutating func finish(
        _ id: RequestID, _ notice: ClientNotice, at now: Instant
    ) -> [ClientEffect] {
        guard let request = requests.removeValue(forKey: id) else { return [] }
        order.removeAll { $0 == id }
        if request.state == .sent { writeBytesInFlight -= request.writeBytes }
        return [.notify(id, notice)] + sendWaiting(at: now)
    }

    private mutating func retryLater(
        _ id: RequestID, _ failure: WireFailure, at now: Instant
    ) -> [ClientEffect] {
        guard var request = requests[id], request.state == .sent else { return [] }
        let again = now + RetryBudget.pause(after: failure, attempt: request.attempt)
        // Batches wait as long as it takes: their application keeps few of them under way.
        let isOverload = request.isSearch && failure.code == ErrorCode.busy.number
        guard again < request.deadline, !request.isCancelled, !isOverload || retries.spend() else {
            return finish(id, .failed(failure), at: now)
        }
        writeBytesInFlight -= request.writeBytes
        request.state = .waiting(notBefore: again)
        request.attempt += 1
        requests[id] = request
        return []
    }

    private mutating func tick(at now: Instant) -> [ClientEffect] {
        var effects = perform(session.tick(at: now), at: now)
        for id in order
        where requests[id].map({ now >= $0.deadline && !$0.isFollowing }) ?? false {
            // The broker watches the budget too, and its completion says more: give it a moment.
            guard let request = requests[id],
                request.state != .sent || now - request.deadline > .milliseconds(500)
            else { continue }
            effects += request.isFollowed ? [send(.cancel, id: id)] : []
            effects += finish(
                id, .failed(WireFailure(.budgetExhausted, "no answer from \(endpoint) in time")),
                at: now)
        }
        if let closedAt, now - closedAt >= connectBudget {
            for id in order {
                effects += finish(
                    id, .failed(WireFailure(.indexUnreachable, "no broker at \(endpoint)")), at: now
                )
            }
        }
        return effects + sendWaiting(at: now)
    }

    private mutating func perform(
        _ actions: [PeerSession.Action], at now: Instant
    ) -> [ClientEffect] {
        actions.flatMap { action -> [ClientEffect] in
            switch action {
            case .send(let message, let lane):
                return [.send(message, lane: lane)]
            case .connectData(let endpoint):
                return [.connectData(endpoint: endpoint)]
            case .opened:
                closedAt = nil
                return sendWaiting(at: now)
            case .lost(let loss):
                return lose(loss, at: now)
            case .rejected(let failure):
                return order.flatMap { finish($0, .failed(failure), at: now) }
            }
        }
    }

    /// The session is gone: what can be asked again waits for the next one.
    private mutating func lose(
        _ loss: PeerSession.Loss, at now: Instant
    ) -> [ClientEffect] {
        closedAt = closedAt ?? now
        writeBytesInFlight = 0
        var effects: [ClientEffect] = []
        for id in order {
            guard var request = requests[id], request.state == .sent else { continue }
            request.state = .waiting(notBefore: now)
            request.attempt += 1
            requests[id] = request
            if request.isCancelled {
                let failure = WireFailure(.cancelled, "cancelled while \(loss)")
                effects += finish(id, .failed(failure), at: now)
                continue
            }
            guard request.nextSequence > 0 || request.isFollowing else { continue }
            let failure = WireFailure(
                .indexUnreachable,
                request.isFollowing
                    ? "\(loss), and with it went who follows the answer; search again"
                    : "\(loss) in the middle of the answer; ask again")
            effects += finish(id, .failed(failure), at: now)
        }
        return effects
    }
}
