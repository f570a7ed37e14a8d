import FresnelKernels
import FresnelModel
import FresnelWire

// Before a replica is removed for good, those that stay prove that they contain what it contains
// (`ReplicaProofs`).

extension BrokerCore {
    /// Asks the replicas of a shard for a proof, where the successor of one that goes and another
    /// one are here.
    mutating func prove(
        _ key: ShardKey, with successor: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        let replicas = searchableReplicas(of: key).map { ($0.worker, $0.since) }
        guard replicas.count > 1, replicas.contains(where: { $0.0 == successor }) else {
            proofs.cancel(key)
            return []
        }
        tokenCount += 1
        var writer = ByteWriter(capacity: 32)
        for number in [settings.secret, settings.identitySeed.low, tokenCount] {
            writer.write(number)
        }
        let salt = max(1, Hash.checksum(of: writer.bytes, seed: settings.secret))
        guard
            let round = proofs.begin(
                key, writes.agreedSequence(of: key), replicas, salt: salt, at: moment.instant)
        else { return [] }
        return ask(round, salt: proofs.salt(of: key) ?? 0, at: moment)
    }

    /// Takes in what a replica contains, where a proof asked for it.
    mutating func noteProof(
        _ digest: WireReplicaDigest, from worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect]? {
        let key = ShardKey(index: digest.index, shard: ShardID(digest.shard))
        guard let outcome = proofs.take(digest, from: worker, at: moment.instant) else {
            return nil
        }
        switch outcome {
        case .awaited, .broken: return []
        case .equal: return finishMove(of: key, isProven: true, at: moment)
        case .differ(let round, let isConfirmed):
            let text = Self.difference(round) + ", so none of them is removed"
            guard isConfirmed else {
                return [.log(.warning, text + "; they are compared again")]
            }
            counters.violations.count(.replicasConverge)
            let effects: [BrokerEffect] = [.log(.error, text)]
            return effects
                + comparisons.losers(round).flatMap { loser in
                    counters.differingReplicas += 1
                    return exclude(
                        loser, from: key, as: .contentDiffers,
                        because: "its content differs from the others' at part "
                            + "\(round.sequence.value)")
                }
        }
    }

    /// What a move that has its copy waits for; empty when it can go on.
    func proofObstacle(to move: ShardMove) -> String {
        let shard = state.index(named: move.shard.index)?[move.shard.shard]
        guard shard?.replica(on: move.to)?.isInSync == true,
            searchableReplicas(of: move.shard).count < 2
        else { return "" }
        return "the copy on worker \(move.to) has to be compared with another replica in sync "
            + "before worker \(move.from) removes its own: start worker \(move.from)"
    }
}
