import FresnelSession
import FresnelSystem
import FresnelWire
import ZeroMQ

// Credit: the consumer may hold `window` hits and bytes that it has not looked at. Totals are
// cumulative; when half of the window is used up, the grant is raised to what was consumed plus the
// window. So the buffer is bounded by what was granted, and a consumer that stops reading stops the
// cluster within one window.

/// What arrives for one query, buffered until the one consumer takes it.
final class HitStream: NoticeSink {
    /// Who takes the hits.
    enum Reader {
        /// Nobody yet: they are buffered.
        case none
        /// A sequence.
        case sequence
        /// Nobody: they are counted and dropped, so that the completion can come.
        case discarding
        /// The sequence went away: the query is cancelled, what still comes is dropped.
        case gone
    }

    struct State {
        var reader = Reader.none
        var buffer: [(items: UInt64, payload: [UInt8])] = []
        var credit: CreditLedger
        var foundItemCount: UInt64 = 0
        var ending: Result<Completion, SearchError>?
        var consumer: CheckedContinuation<Void, Never>?
        var completionWaiters: [CheckedContinuation<Void, Never>] = []
        var changes = ChangeBuffer()
        /// The digest of the hits that were taken.
        var order = OrderDigest()
        /// What the hits have of true and false.
        var booleans = BooleanAttributes()
        /// When the broker said that it has taken the query, on the monotonic clock.
        var acceptedNanoseconds: Int64?

        /// Whether the cluster still takes credit.
        var canGrant: Bool {
            if case .following = changes.phase { true } else { ending == nil }
        }
    }

    private let id: RequestID
    private let connection: ClientConnection
    /// Whether hits may come front-coded.
    private let takesFrontCoded: Bool
    let state: Guarded<State>

    init(_ request: SearchRequest, id: RequestID, connection: ClientConnection) {
        self.id = id
        self.connection = connection
        takesFrontCoded = request.takesFrontCoded
        state = Guarded(State(credit: CreditLedger(items: UInt64(max(1, request.credit)))))
    }

    /// Hits that have arrived, whether they were taken or not.
    var foundItemCount: Int { Int(clamping: state.withLock { $0.foundItemCount }) }

    /// When the broker said that it has taken the query; nil until then.
    var acceptedNanoseconds: Int64? { state.withLock { $0.acceptedNanoseconds } }

    /// The ending, if it is known.
    var ending: Result<Completion, SearchError>? { state.withLock { $0.ending } }

    func receive(_ notice: ClientNotice) {
        switch notice {
        case .accepted:
            let now = SystemTime().monotonicNanoseconds()
            state.withLock { $0.acceptedNanoseconds = now }
        case .found(let found, let payload): take(found, payload)
        case .done(let done):
            note(booleans: done.booleans)
            finish(Completion.result(of: done))
        case .following(let done):
            note(booleans: done.booleans)
            follow(done)
        case .changes(let changes, let payload): take(changes, payload)
        case .failed(let failure): fail(SearchError(failure))
        case .written, .state, .status, .planned, .indexesChanged, .copied:
            finish(
                .failure(SearchError(.malformedMessage, "the broker answered QUERY otherwise")))
        }
    }

    func fail(_ error: SearchError) {
        finish(.failure(error))
        endFollowing(error)
    }

    /// Asks the cluster to stop; the completion tells how far it came.
    func cancel() {
        guard state.withLock({ $0.canGrant }) else { return }
        // Only changes end here, and before the cluster says that they were cancelled.
        state.withLock { $0.changes.isUnwanted = true }
        if ending != nil { endFollowing(nil) }
        connection.cancel(id)
    }

    /// Becomes the one consumer; false when there is one or was one.
    func claim() -> Bool {
        state.withLock { state in
            guard case .none = state.reader else { return false }
            state.reader = .sequence
            return true
        }
    }

    /// The consumer is gone.
    func release() {
        let isOver = state.withLock { state in
            state.reader = .gone
            state.buffer = []
            return state.ending != nil
        }
        if !isOver { connection.cancel(id) }
    }

    private func note(booleans names: [String]) {
        guard !names.isEmpty else { return }
        state.withLock { $0.booleans = BooleanAttributes(keys: names) }
    }

    private func take(_ found: WireFound, _ payload: [UInt8]) {
        let (waiting, grant) = state.withLock { state in
            state.foundItemCount = found.total
            if !found.booleans.isEmpty {
                state.booleans = BooleanAttributes(keys: found.booleans)
            }
            switch state.reader {
            case .none, .sequence:
                state.buffer.append((found.items, payload))
            case .discarding:
                state.credit.consume(items: found.items, bytes: UInt64(payload.count))
            case .gone: break
            }
            let waiting = state.consumer
            state.consumer = nil
            return (waiting, state.credit.refill())
        }
        if let grant { send(grant) }
        waiting?.resume()
    }

    func finish(_ ending: Result<Completion, SearchError>) {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard state.ending == nil else { return [] }
            state.ending = ending
            let waiting = state.completionWaiters + [state.consumer].compactMap(\.self)
            state.completionWaiters = []
            state.consumer = nil
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func send(_ grant: CreditLedger.Grant) {
        guard !connection.grant(id, items: grant.items, bytes: grant.bytes) else { return }
        // Not reached: the next hits taken will ask again.
        state.withLock { $0.credit.withdraw(grant) }
    }
}

extension HitStream {
    private enum Step {
        case payload([UInt8], CreditLedger.Grant?)
        case ended(SearchError?)
        case wait
    }

    /// The next hits in the order of the delivery; nil after the last.
    ///
    /// - Throws: why there are no more, or that those that came are not the completion's.
    func next() async throws(SearchError) -> HitBatch? {
        while true {
            switch step() {
            case .payload(let payload, let grant):
                if let grant { send(grant) }
                let batch = try reading { () throws(WireError) in
                    try HitBatch(payload, mayBeFrontCoded: takesFrontCoded)
                }
                if case .whole(let batch) = batch { note(batch) }
                return batch
            case .ended(let error?): throw error
            case .ended(nil):
                try checkOrder()
                return nil
            case .wait: try await waitForNews()
            }
        }
    }

    private func step() -> Step {
        state.withLock { state in
            if !state.buffer.isEmpty {
                // Few batches fit the window, so moving them up costs nothing.
                let (items, payload) = state.buffer.removeFirst()
                state.credit.consume(items: items, bytes: UInt64(payload.count))
                return .payload(payload, state.canGrant ? state.credit.refill() : nil)
            }
            switch state.ending {
            case nil: return .wait
            case .success?: return .ended(nil)
            case .failure(let error)?: return .ended(error)
            }
        }
    }

    private func waitForNews() async throws(SearchError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    let isLate =
                        !state.buffer.isEmpty || state.ending != nil || Task.isCancelled
                    if !isLate { state.consumer = continuation }
                    return isLate
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            cancel()
            let waiting = state.withLock { state in
                let waiting = state.consumer
                state.consumer = nil
                return waiting
            }
            waiting?.resume()
        }
        guard !Task.isCancelled else {
            cancel()
            throw SearchError(.cancelled, "the task was cancelled, and the query with it")
        }
    }

    /// The completion; without a consumer the hits are dropped so that it can come.
    func completion() async throws(SearchError) -> Completion {
        let grant = state.withLock { state -> CreditLedger.Grant? in
            guard case .none = state.reader, state.ending == nil else { return nil }
            state.reader = .discarding
            for (items, payload) in state.buffer {
                state.credit.consume(items: items, bytes: UInt64(payload.count))
            }
            state.buffer = []
            return state.credit.refill()
        }
        if let grant { send(grant) }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if state.ending == nil { state.completionWaiters.append(continuation) }
                    return state.ending != nil
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            // The cluster answers a cancel with the completion, which ends the wait.
            cancel()
        }
        guard let ending else {
            preconditionFailure("query \(id) was waited for and has no ending")
        }
        return try ending.get()
    }
}
