import FresnelModel
import FresnelWire

// `--accept-loss` speaks for replicas in sync that came back with less. On a worker whose replica
// had left the set it changes nothing: a replica that may have everything is missing, and only its
// own worker can say that it is lost. Whoever gave the flag is told so, and what to do.

extension BrokerCore {
    /// Why the loss that a worker's operator accepts of a shard changes nothing, and the way out;
    /// nil where nobody accepted one there, or the shard can be searched.
    func unheededLoss(of key: ShardKey, on worker: WorkerID) -> String? {
        guard workers[worker]?.behind[key]?.acceptsLoss == true,
            openReplicas(of: key).isEmpty,
            let shard = state.index(named: key.index)?[key.shard], !shard.inSync.isEmpty
        else { return nil }
        let awaited = shard.inSync.map(\.name).joined(separator: ", ")
        let survivors = survivors(of: key)
        let best = SurvivingReplica.best(of: survivors.filter { $0.last > .zero })
        return "--accept-loss on worker \(worker) changes nothing here: its replica had left the "
            + "in-sync set, and the shard waits for worker \(awaited), whose replica has what was "
            + "acknowledged; bring worker \(awaited) back, or, if its directory is lost for good, "
            + "start worker \(shard.inSync[0]) once with --replace-lost on an empty directory"
            + (best.map { "; taken is then the best replica that is here: \($0)" } ?? "")
    }

    /// Tells workers whose operator accepted a loss in vain, once a session and shard, when others
    /// had their time to come.
    mutating func tellUnheededLosses(at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for entry in workers.all {
            for (key, shard) in entry.behind.sorted(by: { $0.key < $1.key })
            where shard.acceptsLoss {
                effects += tellUnheededLoss(of: key, on: entry, at: moment)
            }
        }
        return effects
    }

    private mutating func tellUnheededLoss(
        of key: ShardKey, on entry: WorkerTable.Entry, at moment: Moment
    ) -> [BrokerEffect] {
        guard let reason = unheededLoss(of: key, on: entry.worker) else {
            workers[entry.worker]?.unheeded[key] = nil
            return []
        }
        guard let since = entry.unheeded[key] else {
            workers[entry.worker]?.unheeded[key] = .waiting(since: moment.instant)
            return []
        }
        guard case .waiting(let first) = since, moment.instant - first >= Limits.lossPatience
        else { return [] }
        workers[entry.worker]?.unheeded[key] = .told
        let text = "shard \(key.shard.number) of index \(key.index): \(reason)"
        return [.log(.warning, text)]
            + send(
                Message(Envelope(), .error(WireFailure(.shardUnavailable, text))),
                to: entry.session)
    }
}
