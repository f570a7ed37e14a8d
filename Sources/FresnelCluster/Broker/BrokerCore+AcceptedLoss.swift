import FresnelModel
import FresnelWire

// The operator's word that what is missing is lost for good: `--accept-loss` of an older directory,
// `--replace-lost` of an empty one. It is asked of one worker and speaks for a shard: of all that
// the cluster still has, in the in-sync set or not, the most counts, and the other replicas are
// made equal to that. A replica whose worker may still come with more is waited for a while.

extension BrokerCore {
    /// What becomes of a shard whose loss was accepted.
    enum AcceptedLoss {
        /// Replicas that may have more are waited for: these.
        case awaits([WorkerID])
        /// This one is all there is from now on.
        case takes(SurvivingReplica)
    }

    /// Opens the best replica of a shard, all of whose in-sync replicas are stale or worse.
    mutating func acceptLoss(of key: ShardKey, at moment: Moment) -> [BrokerEffect] {
        let stale = workers.all.compactMap { $0.stale[key]?.since }
        guard let first = stale.min() else { return [] }
        switch loss(of: key, acceptedAt: first, at: moment) {
        case .awaits: return []
        case .takes(let replica): return take(replica, as: key, at: moment)
        }
    }

    /// Decides what a loss that was accepted at an instant means now.
    ///
    /// - Parameter newcomer: an empty replica that is to take the place of its worker's lost one.
    func loss(
        of key: ShardKey, acceptedAt first: Instant, newcomer: WorkerID? = nil, at moment: Moment
    ) -> AcceptedLoss {
        let replicas = state.index(named: key.index)?[key.shard]?.replicas ?? []
        let isOverdue = moment.instant - first >= Limits.lossPatience
        let awaited = replicas.filter { replica in
            guard replica.worker != newcomer else { return false }
            guard let entry = workers[replica.worker], !entry.isSuspect else { return !isOverdue }
            if let failure = entry.failures[key] { return !failure.isDamaged && !isOverdue }
            // One that is here and still opens is waited for as long as it takes.
            return entry.stale[key] == nil && entry.behind[key] == nil
                && entry.refused[key] == nil
        }
        guard awaited.isEmpty else { return .awaits(awaited.map(\.worker)) }
        var survivors = survivors(of: key)
        if let newcomer {
            survivors.append(
                SurvivingReplica(worker: newcomer, last: .zero, isInSync: true, isDoubtful: false))
        }
        return SurvivingReplica.best(of: survivors).map { .takes($0) } ?? .awaits([])
    }

    /// The replicas that are open somewhere and are what the cluster state says they are, or were
    /// copied from such a one; none that is in sync and whole.
    func survivors(of key: ShardKey) -> [SurvivingReplica] {
        let replicas = state.index(named: key.index)?[key.shard]?.replicas ?? []
        return replicas.compactMap { replica in
            guard let entry = workers[replica.worker], !entry.isSuspect,
                let shard = entry.stale[key]?.inventory ?? entry.behind[key]
            else { return nil }
            let told = ReplicaIdentity(shard.identity)
            let isKnown = told == replica.identity || replica.identity == .unknown
            // Any other directory is believed by nobody, whatever it holds.
            guard told != .unknown, isKnown || entry.copied[key] == told else { return nil }
            return SurvivingReplica(
                worker: replica.worker, last: SequenceNumber(shard.lastSequence),
                isInSync: replica.isInSync,
                isDoubtful: isKnown && replica.departure.needsWholeCopy)
        }
    }

    /// From now on this is all there is, and the other replicas of the shard are made equal to it.
    mutating func take(
        _ best: SurvivingReplica, as key: ShardKey, at moment: Moment
    ) -> [BrokerEffect] {
        let worker = best.worker
        let others = survivors(of: key).filter { $0.worker != worker }
        guard let entry = workers[worker],
            let shard = entry.stale[key]?.inventory ?? entry.behind[key]
        else { return [] }
        var effects: [BrokerEffect] = []
        if !best.isInSync { effects += promote(worker, to: key, shard) }
        for other in state.index(named: key.index)?[key.shard]?.inSync ?? []
        where other != worker {
            effects += exclude(
                other, from: key, as: .lossAccepted,
                because: "the operator accepted what worker \(worker) holds")
            let entry = workers[other]
            if let inventory = entry?.stale[key]?.inventory ?? entry?.refused[key] {
                takeBehind(inventory, as: key, on: other)
            }
        }
        guard var index = state.index(named: key.index) else { return effects }
        let acknowledged = writes.acknowledgedSequence(of: key)
        forsake(key, behind: best.last, in: &index)
        state.change(index)
        unsavedIdentities[ReplicaName(shard: key, worker: worker)] = state.version
        workers[worker]?.clearFaults(of: key)
        workers[worker]?.waiting[key] = shard
        // It was told that it is refused, or to be copied.
        workers[worker]?.assigned = nil
        effects.append(
            .log(.warning, Self.report(of: best, others, key, behind: acknowledged)))
        return effects + perform(tails.forsake(key.index), at: moment)
    }

    /// Puts a replica that had left the in-sync set into it.
    private mutating func promote(
        _ worker: WorkerID, to key: ShardKey, _ shard: WireShardInventory
    ) -> [BrokerEffect] {
        let number = Int(key.shard.number)
        guard var index = state.index(named: key.index), index[key.shard] != nil else { return [] }
        index.shards[number].recognize(ReplicaIdentity(shard.identity), on: worker)
        index.shards[number].admit(worker)
        state.change(index)
        structureVersion = state.version
        let withdrawal = leaveCatchUp(ReplicaName(shard: key, worker: worker))
        workers[worker]?.behind[key] = nil
        return withdrawal
    }

    /// What was taken, how far each goes, what is lost, and where what others had more is.
    private static func report(
        of best: SurvivingReplica, _ others: [SurvivingReplica], _ key: ShardKey,
        behind acknowledged: SequenceNumber
    ) -> String {
        var text =
            "shard \(key.shard.number) of index \(key.index): what was acknowledged behind part "
            + "\(best.last.value), up to \(acknowledged.value), is given up as lost"
            + "; taken was the best that is here: \(best)"
        if acknowledged <= best.last {
            text =
                "shard \(key.shard.number) of index \(key.index): nothing that was known to be "
                + "acknowledged is lost; taken was the best that is here: \(best)"
        }
        if !others.isEmpty {
            text += "; besides, " + others.map(\.description).joined(separator: ", ")
        }
        let more = others.filter { $0.last > best.last }
        if !more.isEmpty {
            let names = more.map(\.worker.name).joined(separator: ", ")
            text += "; what \(names) has more is kept in \(key.shard.number).aside there"
        }
        return text + "; index what is missing again, imports begin anew"
    }

    /// Another replica that holds documents of a shard without being in sync, for texts that name
    /// the ways out; empty where there is none.
    func survivorAdvice(of key: ShardKey, besides worker: WorkerID) -> String {
        let others = survivors(of: key).filter { $0.worker != worker && $0.last > .zero }
        guard let best = SurvivingReplica.best(of: others) else { return "" }
        return "; of the other replicas \(best): the best one that is here is taken then"
    }
}
