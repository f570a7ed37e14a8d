import FresnelModel
import FresnelWire

/// Cluster states that the disk refused, and what was said of it.
struct UnwrittenStates: Sendable {
    /// Why the newest try failed; nil when it succeeded.
    private(set) var reason: WireFailure?
    /// Since when no state could be written.
    private var since: Instant?
    private var toldAt: Instant?
    /// Whether the operator was told, and not yet that it is over.
    private var isTold = false

    /// A try failed; whether the operator is to be told: at once, and then seldom.
    mutating func fail(_ reason: WireFailure, at now: Instant) -> Bool {
        self.reason = reason
        since = since ?? now
        if let toldAt, now - toldAt < Limits.persistTelling { return false }
        toldAt = now
        isTold = true
        return true
    }

    /// A try succeeded; whether the operator is to be told.
    mutating func end() -> Bool {
        reason = nil
        since = nil
        defer { isTold = false }
        return isTold
    }

    /// Whether tries fail for so long that those who wait for one are told.
    func isLasting(at now: Instant) -> Bool {
        since.map { now - $0 >= Limits.persistPatience } ?? false
    }
}
