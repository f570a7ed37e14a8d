import FresnelModel
import FresnelWire

// The operator's word that what is missing is lost for good (`--accept-loss`). It is asked of one
// worker and speaks for a shard: of what the cluster still has, the most counts. A replica whose
// worker may still come with more is waited for a while.

extension BrokerCore {
    /// Opens the best replica of the in-sync set, all of which are stale or worse.
    mutating func acceptLoss(of key: ShardKey, at moment: Moment) -> [BrokerEffect] {
        guard let inSync = state.index(named: key.index)?[key.shard]?.inSync else { return [] }
        let stale = inSync.compactMap { worker in
            workers[worker]?.stale[key].map { (worker: worker, replica: $0) }
        }
        guard
            let best = stale.max(by: {
                ($0.replica.inventory.lastSequence, $1.worker)
                    < ($1.replica.inventory.lastSequence, $0.worker)
            }),
            let first = stale.map(\.replica.since).min()
        else { return [] }
        let isOverdue = moment.instant - first >= Limits.lossPatience
        let isAwaited = inSync.contains { other in
            guard let entry = workers[other], !entry.isSuspect else { return !isOverdue }
            if let failure = entry.failures[key] { return !failure.isDamaged && !isOverdue }
            // One that is here and still opens is waited for as long as it takes.
            return entry.stale[key] == nil && !entry.refused.contains(key)
        }
        guard !isAwaited else { return [] }
        return acceptLoss(best.replica.inventory, as: key, on: best.worker, at: moment)
    }

    /// From now on this is all there is, and the other replicas of the set are made equal to it.
    private mutating func acceptLoss(
        _ shard: WireShardInventory, as key: ShardKey, on worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        guard let copies = state.index(named: key.index)?[key.shard] else { return [] }
        var effects: [BrokerEffect] = []
        for other in copies.inSync where other != worker {
            effects += exclude(
                other, from: key, as: .lossAccepted,
                because: "the operator accepted what worker \(worker) holds")
            if let stale = workers[other]?.stale[key] {
                takeBehind(stale.inventory, as: key, on: other)
            }
        }
        guard var index = state.index(named: key.index) else { return effects }
        let acknowledged = writes.acknowledgedSequence(of: key).value
        forsake(key, behind: SequenceNumber(shard.lastSequence), in: &index)
        state.change(index)
        unsavedIdentities[ReplicaName(shard: key, worker: worker)] = state.version
        workers[worker]?.clearFaults(of: key)
        workers[worker]?.waiting[key] = shard
        // It was told that it is refused.
        workers[worker]?.assigned = nil
        effects.append(
            .log(
                .warning,
                "shard \(key.shard.number) of index \(key.index): what was acknowledged behind "
                    + "part \(shard.lastSequence), up to \(acknowledged), is given up as lost"
                    + setAside(of: key, besides: copies.inSync, beyond: shard.lastSequence)
                    + "; index what is missing again"))
        return effects + perform(tails.forsake(key.index), at: moment)
    }

    /// Names a replica that left the set before and has more than what was accepted.
    private func setAside(
        of key: ShardKey, besides inSync: [WorkerID], beyond last: UInt64
    ) -> String {
        let more = workers.all.compactMap { entry in
            entry.behind[key].map { (worker: entry.worker, last: $0.lastSequence) }
        }.filter { !inSync.contains($0.worker) && $0.last > last }
        guard let most = more.max(by: { $0.last < $1.last }) else { return "" }
        return " (worker \(most.worker) has a replica up to part \(most.last) that had left the "
            + "set; it is kept in \(key.shard.number).aside there)"
    }
}
