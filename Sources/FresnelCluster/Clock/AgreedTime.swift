import FresnelModel

// What cannot be taken back must not hang on one clock. The idea is that of an interval of time
// (Corbett et al. 2012, "Spanner", TrueTime) with cheaper witnesses: the broker's wall clock, its
// monotonic clock, what it wrote down, and what the workers' clocks show. As expired counts what is
// so by the earliest of them, and life is given by the latest.
//
// - dropped is what had expired an hour ago that passed on the monotonic clock, by a clock that
//   nobody set since and from which no worker's differs by more than a minute; else nothing is
// - a write finds what had not expired at the earliest time, and what it stores expires from the
//   latest one on
// - neither falls behind what was dropped, or replicas would make different things of one part

/// The time by which a cluster drops what has expired, and stamps what is written.
struct AgreedTime: Sendable {
    /// What the operator hears.
    struct News: Equatable, Sendable {
        let level: LogLevel
        let text: String
    }

    private var clock: SteadyClock
    /// What workers' clocks show, less the broker's monotonic clock, in seconds.
    private var offsets: [WorkerID: Double] = [:]
    /// The newest instant by which something was dropped, or may have been.
    private var dropped = -Double.infinity
    private var pace = ClockNewsPace()
    /// Whether no more than half of all clocks, with the broker's own, agree with that.
    private var isContradicted = false

    /// - Parameter known: a time that is over, as the process before this one wrote it down.
    init(at moment: Moment, known: Timestamp? = nil) {
        clock = SteadyClock(at: moment, known: known)
    }

    /// Reads the broker's clocks; about every second, and before what cannot be taken back.
    mutating func observe(_ moment: Moment) -> News? {
        guard let jump = clock.observe(moment) else { return nil }
        vote()
        let text =
            "the broker's clock was set \(ClockText.distance(jump.seconds)) "
            + (jump.seconds < 0 ? "back" : "ahead")
        return jump.isCorrection
            ? News(level: .warning, text: text + ", to the time that it had shown before")
            : News(
                level: .error,
                text: text
                    + " and shows \(ClockText.time(moment)); nothing that expired is dropped "
                    + "until it has stood for "
                    + ClockText.time(clock.unproven(at: moment.instant))
                    + "; if it is wrong, set it right before then")
    }

    /// Takes in what a worker's clock shows.
    mutating func hear(_ worker: WorkerID, shows seconds: Double, at moment: Moment) {
        offsets[worker] = seconds - moment.instant.inSeconds
        vote()
    }

    /// Takes in by which instant replicas have dropped what had expired.
    ///
    /// One that is not over is none of the broker's doing, and must not hold up all others.
    mutating func noteDropped(until seconds: Double, at moment: Moment) {
        guard seconds <= clock.latest(at: moment.instant) else { return }
        dropped = max(dropped, seconds)
    }

    /// Forgets a worker that went.
    mutating func forget(_ worker: WorkerID) {
        offsets[worker] = nil
        vote()
    }

    /// How far ahead a worker's clock is of the broker's, in seconds; nil when it did not say.
    func lead(of worker: WorkerID) -> Double? { offsets[worker].map { $0 - clock.offset } }

    /// What had expired by then may be dropped by workers; nil when nothing may be.
    mutating func expiredBy(at now: Instant) -> Double? {
        guard differing.isEmpty, let expired = clock.expired(at: now) else { return nil }
        dropped = max(dropped, expired)
        return expired
    }

    /// The same without giving it to anybody.
    func droppable(at now: Instant) -> Double? {
        differing.isEmpty ? clock.expired(at: now) : nil
    }

    /// The time of a write.
    struct Stamp: Equatable, Sendable {
        /// What had expired by then exists for no write.
        let earliest: Double
        /// From when on a document lives that says only for how long.
        let latest: Double
    }

    /// The time as a write takes it.
    func stamp(at now: Instant) -> Stamp {
        Stamp(earliest: earliest(at: now), latest: latest(at: now))
    }

    /// The earliest time that it may be.
    func earliest(at now: Instant) -> Double {
        max(dropped, min(clock.earliest(at: now), middle.low + now.inSeconds))
    }

    /// The latest time that it may be.
    func latest(at now: Instant) -> Double {
        max(dropped, clock.latest(at: now), middle.high + now.inSeconds)
    }

    /// Why the time is not certain enough to delete by; nil when it is.
    var doubt: String? {
        if clock.isInDoubt { return "its clock was set a while ago" }
        return differing.isEmpty ? nil : "its clock and those of workers differ"
    }

    /// Whether an answer, which goes by the broker's clock, may go by a wrong one.
    func isDoubtful(at moment: Moment) -> Bool {
        clock.isInDoubt || isContradicted || clock.wasSet(at: moment)
    }

    /// Why an answer may go by a wrong clock, and which times are possible; nil when nothing speaks
    /// against the broker's.
    func doubtOfAnswers(at moment: Moment) -> ClockDoubt? {
        guard isDoubtful(at: moment) else { return nil }
        let now = moment.instant
        var clock = clock
        _ = clock.observe(moment)
        var cause = clock.doubt(at: now) ?? ""
        var times = clock.isInDoubt ? [clock.earliest(at: now), clock.latest(at: now)] : []
        if isContradicted, let (worker, lead) = differing.first {
            let others = differing.count - 1
            cause +=
                (cause.isEmpty ? "" : ", and ") + "is \(ClockText.distance(lead)) "
                + (lead < 0 ? "ahead of" : "behind") + " that of worker \(worker)"
                + (others > 0 ? " (\(others) more differ from it)" : "")
            times += offsets.values.map { $0 + now.inSeconds }
        }
        guard !cause.isEmpty else { return nil }
        let shown = clock.offset + now.inSeconds
        return ClockDoubt(
            cause: cause, earliest: min(shown, times.min() ?? shown),
            latest: max(shown, times.max() ?? shown))
    }

    /// A time that is over, to be written down.
    func certain(at now: Instant) -> Double { clock.earliest(at: now) }

    /// What is wrong with the clocks; nil when nothing is.
    func trouble(at moment: Moment) -> String? {
        var causes: [String] = []
        if clock.isInDoubt {
            causes.append(
                "the broker's clock was set, and is not proven for another "
                    + ClockText.time(clock.unproven(at: moment.instant)))
        }
        causes += differing.map { worker, lead in
            "the clock of worker \(worker) is \(ClockText.distance(lead)) "
                + (lead < 0 ? "behind" : "ahead of") + " the broker's"
        }
        guard !causes.isEmpty else { return nil }
        let isOdd = [middle.low, middle.high].allSatisfy {
            abs($0 - clock.offset) > Limits.clockTolerance.inSeconds
        }
        return causes.joined(separator: "; ") + "; the broker's shows \(ClockText.time(moment))"
            + (isOdd ? ", which most workers' contradict" : "")
            + "; nothing that expired is dropped meanwhile: set the wrong clock right, best by NTP "
            + "on every machine"
    }

    /// What to log about clocks, now and then.
    mutating func news(at moment: Moment) -> News? {
        vote()
        switch pace.next(!differing.isEmpty, at: moment.instant) {
        case .nothing: return nil
        case .trouble: return trouble(at: moment).map { News(level: .error, text: $0) }
        case .end:
            return News(
                level: .information,
                text: "the clocks of all workers agree with the broker's again")
        }
    }

    private mutating func vote() { isContradicted = differing.count * 2 > offsets.count }

    /// Workers whose clocks differ by more than may be.
    private var differing: [(worker: WorkerID, lead: Double)] {
        let limit = Limits.clockTolerance.inSeconds
        return offsets.map { (worker: $0.key, lead: $0.value - clock.offset) }
            .filter { abs($0.lead) > limit }.sorted { $0.worker < $1.worker }
    }

    /// The offset that most clocks have, with the broker's own: of an even number the two in the
    /// middle, since nobody knows which of them is right.
    private var middle: (low: Double, high: Double) {
        let sorted = ([clock.offset] + offsets.values).sorted()
        return (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    }
}

/// Times and distances as an operator reads them.
enum ClockText {
    /// A distance between two clocks.
    static func distance(_ seconds: Double) -> String {
        let seconds = abs(seconds)
        return switch seconds {
        case ..<120: "\(Int(seconds.rounded())) s"
        case ..<7200: "\(Int((seconds / 60).rounded())) min"
        case ..<172_800: "\(Int((seconds / 3600).rounded())) h"
        default: "\(Int((min(seconds, 1e12) / 86_400).rounded())) days"
        }
    }

    /// What a wall clock shows, to the second.
    static func time(_ moment: Moment) -> String {
        "\(Timestamp(seconds: moment.wall.seconds.rounded(.down)) ?? moment.wall)"
    }

    /// How long something still takes.
    static func time(_ duration: Duration?) -> String { distance((duration ?? .zero).inSeconds) }
}

/// When to say that clocks differ: once it was so for longer than it takes to hear that a clock was
/// set, again while it is, and once that it is over.
struct ClockNewsPace: Sendable {
    enum News: Equatable, Sendable {
        case nothing
        case trouble
        case end
    }

    private var differsSince: Instant?
    private var saidAt: Instant?

    mutating func next(_ differs: Bool, at now: Instant) -> News {
        guard differs else {
            defer { (differsSince, saidAt) = (nil, nil) }
            return saidAt == nil ? .nothing : .end
        }
        let since = differsSince ?? now
        differsSince = since
        guard now - since >= Limits.clockNewsGrace,
            saidAt.map({ now - $0 >= Limits.clockNewsPause }) ?? true
        else { return .nothing }
        saidAt = now
        return .trouble
    }
}
