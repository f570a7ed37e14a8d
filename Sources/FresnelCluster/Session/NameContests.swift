import FresnelModel

/// Who may carry a worker's name while a process has a session under it.
///
/// A HELLO is a peer's word and ends nobody's session. The process that has the name is asked for a
/// sign of life first. Where it gives one, the newcomer is refused. Where it gives none, a newcomer
/// of the same directory, as a process that was started again, takes the name after
/// `Limits.claimPatience`; any other one waits until the former session ends by itself. One word
/// counts at once: the identity of the directory that the cluster state knows under this name,
/// where the process that has the name does not know it.
struct NameContests: Sendable {
    /// A HELLO of a worker.
    struct Claim: Sendable {
        let worker: WorkerID
        let bootID: UInt64
        let directory: DirectoryIdentity
    }

    /// The process that has a session under the name.
    struct Holder: Sendable {
        let bootID: UInt64
        let directory: DirectoryIdentity
        /// How long nothing was heard of it.
        let silence: Duration
    }

    enum Verdict: Hashable, Sendable {
        /// The newcomer gets the name; the former session, if there is one, ends.
        case admit
        /// The holder is to be asked for a sign of life; the newcomer repeats its HELLO.
        case ask
        /// The holder was asked and may still answer.
        case wait
        /// The holder lives.
        case refuse(Reason)
    }

    enum Reason: Hashable, Sendable {
        /// The newcomer has another directory, or none that it can name.
        case otherDirectory
        /// The newcomer has a copy of the holder's directory, or the other way round.
        case copiedDirectory
    }

    /// What is under way about one name.
    private struct Contest: Sendable {
        var askedAt: Instant
        var toldAt: Instant?
    }

    private var contests: [WorkerID: Contest] = [:]

    /// Names that are contested.
    var count: Int { contests.count }

    /// Judges a HELLO.
    ///
    /// - Parameters:
    ///   - holder: nil where no process has a session under the name.
    ///   - known: the directory under this name that the cluster state knows.
    mutating func judge(
        _ claim: Claim, against holder: Holder?, known: DirectoryIdentity, at now: Instant
    ) -> Verdict {
        // A process that connects again names itself by what nobody else was told.
        guard let holder, holder.bootID != claim.bootID else {
            contests[claim.worker] = nil
            return .admit
        }
        if known != .unknown, claim.directory == known, holder.directory != known {
            contests[claim.worker] = nil
            return .admit
        }
        guard let contest = contests[claim.worker] else { return ask(claim.worker, at: now) }
        let elapsed = now - contest.askedAt
        let isSame = claim.directory != .unknown && claim.directory == holder.directory
        guard holder.silence >= elapsed else {
            // A sign of life counts for a while, not for ever.
            guard elapsed < Limits.claimPatience else { return ask(claim.worker, at: now) }
            return .refuse(isSame ? .copiedDirectory : .otherDirectory)
        }
        guard isSame, elapsed >= Limits.claimPatience else { return .wait }
        contests[claim.worker] = nil
        return .admit
    }

    /// Whether the operator is to be told that a newcomer of this name was refused: now and then.
    mutating func mayTell(of worker: WorkerID, at now: Instant) -> Bool {
        if let told = contests[worker]?.toldAt, now - told < Limits.refusalTelling { return false }
        contests[worker]?.toldAt = now
        return true
    }

    private mutating func ask(_ worker: WorkerID, at now: Instant) -> Verdict {
        // Names are any stranger's: what is old is forgotten, at the cost of asking once more.
        if contests.count >= Limits.workerSessions {
            contests = contests.filter { now - $0.value.askedAt < Limits.claimPatience }
            if contests.count >= Limits.workerSessions { contests = [:] }
        }
        contests[worker] = Contest(askedAt: now, toldAt: contests[worker]?.toldAt)
        return .ask
    }
}
