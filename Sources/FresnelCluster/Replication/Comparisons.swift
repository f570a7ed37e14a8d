import FresnelKernels
import FresnelModel
import FresnelWire

/// What a replica contains, as its worker summed it up.
struct ContentSum: Hashable, Sendable {
    let documents: UInt64
    let hash: Hash128

    init(_ digest: WireReplicaDigest) {
        documents = digest.documents
        hash = Hash128(high: digest.hashHigh, low: digest.hashLow)
    }
}

/// Which shards' replicas were compared when, and the comparison that is under way.
///
/// One shard at a time: every replica in sync is asked what it contains as of the same part and
/// the same instant, so that the answers must be equal whatever is written meanwhile. Shards that
/// changed come first, then those that were compared longest ago. A difference counts when a second
/// comparison finds it too.
struct Comparisons: Sendable {
    /// One shard that is compared.
    struct Round: Sendable {
        let shard: ShardKey
        /// Names the round in question and answer.
        let number: UInt64
        let sequence: SequenceNumber
        /// The replicas that were asked, in the cluster state's order, with their epochs.
        let replicas: [(worker: WorkerID, since: Epoch)]
        let begunAt: Instant
        var answers: [WorkerID: ContentSum] = [:]
        /// Whether a worker that was asked went, and the question or the answer with it.
        var isLost = false

        var isWhole: Bool { answers.count == replicas.count }
    }

    /// How a shard's last comparison ended.
    struct Past: Sendable {
        let sequence: SequenceNumber
        let epoch: Epoch
        let at: Instant
        let ending: Ending
        /// Whose replicas were compared; one that was away then was not.
        let workers: Set<WorkerID>
    }

    /// How a comparison ends.
    enum Ending: Hashable, Sendable {
        /// The replicas contain the same, or those that do not have left.
        case settled
        /// They differ, and were not told apart yet.
        case suspicious
        /// Somebody could not say what it contains, or went.
        case broken
    }

    /// By when a replica has dropped what had expired.
    private struct Drop: Sendable {
        /// Whose drop it is: a copy that takes its place has dropped nothing yet.
        let identity: ReplicaIdentity
        /// In seconds since 2001.
        let until: Double
    }

    var round: Round?
    private(set) var past: [ShardKey: Past] = [:]
    /// Shards whose replicas were found to differ and are not told apart yet: what was found.
    private(set) var doubts: [ShardKey: String] = [:]
    /// By when replicas have dropped what had expired.
    private var dropped: [ReplicaName: Drop] = [:]
    /// Shards of which a replica dropped something since its last comparison.
    private var hurried: Set<ShardKey> = []
    private var lastNumber: UInt64 = 0
    /// Nothing is asked before this.
    private var pausedUntil = Instant(nanoseconds: 0)

    /// Whether another shard may be compared now.
    func isFree(at now: Instant) -> Bool { round == nil && now >= pausedUntil }

    /// How urgent it is to compare a shard: the instant at which it was due; nil while it is not.
    ///
    /// - Parameter workers: whose replicas can be compared now.
    func due(
        _ shard: ShardKey, _ sequence: SequenceNumber, _ epoch: Epoch,
        of workers: () -> [WorkerID], at now: Instant
    ) -> Instant? {
        guard let last = past[shard] else { return Instant(nanoseconds: 0) }
        if hurried.contains(shard) || last.ending == .suspicious,
            now - last.at >= Limits.comparisonAgain
        {
            return Instant(nanoseconds: 0)
        }
        guard now - last.at >= Limits.comparisonInterval else { return nil }
        let isSettled =
            last.ending == .settled && last.sequence == sequence && last.epoch == epoch
            && last.workers.isSuperset(of: workers())
        let wait = isSettled ? Limits.comparisonRepetition : Limits.comparisonInterval
        return now - last.at >= wait ? last.at : nil
    }

    /// Begins a round.
    mutating func begin(
        _ shard: ShardKey, _ sequence: SequenceNumber,
        _ replicas: [(worker: WorkerID, since: Epoch)], at now: Instant
    ) -> Round {
        lastNumber += 1
        let begun = Round(
            shard: shard, number: lastNumber, sequence: sequence, replicas: replicas, begunAt: now)
        round = begun
        hurried.remove(shard)
        return begun
    }

    /// Ends the round.
    mutating func finish(epoch: Epoch, as ending: Ending, at now: Instant) {
        guard let round else { return }
        // What was suspicious stays so until a comparison says otherwise.
        let wasSuspicious = past[round.shard]?.ending == .suspicious
        past[round.shard] = Past(
            sequence: round.sequence, epoch: epoch, at: now,
            ending: ending == .broken && wasSuspicious ? .suspicious : ending,
            workers: Set(round.replicas.map(\.worker)))
        pausedUntil = now + Limits.comparisonPause
        if ending == .settled { doubts[round.shard] = nil }
        self.round = nil
    }

    /// A worker is gone: what it was asked it may never have heard, also where it comes back.
    mutating func lose(_ worker: WorkerID) {
        guard let round, round.answers[worker] == nil,
            round.replicas.contains(where: { $0.worker == worker })
        else { return }
        self.round?.isLost = true
    }

    /// Takes in by when a replica has dropped what had expired: the others must contain the same.
    mutating func noteDropped(
        _ replica: ReplicaName, _ identity: ReplicaIdentity, until seconds: Double
    ) {
        guard seconds > drop(of: replica, identity) ?? -.infinity else { return }
        dropped[replica] = Drop(identity: identity, until: seconds)
        hurried.insert(replica.shard)
    }

    /// By when the very replica has dropped something; nil where that is not known.
    private func drop(of replica: ReplicaName, _ identity: ReplicaIdentity) -> Double? {
        dropped[replica].flatMap { $0.identity == identity ? $0.until : nil }
    }

    /// An instant at which replicas can be compared: not before any of them dropped something.
    func instant(
        for shard: ShardKey, of replicas: [(worker: WorkerID, identity: ReplicaIdentity)],
        notBefore now: Double
    ) -> Double {
        let dropped = replicas.compactMap {
            drop(of: ReplicaName(shard: shard, worker: $0.worker), $0.identity)
        }
        return max(now, dropped.max() ?? now)
    }

    /// A replica has left its shard for good.
    mutating func forget(_ replica: ReplicaName) { dropped[replica] = nil }

    /// Takes in that a shard's replicas differ, for the operator and for who searches it.
    mutating func doubt(_ shard: ShardKey, because text: String) { doubts[shard] = text }

    /// The shards of an index are gone.
    mutating func forget(index: String) {
        past = past.filter { $0.key.index != index }
        dropped = dropped.filter { $0.key.shard.index != index }
        doubts = doubts.filter { $0.key.index != index }
        hurried = hurried.filter { $0.index != index }
        if round?.shard.index == index { round = nil }
    }

    /// The replicas whose content is not the one that counts: what most say, then what the replica
    /// says that dropped least of what had expired, then the one that has been in sync for longest,
    /// then the first one.
    ///
    /// - Parameter identity: which replica a worker has now.
    func losers(
        _ round: Round, identity: (WorkerID) -> ReplicaIdentity
    ) -> [WorkerID] {
        let drops = round.replicas.reduce(into: [WorkerID: Double]()) { drops, replica in
            let name = ReplicaName(shard: round.shard, worker: replica.worker)
            drops[replica.worker] = self.drop(of: name, identity(replica.worker))
        }
        let drop = { (worker: WorkerID) in drops[worker] ?? -.infinity }
        let sums = round.replicas.compactMap { replica in
            round.answers[replica.worker].map { (replica: replica, sum: $0) }
        }
        let best = sums.max { left, right in
            let votes = { (sum: ContentSum) in sums.count { $0.sum == sum } }
            let (few, many) = (votes(left.sum), votes(right.sum))
            // The first of equals must stay the first: only what is truly better counts as more.
            guard few == many else { return few < many }
            let (less, more) = (drop(right.replica.worker), drop(left.replica.worker))
            return less == more ? right.replica.since < left.replica.since : less < more
        }
        guard let best else { return [] }
        return sums.filter { $0.sum != best.sum }.map(\.replica.worker)
    }
}
