import FresnelModel
import FresnelWire

// A followed query outlives its completion: its request stays until the broker tells the end, the
// application cancels, or the broker is lost, whose successor knows nothing of it.

extension ClientCore {
    /// Takes in a completion; a followed query goes on when its answer is complete.
    mutating func complete(_ id: RequestID, _ done: WireDone, at now: Instant) -> [ClientEffect] {
        guard let request = requests[id], request.isFollowed, done.complete,
            !request.isCancelled, !request.isFollowing
        else { return finish(id, .done(done), at: now) }
        requests[id]?.isFollowing = true
        return [.notify(id, .following(done))]
    }

    /// Takes in changes; a gap or the end ends the request.
    mutating func take(
        _ changes: WireChanges, _ message: Message, at now: Instant
    ) -> [ClientEffect] {
        let id = message.envelope.id
        guard let request = requests[id], request.isFollowing else { return [] }
        guard message.envelope.sequence == request.nextChanges else {
            let failure = WireFailure(
                .indexUnreachable,
                "changes \(message.envelope.sequence) came where \(request.nextChanges) were due; "
                    + "search again")
            return [send(.cancel, id: id)] + finish(id, .failed(failure), at: now)
        }
        requests[id]?.nextChanges += 1
        if changes.hasEnd { return finish(id, .failed(changes.end), at: now) }
        return [.notify(id, .changes(changes, payload: message.payload ?? []))]
    }

    /// A query that was given up here is followed there, or will be from its completion on: says
    /// so again.
    func disown(_ message: Message) -> [ClientEffect] {
        guard requests[message.envelope.id] == nil else { return [] }
        switch message.command {
        case .changes: break
        case .done(let done) where done.complete: break
        default: return []
        }
        return [send(.cancel, id: message.envelope.id)]
    }

    /// The application wants no more changes.
    mutating func endFollowing(_ id: RequestID, at now: Instant) -> [ClientEffect] {
        finish(id, .failed(WireFailure(.cancelled, "the query is no longer followed")), at: now)
    }
}

extension ClientRequest {
    /// Whether the query is to be followed after its completion.
    var isFollowed: Bool {
        if case .search(let search) = kind { search.follow } else { false }
    }
}
