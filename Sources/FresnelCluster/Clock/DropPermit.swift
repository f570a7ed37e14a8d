import FresnelModel

// The worker's side of the agreed time: the second witness. A merge here drops what the broker says
// had expired an hour ago, and only while this machine's own clock agrees with the broker's: of one
// that is alone with its time nobody knows whether it is right.

/// By when something must have expired that a worker may drop, as its broker says and its own clock
/// does not contradict.
struct DropPermit: Sendable {
    /// What the broker told last.
    private struct Told: Sendable {
        /// Nil where nothing may be dropped.
        let expiredBy: Double?
        /// The broker's wall clock less this machine's monotonic one, in seconds.
        let offset: Double
        let at: Instant
    }

    private var told: Told?
    private var pace = ClockNewsPace()

    /// Takes in a PING.
    mutating func hear(expiredBy: Double?, brokerShows seconds: Double, at now: Instant) {
        told = Told(expiredBy: expiredBy, offset: seconds - now.inSeconds, at: now)
    }

    /// Forgets a broker that is gone.
    mutating func revoke() { told = nil }

    /// What had expired by then may be dropped now; nil when nothing may be.
    func expiredBy(at moment: Moment) -> Double? {
        guard let told, let expired = told.expiredBy, difference(at: moment) == nil,
            moment.instant - told.at < Limits.dropPermitLife,
            // Said of times that are over by this clock as well.
            expired <= moment.wall.seconds - Limits.clockProof.inSeconds
                + Limits.clockTolerance.inSeconds
        else { return nil }
        return expired
    }

    /// What to log, now and then.
    mutating func news(at moment: Moment) -> AgreedTime.News? {
        let difference = difference(at: moment)
        let news = pace.next(difference != nil, at: moment.instant)
        guard news == .trouble, let lead = difference else {
            return news == .end
                ? .init(level: .information, text: "the clock agrees with the broker's again") : nil
        }
        return .init(
            level: .error,
            text: "the clock of this machine is \(ClockText.distance(lead)) "
                + (lead < 0 ? "behind" : "ahead of")
                + " the broker's and shows \(ClockText.time(moment)); "
                + "nothing that expired is dropped meanwhile: set the wrong one right, best by NTP "
                + "on every machine")
    }

    /// How far ahead the clock is of the broker's, in seconds, where that is more than may be.
    private func difference(at moment: Moment) -> Double? {
        guard let told else { return nil }
        let lead = moment.wall.seconds - moment.instant.inSeconds - told.offset
        return abs(lead) > Limits.clockTolerance.inSeconds ? lead : nil
    }
}
