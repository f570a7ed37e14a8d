import FresnelModel
import FresnelWire

/// Proofs that replicas contain the same, which a replica needs before it is removed for good.
///
/// That a copy has everything is its worker's word alone. So before the replica that it was made
/// from goes, both sum up what they contain as of the same part, with a salt that nobody could know
/// before: only who has the documents can. A proof counts for the moment in which it is given.
struct ReplicaProofs: Sendable {
    /// What became of a round.
    enum Outcome: Sendable {
        /// Others have still to answer.
        case awaited
        /// All contain the same: what waited for that may go on now.
        case equal
        /// Somebody could not say what it contains: it is asked again later.
        case broken
        /// They differ; confirmed when they did the last time, too.
        case differ(Comparisons.Round, isConfirmed: Bool)
    }

    private struct Round: Sendable {
        var comparison: Comparisons.Round
        let salt: UInt64
    }

    /// Numbers of rounds begin where those of `Comparisons` never come.
    private var lastNumber: UInt64 = 1 << 63
    private var rounds: [ShardKey: Round] = [:]
    private var restsUntil: [ShardKey: Instant] = [:]
    /// Shards whose replicas differed the last time.
    private var doubted: Set<ShardKey> = []
    /// Shards of which an older worker holds a replica, which knows no salts.
    private var unsalted: Set<ShardKey> = []

    /// The salt of the round that goes on about a shard; nil where none does, 0 where an older
    /// worker takes part.
    func salt(of shard: ShardKey) -> UInt64? { rounds[shard]?.salt }

    /// Begins to ask the replicas of a shard; nil while a round goes on, after one that led to
    /// nothing, and while enough others go on.
    ///
    /// - Parameters:
    ///   - replicas: those that are asked, in the cluster state's order; a round that asked others
    ///     is over.
    ///   - salt: a number that nobody could know before, not 0.
    mutating func begin(
        _ shard: ShardKey, _ sequence: SequenceNumber,
        _ replicas: [(worker: WorkerID, since: Epoch)], salt: UInt64, at now: Instant
    ) -> Comparisons.Round? {
        if let round = rounds[shard]?.comparison {
            let isSame = round.replicas.elementsEqual(replicas) { $0 == $1 }
            guard !isSame || now - round.begunAt >= Limits.proofPatience else { return nil }
            rounds[shard] = nil
        }
        guard rounds.count < Limits.proofsAtOnce, restsUntil[shard].map({ now >= $0 }) ?? true
        else { return nil }
        lastNumber += 1
        restsUntil[shard] = nil
        let comparison = Comparisons.Round(
            shard: shard, number: lastNumber, sequence: sequence, replicas: replicas, begunAt: now)
        rounds[shard] = Round(
            comparison: comparison, salt: unsalted.contains(shard) ? 0 : salt)
        return comparison
    }

    /// Ends what goes on about a shard.
    mutating func cancel(_ shard: ShardKey) { rounds[shard] = nil }

    /// Takes in what a replica contains; nil for what no round asked.
    mutating func take(
        _ digest: WireReplicaDigest, from worker: WorkerID, at now: Instant
    ) -> Outcome? {
        let shard = ShardKey(index: digest.index, shard: ShardID(digest.shard))
        guard var round = rounds[shard], round.comparison.number == digest.round,
            round.comparison.replicas.contains(where: {
                $0.worker == worker && $0.since.value == digest.epoch
            })
        else { return nil }
        guard !digest.hasFailure, digest.salt == round.salt else {
            // An older worker sums up without a salt: then the others do so, too.
            if !digest.hasFailure { unsalted.insert(shard) }
            end(shard, restingUntil: now + Limits.proofRetry)
            return .broken
        }
        round.comparison.answers[worker] = ContentSum(digest)
        rounds[shard] = round
        guard round.comparison.isWhole else { return .awaited }
        let isEqual = Set(round.comparison.answers.values).count == 1
        end(shard, restingUntil: isEqual ? nil : now + Limits.proofRetry)
        unsalted.remove(shard)
        guard !isEqual else {
            doubted.remove(shard)
            return .equal
        }
        let isConfirmed = !doubted.insert(shard).inserted
        if isConfirmed { doubted.remove(shard) }
        return .differ(round.comparison, isConfirmed: isConfirmed)
    }

    private mutating func end(_ shard: ShardKey, restingUntil instant: Instant?) {
        rounds[shard] = nil
        restsUntil[shard] = instant
    }
}
