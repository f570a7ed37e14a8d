import FresnelKernels
import FresnelModel
import FresnelWire

// A new copy proves that it contains what the replicas in sync contain (`ReplicaProofs`), before it
// joins them, and before the one that it takes the place of is removed.

extension BrokerCore {
    /// Whether a replica that has everything may join: one that was in sync before and went on with
    /// its journal may; a new copy, or one that was made since it left, proves it first.
    func mayJoin(_ name: ReplicaName) -> Bool {
        guard
            let replica = state.index(named: name.shard.index)?[name.shard.shard]?
                .replica(on: name.worker)
        else { return false }
        let found = ReplicaIdentity(workers[name.worker]?.behind[name.shard]?.identity ?? 0)
        let isFormer = replica.identity != .unknown && found == replica.identity
        return isFormer || proofs.isProven(name, found)
    }

    /// Asks a copy and the replicas in sync for a proof, where there is one beside it.
    mutating func prove(_ name: ReplicaName, at moment: Moment) -> [BrokerEffect] {
        let shard = state.index(named: name.shard.index)?[name.shard.shard]
        let entry = workers[name.worker]
        guard let copy = shard?.replica(on: name.worker), let entry,
            let inventory = entry.whole[name.shard] ?? entry.behind[name.shard]
        else { return [] }
        var replicas = searchableReplicas(of: name.shard).map { ($0.worker, $0.since) }
        guard replicas.contains(where: { $0.0 != name.worker }) else { return [] }
        if !copy.isInSync { replicas.append((copy.worker, copy.since)) }
        guard replicas.contains(where: { $0.0 == name.worker }) else { return [] }
        tokenCount += 1
        var writer = ByteWriter(capacity: 32)
        for number in [settings.secret, settings.identitySeed.low, tokenCount] {
            writer.write(number)
        }
        let salt = max(1, Hash.checksum(of: writer.bytes, seed: settings.secret))
        guard
            let round = proofs.begin(
                name, ReplicaIdentity(inventory.identity),
                writes.agreedSequence(of: name.shard), replicas, salt: salt, at: moment.instant)
        else { return [] }
        return ask(round, salt: proofs.salt(of: name), at: moment)
    }

    /// Goes on with copies that have everything and wait for their proof.
    mutating func advanceProofs(at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for (name, entry) in catchUps.entries.sorted(by: { $0.key < $1.key })
        where entry.phase == .following && !mayJoin(name) {
            let ready = writes.announce(name.worker, name.shard)
            // It does not stand still: it is read, or is about to be.
            if !ready.isEmpty { catchUps[name]?.heardAt = moment.instant }
            effects += perform(ready, at: moment)
        }
        return effects
    }

    /// Takes in what a replica contains, where a proof asked for it.
    mutating func noteProof(
        _ digest: WireReplicaDigest, from worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect]? {
        guard let outcome = proofs.take(digest, from: worker, at: moment.instant) else {
            return nil
        }
        switch outcome {
        case .awaited, .broken: return []
        case .equal(let name):
            return perform(writes.announce(name.worker, name.shard), at: moment)
                + finishMove(of: name.shard, at: moment)
        case .differ(let name, let round, let isConfirmed):
            let text = Self.difference(round) + ", so none of them is removed"
            guard isConfirmed else {
                return [.log(.warning, text + "; they are compared again")]
            }
            counters.violations.count(.replicasConverge)
            return [.log(.error, text)]
                + losers(of: round).flatMap { refuse($0, of: name.shard, round, moment) }
        }
    }

    /// A replica contains something else than the others: it leaves them, or does not join, and is
    /// copied whole.
    private mutating func refuse(
        _ worker: WorkerID, of key: ShardKey, _ round: Comparisons.Round, _ moment: Moment
    ) -> [BrokerEffect] {
        counters.differingReplicas += 1
        let reason =
            "its content differs from the others' at part \(round.sequence.value)"
        let name = ReplicaName(shard: key, worker: worker)
        let isInSync =
            state.index(named: key.index)?[key.shard]?.replica(on: worker)?.isInSync == true
        guard !isInSync else {
            return exclude(worker, from: key, as: .contentDiffers, because: reason)
        }
        proofs.refuse(name, ReplicaIdentity(workers[worker]?.behind[key]?.identity ?? 0))
        return fallBehind(name, because: reason, at: moment)
    }

    /// What a move that has its copy waits for; empty when it can go on.
    func proofObstacle(to move: ShardMove) -> String {
        let shard = state.index(named: move.shard.index)?[move.shard.shard]
        guard let copy = shard?.replica(on: move.to), copy.isInSync else { return "" }
        if let doubt = doubt(of: move.shard) { return doubt }
        guard
            !proofs.isProven(
                ReplicaName(shard: move.shard, worker: move.to), copy.identity),
            searchableReplicas(of: move.shard).count < 2
        else { return "" }
        return "the copy on worker \(move.to) has to be compared with another replica in sync "
            + "before worker \(move.from) removes its own: start worker \(move.from)"
    }
}
