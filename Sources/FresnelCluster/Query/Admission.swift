package import FresnelModel

/// How long a query that comes now would wait for its workers, and who has too many that wait.
///
/// By Little's law ("A Proof for the Queuing Formula L = λW", 1961) a query waits for those before
/// it at the rate at which workers begin to answer while there is something to do. What waits for
/// its client's credit does not count: a slow consumer is nobody's queue but its own.
package struct Admission: Sendable {
    /// Queries of which some worker has not begun to answer, by client.
    private var waiting: [SessionID: Int] = [:]
    private(set) package var total = 0
    /// Queries that all their workers began to answer, and the time in which some waited, both
    /// over the last two to four seconds of such time.
    private var answered = 0.0
    private var busySeconds = 0.0
    private var passedAt: Instant?

    /// So much of a query's budget may go in waiting, the rest is for matching and delivery; and so
    /// many seconds, since a longer queue answers no more queries, only all of them later.
    private static let tolerated = (share: 0.5, seconds: 1.0)
    /// Fewer answers say nothing.
    private static let leastEvidence = 8.0
    private static let windowSeconds = 4.0

    package init() {}

    /// Time goes on.
    package mutating func pass(to now: Instant) {
        defer { passedAt = now }
        guard total > 0, let passedAt, now > passedAt else { return }
        busySeconds += (now - passedAt).inSeconds
        guard busySeconds > Self.windowSeconds else { return }
        busySeconds /= 2
        answered /= 2
    }

    /// A query begins to wait.
    package mutating func begin(_ client: SessionID) {
        waiting[client, default: 0] += 1
        total += 1
    }

    /// A query waits no more.
    ///
    /// - Parameter isAnswered: whether its workers came so far, instead of its end.
    package mutating func end(_ client: SessionID, isAnswered: Bool) {
        guard let count = waiting[client] else { return }
        waiting[client] = count > 1 ? count - 1 : nil
        total -= 1
        if isAnswered { answered += 1 }
    }

    /// How long a query that comes now would wait; nil while too little was measured.
    package var delay: Duration? {
        guard answered >= Self.leastEvidence, busySeconds > 0 else { return nil }
        return .seconds(Double(total) * busySeconds / answered)
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
