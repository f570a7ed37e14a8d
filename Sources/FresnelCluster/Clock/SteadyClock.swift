import FresnelModel

// A wall clock can be set: by a person, a time daemon, a machine that starts. A monotonic clock
// cannot. As long as both go together the wall clock is what it was; where they part it was set,
// and no single machine knows which of the two times is right. Until the new one has stood for an
// hour both count, and with them, where a process begins, the time that the one before it wrote
// down: as expired counts what is so by the earliest, and life is given by the latest.

/// A machine's wall clock, held against its monotonic one.
struct SteadyClock: Sendable {
    /// By what the wall clock was found to be set.
    struct Jump: Equatable, Sendable {
        /// Seconds; negative is back.
        let seconds: Double
        /// Whether it went back to the time that it had shown before.
        let isCorrection: Bool
    }

    /// A time that the wall clock shows, or showed.
    private struct Setting: Sendable {
        /// Wall clock less monotonic clock, in seconds.
        let offset: Double
        let since: Instant
        /// How long it must stand before anything is dropped by it.
        let proof: Duration
    }

    /// The setting that counts.
    private var trusted: Setting
    /// A newer one that has not stood for long enough to take its place.
    private var challenger: Setting?
    /// Wall clock less monotonic clock as they were read last, in seconds.
    private(set) var offset: Double
    /// What was written down as the time before the process began, and when that was read; nil once
    /// the clock has stood for long enough.
    private var known: (seconds: Double, at: Instant)?
    /// Whether the clock showed less than that.
    private let isBehindKnown: Bool

    /// - Parameter known: a time that is over, as the process before this one knew it.
    init(at moment: Moment, known: Timestamp? = nil) {
        let gap = known.map { moment.wall.seconds - $0.seconds } ?? 0
        offset = Self.offset(at: moment)
        trusted = Setting(offset: offset, since: moment.instant, proof: Self.proof(ofGap: gap))
        isBehindKnown = gap < -Limits.clockTolerance.inSeconds
        self.known = known.map { ($0.seconds, moment.instant) }
    }

    /// Reads both clocks.
    ///
    /// - Returns: what the wall clock was set by since the last time; nil when it was not.
    mutating func observe(_ moment: Moment) -> Jump? {
        let former = offset
        offset = Self.offset(at: moment)
        if Self.isClose(offset, trusted.offset) {
            if moment.instant - trusted.since >= Limits.clockProof { known = nil }
            guard challenger != nil else { return nil }
            challenger = nil
            return Jump(seconds: offset - former, isCorrection: true)
        }
        if let newer = challenger, Self.isClose(offset, newer.offset) {
            guard moment.instant - newer.since >= Limits.clockProof else { return nil }
            (trusted, challenger, known) = (newer, nil, nil)
            return nil
        }
        challenger = Setting(
            offset: offset, since: moment.instant,
            proof: Self.proof(ofGap: offset - trusted.offset))
        return Jump(seconds: offset - former, isCorrection: false)
    }

    /// What had certainly expired an hour ago; nil while the clock is not proven.
    func expired(at now: Instant) -> Double? {
        guard unproven(at: now) == nil else { return nil }
        return min(trusted.offset, offset) + now.inSeconds - Limits.clockProof.inSeconds
    }

    /// How long the clock must still go as it goes before anything is dropped by it; nil when it
    /// need not.
    func unproven(at now: Instant) -> Duration? {
        let setting = challenger ?? trusted
        let left = setting.since + setting.proof - now
        return challenger == nil && left <= .zero ? nil : max(.zero, left)
    }

    /// Whether the clock was set and nobody knows which of its times is right.
    var isInDoubt: Bool { challenger != nil || known != nil && isBehindKnown }

    /// Whether the wall clock was set since it was read last.
    func wasSet(at moment: Moment) -> Bool { !Self.isClose(Self.offset(at: moment), offset) }

    /// What makes its time doubtful, as what is said of the clock; nil while nothing does.
    func doubt(at now: Instant) -> String? {
        if let challenger {
            let lead = offset - trusted.offset
            return "was set \(ClockText.distance(lead)) \(lead < 0 ? "back" : "ahead") "
                + "\(ClockText.time(now - challenger.since)) ago"
        }
        guard let known, isBehindKnown else { return nil }
        let lag = known.seconds - known.at.inSeconds - offset
        return "is \(ClockText.distance(lag)) behind what it showed when the broker last ran"
    }

    /// The earliest time that it may be.
    func earliest(at now: Instant) -> Double {
        let earliest = min(offset, trusted.offset) + now.inSeconds
        guard let known else { return earliest }
        return min(earliest, known.seconds + (now - known.at).inSeconds)
    }

    /// The latest time that it may be.
    func latest(at now: Instant) -> Double {
        let latest = max(offset, trusted.offset) + now.inSeconds
        guard let known else { return latest }
        return max(latest, known.seconds + (now - known.at).inSeconds)
    }

    private static func offset(at moment: Moment) -> Double {
        moment.wall.seconds - moment.instant.inSeconds
    }

    private static func isClose(_ left: Double, _ right: Double) -> Bool {
        abs(left - right) <= Limits.clockTolerance.inSeconds
    }

    private static func proof(ofGap gap: Double) -> Duration {
        abs(gap) > Limits.clockProofAfterGap.inSeconds
            ? Limits.clockProofAfterGap : Limits.clockProof
    }
}

extension Instant {
    /// Seconds since its arbitrary start.
    var inSeconds: Double { Double(nanoseconds) / 1e9 }
}
