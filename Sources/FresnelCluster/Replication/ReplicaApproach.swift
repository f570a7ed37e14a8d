import FresnelModel

// A replica that catches up joins at a moment when it has everything that is settled. Beside steady
// writing a slower one may never come to such a moment: whatever it answers, the others have taken
// another part by then. So when it lacks little for a while, new parts of its shard wait for it, as
// requests do before leadership goes over in Raft (Ongaro, Consensus, 2014, section 3.10), here for
// a bounded time (decision 0042).

/// How writing makes way for a replica that lacks little.
struct ReplicaApproach: Hashable, Sendable {
    /// When new parts wait for it next.
    private(set) var pausesAt: Instant
    /// From one such pause to the next.
    private var interval = Limits.replicaPauseInterval

    /// The replica lacks little from now on.
    init(at now: Instant) { pausesAt = now + Limits.replicaApproach }

    /// Whether new parts shall wait now; if so, the next time is later.
    mutating func mayPause(at now: Instant) -> Bool {
        guard now >= pausesAt else { return false }
        pausesAt = now + interval
        interval = min(interval * 2, Limits.replicaPauseIntervalMost)
        return true
    }
}

extension BrokerCore {
    /// Lets writing make way for a replica that is near and does not come to have everything.
    mutating func approach(_ name: ReplicaName, _ state: CatchUpState, at now: Instant) {
        guard let progress = state.progress, progress.phase != .copying,
            workers[name.worker]?.isSuspect == false,
            writes.isNear(name.shard, on: name.worker, last: progress.lastSequence)
        else { return }
        if approaches[name, default: ReplicaApproach(at: now)].mayPause(at: now) {
            writes.pause(name.shard, until: now + Limits.replicaPause)
            counters.pausesForReplicas += 1
        }
    }
}
