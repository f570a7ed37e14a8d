import FresnelModel

/// What a worker's log says of a broker that refuses it: each reason once, and then now and then.
struct RefusalNotice: Sendable {
    private var told: (reason: String, at: Instant)?

    /// Whether a refusal is to be told.
    mutating func isNews(_ reason: String, at now: Instant) -> Bool {
        if let told, told.reason == reason, now - told.at < Limits.refusalTelling { return false }
        told = (reason, now)
        return true
    }
}
