import FresnelSession
import FresnelWire
import ZeroMQ

extension HitStream {
    private enum ChangeStep {
        case piece(ChangeBuffer.Piece, CreditLedger.Grant?)
        case ended(SearchError?)
        case wait
    }

    /// The completion of a followed query: the hits end, the changes begin.
    func follow(_ done: WireDone) {
        let result = Completion.result(of: done)
        state.withLock { state in
            if case .idle = state.changes.phase { state.changes.phase = .following }
        }
        finish(result)
        if case .failure(let error) = result { endFollowing(error) }
    }

    /// Takes in changes, on the connection's thread.
    func take(_ changes: WireChanges, _ payload: [UInt8]) {
        let waiting = state.withLock { state in
            state.changes.take(changes, payload)
            defer { state.changes.consumer = nil }
            return state.changes.consumer
        }
        waiting?.resume()
    }

    /// Ends the changes; nil when the application wished it.
    func endFollowing(_ error: SearchError?) {
        state.withLock { $0.changes.end(error) }?.resume()
    }

    /// Becomes the one consumer of the changes; false when there is one or was one.
    func claimChanges() -> Bool {
        state.withLock { state in
            defer { state.changes.isClaimed = true }
            return !state.changes.isClaimed
        }
    }

    /// The next changes; nil after the end that the application wished.
    func nextChanges(
        withDomain: Bool
    ) async throws(SearchError) -> [SearchChange]? {
        // The changes begin where the answer ends.
        _ = try await completion()
        while true {
            switch changeStep() {
            case .piece(.hits(_, let payload), let grant):
                if let grant { send(grant) }
                return try changes(in: payload, withDomain)
            case .piece(.reached(let reached), _): return [.reached(try SearchState(reached))]
            case .ended(let error?): throw error
            case .ended(nil): return nil
            case .wait: try await waitForChanges()
            }
        }
    }

    private func changeStep() -> ChangeStep {
        state.withLock { state in
            if let piece = state.changes.next() {
                guard case .hits(let items, let payload) = piece else { return .piece(piece, nil) }
                state.credit.consume(items: items, bytes: UInt64(payload.count))
                return .piece(piece, state.canGrant ? state.credit.refill() : nil)
            }
            switch state.changes.phase {
            case .following: return .wait
            case .ended(let error): return .ended(error)
            // Cancelled while the completion was on its way.
            case .idle where state.changes.isUnwanted: return .ended(nil)
            case .idle:
                return .ended(
                    SearchError(.wrongState, "there is no complete answer to follow")
                        .hinting("follow a search, and look at its completion first"))
            }
        }
    }

    private func waitForChanges() async throws(SearchError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    guard case .following = state.changes.phase, state.changes.pieces.isEmpty,
                        !Task.isCancelled
                    else { return true }
                    state.changes.consumer = continuation
                    return false
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
        guard !Task.isCancelled else {
            cancel()
            throw SearchError(.cancelled, "the task was cancelled, and the following with it")
        }
    }

    /// Reads changes; the first byte of a sort key says which kind a hit is.
    private func changes(
        in payload: [UInt8], _ withDomain: Bool
    ) throws(SearchError) -> [SearchChange] {
        let batch = try reading { () throws(WireError) in try HitBatchReader(payload) }
        var changes: [SearchChange] = []
        let hits = try hits(of: batch, withDomain: withDomain)
        for (place, hit) in hits.enumerated() {
            changes.append(
                batch.key(place).first == ChangeKeys.removed
                    ? .removed(hit, index: hit.index) : .added(hit, index: hit.index))
        }
        return changes
    }
}

extension SearchState {
    init(_ reached: WireReached) throws(SearchError) {
        self.init(
            snapshot: try Self.sequences(reached.to),
            now: Timestamp(seconds: reached.now) ?? Timestamp(wholeSeconds: 0),
            added: reached.added, removed: reached.removed)
        former = try Self.sequences(reached.from)
    }

    private static func sequences(
        _ entries: [WireIndexSnapshot]
    ) throws(SearchError) -> [IndexName: SequenceNumber] {
        var sequences: [IndexName: SequenceNumber] = [:]
        for entry in entries {
            sequences[try IndexName(entry.index)] = SequenceNumber(entry.sequence)
        }
        return sequences
    }
}
