package import FresnelModel

/// How long a query that comes now would wait for its workers, and who has too many that wait.
///
/// By Little's law ("A Proof for the Queuing Formula L = λW", 1961) a query waits for those before
/// it at the rate at which workers begin to answer while there is something to do. What waits for
/// its client's credit does not count: a slow consumer is nobody's queue but its own. Of that time
/// only the part counts that answered queries lay in their workers' queues, as these report:
/// a cluster that searches many at once is not slow because each takes long.
package struct Admission: Sendable {
    /// Queries of which some worker has not begun to answer, by client.
    private var waiting: [SessionID: Int] = [:]
    private(set) package var total = 0
    /// Queries that all their workers began to answer, and the time in which some waited, both
    /// over the last two to four seconds of such time.
    private var answered = 0.0
    private var busySeconds = 0.0
    /// Of answered queries: seconds from asking their workers, and those of them in a queue.
    private var waitedSeconds = 0.0
    private var queuedSeconds = 0.0
    private(set) var passedAt: Instant?

    /// So much of a query's budget may go in waiting, the rest is for matching and delivery; and so
    /// many seconds, since a longer queue answers no more queries, only all of them later.
    private static let tolerated = (share: 0.5, seconds: 0.5)
    /// Fewer answers say nothing.
    private static let leastEvidence = 8.0
    private static let windowSeconds = 4.0

    package init() {}

    /// Time goes on.
    package mutating func pass(to now: Instant) {
        defer { passedAt = now }
        guard total > 0, let passedAt, now > passedAt else { return }
        busySeconds += (now - passedAt).inSeconds
        // What little is known of a slow or stalled cluster is kept, up to a minute.
        let isKnownWell = answered >= 2 * Self.leastEvidence
        guard busySeconds > Self.windowSeconds, isKnownWell || busySeconds > 60 else { return }
        busySeconds /= 2
        answered /= 2
        waitedSeconds /= 2
        queuedSeconds /= 2
    }

    /// A query begins to wait.
    package mutating func begin(_ client: SessionID) {
        waiting[client, default: 0] += 1
        total += 1
    }

    /// A query waits no more.
    ///
    /// - Parameters:
    ///   - isAnswered: whether its workers came so far, instead of its end.
    ///   - start: when it began to wait.
    ///   - queued: its longest time in a worker's queue; nil where none has told.
    package mutating func end(
        _ client: SessionID, isAnswered: Bool, since start: Instant? = nil, queued: Duration? = nil
    ) {
        guard let count = waiting[client] else { return }
        waiting[client] = count > 1 ? count - 1 : nil
        total -= 1
        guard isAnswered else { return }
        answered += 1
        guard let start, let passedAt, let queued, passedAt > start else { return }
        let waited = (passedAt - start).inSeconds
        waitedSeconds += waited
        queuedSeconds += min(queued.inSeconds, waited)
    }

    /// How long a query that comes now would wait; nil while too little was measured.
    package var delay: Duration? {
        guard answered >= Self.leastEvidence, waitedSeconds > 0 else { return nil }
        return .seconds(
            Double(total) * busySeconds / answered * (queuedSeconds / waitedSeconds))
    }

    /// When a query should be asked again; nil lets it in.
    ///
    /// Where the wait is too long, those are refused whose client has its share of the queue.
    package func retryAfter(client: SessionID, budget: Duration) -> Duration? {
        let limit = min(budget.inSeconds * Self.tolerated.share, Self.tolerated.seconds)
        guard let delay = delay?.inSeconds, delay > limit else { return nil }
        let mine = waiting[client] ?? 0
        let clients = waiting.count + (mine == 0 ? 1 : 0)
        let share = max(1, answered / busySeconds * limit / Double(clients))
        guard Double(mine) >= share else { return nil }
        return .seconds(min(max(delay - limit, 0.02), 2))
    }
}
