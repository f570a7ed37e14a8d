import FresnelModel
import FresnelWire

/// Proofs that a copy contains what the replicas in sync contain: it needs one before it joins
/// them, and before the replica that it takes the place of is removed for good.
///
/// That a copy has everything is its worker's word alone. So the copy and those in sync all sum up
/// what they contain as of the same part, with a salt that nobody could know before: only who has
/// the documents can. A proof counts for a replica's directory as long as this process lives:
/// from that part on it gets the same parts as the others.
struct ReplicaProofs: Sendable {
    /// What became of a round.
    enum Outcome: Sendable {
        /// Others have still to answer.
        case awaited
        /// All contain the same: what waited for that may go on now.
        case equal(ReplicaName)
        /// Somebody could not say what it contains: it is asked again later.
        case broken
        /// They differ; confirmed when they did the last time, too.
        case differ(ReplicaName, Comparisons.Round, isConfirmed: Bool)
    }

    private struct Round: Sendable {
        var comparison: Comparisons.Round
        let salt: UInt64
        /// The copy's directory.
        let identity: ReplicaIdentity
    }

    /// Numbers of rounds begin where those of `Comparisons` never come.
    private var lastNumber: UInt64 = 1 << 63
    private var rounds: [ReplicaName: Round] = [:]
    private var restsUntil: [ReplicaName: Instant] = [:]
    private var proven: [ReplicaName: ReplicaIdentity] = [:]
    /// Copies that differed the last time.
    private var doubted: Set<ReplicaName> = []
    /// Copies that are wrong: these directories are of no use.
    private var wrong: [ReplicaName: ReplicaIdentity] = [:]
    /// Copies that are compared with, or are, replicas of older workers, which know no salts.
    private var unsalted: Set<ReplicaName> = []

    /// Whether a copy proved that it contains what the others contain.
    func isProven(_ name: ReplicaName, _ identity: ReplicaIdentity) -> Bool {
        proven[name] == identity
    }

    /// Whether a directory turned out to contain something else: it is copied whole.
    func isWrong(_ name: ReplicaName, _ identity: ReplicaIdentity) -> Bool {
        wrong[name] == identity
    }

    /// Whether a proof of a copy goes on, or is about to.
    func isUnderWay(_ name: ReplicaName) -> Bool {
        rounds[name] != nil || restsUntil[name] != nil
    }

    /// The salt of the round that goes on about a copy; 0 where an older worker takes part.
    func salt(of name: ReplicaName) -> UInt64 { rounds[name]?.salt ?? 0 }

    /// Begins to ask a copy and others; nil while a round goes on, after one that led to nothing,
    /// and while enough others go on.
    ///
    /// - Parameters:
    ///   - replicas: those that are asked, in the cluster state's order; a round that asked others
    ///     is over.
    ///   - salt: a number that nobody could know before, not 0.
    mutating func begin(
        _ name: ReplicaName, _ identity: ReplicaIdentity, _ sequence: SequenceNumber,
        _ replicas: [(worker: WorkerID, since: Epoch)], salt: UInt64, at now: Instant
    ) -> Comparisons.Round? {
        if let round = rounds[name] {
            let isSame =
                round.identity == identity
                && round.comparison.replicas.elementsEqual(replicas) { $0 == $1 }
            guard !isSame || now - round.comparison.begunAt >= Limits.proofPatience else {
                return nil
            }
            rounds[name] = nil
        }
        guard rounds.count < Limits.proofsAtOnce, restsUntil[name].map({ now >= $0 }) ?? true
        else { return nil }
        lastNumber += 1
        restsUntil[name] = nil
        let comparison = Comparisons.Round(
            shard: name.shard, number: lastNumber, sequence: sequence, replicas: replicas,
            begunAt: now)
        rounds[name] = Round(
            comparison: comparison, salt: unsalted.contains(name) ? 0 : salt, identity: identity)
        return comparison
    }

    /// The shards of an index are gone.
    mutating func forget(index: String) {
        rounds = rounds.filter { $0.key.shard.index != index }
        restsUntil = restsUntil.filter { $0.key.shard.index != index }
        proven = proven.filter { $0.key.shard.index != index }
        doubted = doubted.filter { $0.shard.index != index }
        wrong = wrong.filter { $0.key.shard.index != index }
        unsalted = unsalted.filter { $0.shard.index != index }
    }

    /// Takes in what a replica contains; nil for what no round asked.
    mutating func take(
        _ digest: WireReplicaDigest, from worker: WorkerID, at now: Instant
    ) -> Outcome? {
        guard let name = rounds.first(where: { $0.value.comparison.number == digest.round })?.key,
            var round = rounds[name], digest.index == name.shard.index,
            digest.shard == name.shard.shard.number,
            round.comparison.replicas.contains(where: {
                $0.worker == worker && $0.since.value == digest.epoch
            })
        else { return nil }
        guard !digest.hasFailure, digest.salt == round.salt else {
            // An older worker sums up without a salt: then the others do so, too.
            if !digest.hasFailure { unsalted.insert(name) }
            end(name, restingUntil: now + Limits.proofRetry)
            return .broken
        }
        round.comparison.answers[worker] = ContentSum(digest)
        rounds[name] = round
        guard round.comparison.isWhole else { return .awaited }
        unsalted.remove(name)
        guard Set(round.comparison.answers.values).count > 1 else {
            end(name, restingUntil: nil)
            doubted.remove(name)
            proven[name] = round.identity
            return .equal(name)
        }
        end(name, restingUntil: now + Limits.proofRetry)
        proven[name] = nil
        let isConfirmed = !doubted.insert(name).inserted
        if isConfirmed { doubted.remove(name) }
        return .differ(name, round.comparison, isConfirmed: isConfirmed)
    }

    /// A copy is of no use: another one is made.
    mutating func refuse(_ name: ReplicaName, _ identity: ReplicaIdentity) {
        wrong[name] = identity
    }

    /// A replica is gone from its shard, or its worker went: what goes on about it ends.
    mutating func forget(_ name: ReplicaName) {
        rounds[name] = nil
        restsUntil[name] = nil
        doubted.remove(name)
        proven[name] = nil
        wrong[name] = nil
        unsalted.remove(name)
    }

    /// A worker's session ended.
    mutating func forget(_ worker: WorkerID) {
        // What it was asked may not have reached it, nor its answer the broker.
        rounds = rounds.filter { name, round in
            name.worker != worker && !round.comparison.replicas.contains { $0.worker == worker }
        }
        for name in restsUntil.keys where name.worker == worker { restsUntil[name] = nil }
    }

    private mutating func end(_ name: ReplicaName, restingUntil instant: Instant?) {
        rounds[name] = nil
        restsUntil[name] = instant
    }
}
