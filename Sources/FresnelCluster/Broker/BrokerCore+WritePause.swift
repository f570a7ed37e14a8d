import FresnelModel

// When new parts wait for replicas that lack little (`PauseSchedule`, decision 0042).

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
        for index in due.sorted() where pauses[index, default: PauseSchedule()].beginIfDue(at: now)
        {
            counters.pausesForReplicas += 1
            for shard in near where shard.index == index {
                writes.pause(shard, until: now + Limits.replicaPause)
            }
        }
        return effects
    }

    private func isNear(_ name: ReplicaName, _ state: CatchUpState, _ now: Instant) -> Bool {
        guard state.phase == .following || (state.phase == .ordered && state.isMoving(at: now)),
            workers[name.worker]?.isSuspect == false, !proofs.isUnderWay(name),
            let progress = state.progress, progress.phase != .copying
        else { return false }
        return writes.isNear(name.shard, on: name.worker, last: progress.lastSequence)
    }
}
