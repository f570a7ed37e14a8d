import FresnelModel
import FresnelQuery
import FresnelWire

/// Why an answer may go by a wrong clock, and between which times the right one lies.
///
/// Queries go by the broker's wall clock: what they do not show can be shown again. But who asks
/// must hear of it, or an empty answer looks like an empty shop.
struct ClockDoubt: Hashable, Sendable {
    /// What is said of the broker's clock: that it was set, or differs, and which way.
    let cause: String
    /// Seconds since 2001; the earliest time that it may be.
    let earliest: Double
    /// The latest time that it may be.
    let latest: Double

    /// What who asked must hear of the answer; nil where it is the same at any of these times.
    ///
    /// - Parameters:
    ///   - now: the instant that the answer goes by, in seconds since 2001.
    ///   - readsClock: whether the query itself speaks of the time.
    ///   - shards: what was reported of each.
    func warning(
        at now: Double, readsClock: Bool, _ shards: [WireShardReport]
    ) -> QueryWarning? {
        // Documents that expire: some have already (then it is `now`), or the first does so then.
        let expires = shards.contains { $0.nextExpiration != 0 && $0.nextExpiration <= latest }
        guard expires || readsClock else { return nil }
        let tolerance = Limits.clockTolerance.inSeconds
        var consequences: [String] = []
        if expires, now > earliest + tolerance {
            consequences.append("documents that have not expired may be missing")
        }
        if expires, now < latest - tolerance {
            consequences.append("documents that have expired may be found")
        }
        if readsClock { consequences.append("$time in the query goes by it") }
        let shown = Timestamp(seconds: now.rounded(.down)).map { "\($0)" } ?? "\(now)"
        return QueryWarning(
            offset: nil,
            message: "the broker's clock may be wrong: it \(cause), and shows \(shown); "
                + consequences.joined(separator: "; ")
                + "; see `fresnel status`, and set the wrong clock right")
    }
}
