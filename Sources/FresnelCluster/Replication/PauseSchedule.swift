import FresnelModel

// A replica that catches up joins at a moment when it has everything that is settled. Beside steady
// writing a slower one may never come to such a moment: whatever it answers, the others have taken
// another part by then. So when it lacks little for a while, new parts of its shard wait for it, as
// requests do before leadership goes over in Raft (Ongaro, Consensus, 2014, section 3.10), here for
// a bounded time (decision 0042).

/// When writing into an index makes way for replicas that lack little.
struct PauseSchedule: Hashable, Sendable {
    private var begunAt: Instant?
    /// From one pause to the next.
    private var interval = Limits.replicaPauseInterval

    /// A replica joined while parts waited for it: that was no wait for nothing.
    mutating func noteJoined() { interval = Limits.replicaPauseInterval }

    /// Begins a pause where one is due; the next is due later then.
    mutating func beginIfDue(at now: Instant) -> Bool {
        if let begunAt {
            let elapsed = now - begunAt
            guard elapsed >= interval else { return false }
            // Nobody needed one for the longest interval beyond when it was due: as at the start.
            let isAnew = elapsed >= interval + Limits.replicaPauseIntervalMost
            interval =
                isAnew
                ? Limits.replicaPauseInterval
                : min(interval * 2, Limits.replicaPauseIntervalMost)
        }
        begunAt = now
        return true
    }
}
