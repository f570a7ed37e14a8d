import FresnelModel

// A replica that catches up joins at a moment when it has everything that is settled. Beside steady
// writing a slower one may never come to such a moment: whatever it answers, the others have taken
// another part by then. So when it lacks little for a while, new parts of its shard wait for it, as
// requests do before leadership goes over in Raft (Ongaro, Consensus, 2014, section 3.10), here for
// a bounded time (decision 0042).

/// When writing into an index makes way for replicas that lack little.
struct WritePause: Hashable, Sendable {
    private var begunAt: Instant?
    /// From one pause to the next.
    private var interval = Limits.replicaPauseInterval

    /// A replica joined while parts waited for it: that was no wait for nothing.
    mutating func succeeded() { interval = Limits.replicaPauseInterval }

    /// Whether new parts shall wait from now on; if so, the next time is later.
    mutating func begins(at now: Instant) -> Bool {
        if let begunAt {
            let elapsed = now - begunAt
            guard elapsed >= interval else { return false }
            // Nobody needed one for long: what comes now is another story.
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

extension BrokerCore {
    /// Lets writing make way for replicas that are near and do not come to have everything, and go
    /// on where it waits for none any more.
    mutating func makeWay(at moment: Moment) -> [BrokerEffect] {
        let now = moment.instant
        var near: Set<ShardKey> = []
        var due: Set<String> = []
        for (name, state) in catchUps.entries {
            let since = isNear(name, state, now) ? state.nearSince ?? now : nil
            if since != state.nearSince { catchUps[name]?.nearSince = since }
            guard let since, !snapshots.holds(name.shard.index) else { continue }
            near.insert(name.shard)
            if now - since >= Limits.replicaApproach { due.insert(name.shard.index) }
        }
        var effects: [BrokerEffect] = []
        for shard in writes.pausedShards where !near.contains(shard) {
            effects += perform(writes.resume(shard, at: now), at: moment)
        }
        // All shards of an index together: a batch may have to do with every one.
        for index in due.sorted() where pauses[index, default: WritePause()].begins(at: now) {
            counters.pausesForReplicas += 1
            for shard in near where shard.index == index {
                writes.pause(shard, until: now + Limits.replicaPause)
            }
        }
        return effects
    }

    private func isNear(_ name: ReplicaName, _ state: CatchUpState, _ now: Instant) -> Bool {
        guard state.phase == .following || (state.phase == .ordered && state.isMoving(at: now)),
            workers[name.worker]?.isSuspect == false,
            let progress = state.progress, progress.phase != .copying
        else { return false }
        return writes.isNear(name.shard, on: name.worker, last: progress.lastSequence)
    }
}
