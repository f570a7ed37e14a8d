import FresnelKernels
import FresnelModel
import FresnelWire

// Contents of replicas in sync are compared all the time, one shard after the other. Replicas that
// journal the same parts hold the same documents; where they do not, one of them is wrong, whatever
// the cause, and answers would depend on whom a query asks.

extension BrokerCore {
    /// Asks the replicas of the most urgent shard what they contain, or gives a round up.
    mutating func compareReplicas(at moment: Moment) -> [BrokerEffect] {
        if let round = comparisons.round {
            guard
                moment.instant - round.begunAt >= Limits.comparisonPatience
                    || isBroken(round)
            else { return [] }
            endRound(.broken, at: moment)
        }
        guard comparisons.isFree(at: moment.instant), let chosen = mostUrgent(at: moment) else {
            return []
        }
        let round = comparisons.begin(
            chosen, writes.agreedSequence(of: chosen),
            searchableReplicas(of: chosen).map { ($0.worker, $0.since) }, at: moment.instant)
        return ask(round, salt: 0, at: moment)
    }

    /// Asks every replica of a round what it contains.
    mutating func ask(
        _ round: Comparisons.Round, salt: UInt64, at moment: Moment
    ) -> [BrokerEffect] {
        let instant = comparisons.instant(
            for: round.shard,
            of: round.replicas.map { ($0.worker, shownIdentity(of: round.shard, on: $0.worker)) },
            notBefore: moment.wall.seconds)
        return round.replicas.flatMap { worker, since -> [BrokerEffect] in
            guard let session = workers[worker]?.session else { return [] }
            var question = WireCheckReplica()
            question.index = round.shard.index
            question.shard = round.shard.shard.number
            question.epoch = since.value
            question.round = round.number
            question.sequence = round.sequence.value
            question.now = instant
            question.salt = salt
            return send(Message(Envelope(), .checkReplica(question)), to: session)
        }
    }

    /// Which replica of a shard a worker has shown last, in sync or not.
    func shownIdentity(of shard: ShardKey, on worker: WorkerID) -> ReplicaIdentity {
        let entry = workers[worker]
        return ReplicaIdentity((entry?.whole[shard] ?? entry?.behind[shard])?.identity ?? 0)
    }

    /// The replicas of a round whose content is not the one that counts.
    func losers(of round: Comparisons.Round) -> [WorkerID] {
        comparisons.losers(round) { shownIdentity(of: round.shard, on: $0) }
    }

    /// The shard that waits longest for a comparison that is due.
    private func mostUrgent(at moment: Moment) -> ShardKey? {
        var best: (shard: ShardKey, due: Instant)?
        for index in state.indexes where index.replication > 1 {
            for (number, shard) in index.shards.enumerated() where shard.inSync.count > 1 {
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                let sequence = writes.agreedSequence(of: key)
                guard sequence > .zero,
                    let due = comparisons.due(
                        key, sequence, shard.epoch,
                        of: { searchableReplicas(of: key).map(\.worker) }, at: moment.instant),
                    due < best?.due ?? moment.instant, searchableReplicas(of: key).count > 1
                else { continue }
                best = (key, due)
            }
        }
        return best?.shard
    }

    /// Whether some replica that was asked is not the same any more, or not in sync, or its worker
    /// was gone.
    private func isBroken(_ round: Comparisons.Round) -> Bool {
        guard !round.isLost else { return true }
        let open = searchableReplicas(of: round.shard)
        return round.replicas.contains { worker, since in
            !open.contains { $0.worker == worker && $0.since == since }
        }
    }

    /// Takes in what a replica contains.
    mutating func note(
        _ digest: WireReplicaDigest, from worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        if let proof = noteProof(digest, from: worker, at: moment) { return proof }
        guard let round = comparisons.round, round.number == digest.round,
            round.replicas.contains(where: {
                $0.worker == worker && $0.since.value == digest.epoch
            }), digest.index == round.shard.index, digest.shard == round.shard.shard.number
        else {
            counters.lateAnswers += 1
            return []
        }
        if digest.hasDroppedUntil {
            comparisons.noteDropped(
                ReplicaName(shard: round.shard, worker: worker),
                shownIdentity(of: round.shard, on: worker), until: digest.droppedUntil)
        }
        guard !digest.hasFailure, !isBroken(round) else {
            // It cannot be said now: another time.
            endRound(.broken, at: moment)
            return []
        }
        comparisons.round?.answers[worker] = ContentSum(digest)
        guard let whole = comparisons.round, whole.isWhole else { return [] }
        return judge(whole, at: moment)
    }

    private mutating func judge(
        _ round: Comparisons.Round, at moment: Moment
    ) -> [BrokerEffect] {
        counters.comparisons += 1
        let losers = losers(of: round)
        let isConfirmed = comparisons.past[round.shard]?.ending == .suspicious
        endRound(losers.isEmpty || isConfirmed ? .settled : .suspicious, at: moment)
        guard !losers.isEmpty else { return [] }
        let text = Self.difference(round)
        guard isConfirmed else {
            comparisons.doubt(
                round.shard,
                because: text + "; they are compared again within seconds, and then the one that "
                    + "is wrong is copied from the other")
            return [.log(.warning, text + "; they are compared again")]
        }
        let isMajority = losers.count * 2 < round.replicas.count
        let choice =
            isMajority
            ? "what most contain counts"
            : "which of two is right cannot be known: the one counts that dropped less of what had "
                + "expired, else the one that is in sync for longer"
        var effects: [BrokerEffect] = [.log(.error, "\(text); \(choice)")]
        for worker in losers {
            counters.differingReplicas += 1
            counters.violations.count(.replicasConverge)
            effects += exclude(
                worker, from: round.shard, as: .contentDiffers,
                because: "its content differs from the others' at part \(round.sequence.value); "
                    + "\(choice)")
        }
        return effects
    }

    /// What each replica of a round contains.
    static func difference(_ round: Comparisons.Round) -> String {
        let name = "shard \(round.shard.shard.number) of index \(round.shard.index)"
        let sums = round.replicas.map { replica in
            let sum = round.answers[replica.worker]
            let hash = sum?.hash.description ?? ""
            return "\(replica.worker) \(sum?.documents ?? 0) documents, \(hash)"
        }.joined(separator: "; ")
        return "\(name): contents of replicas differ at part \(round.sequence.value): \(sums)"
    }

    private mutating func endRound(_ ending: Comparisons.Ending, at moment: Moment) {
        guard let shard = comparisons.round?.shard else { return }
        let epoch = state.index(named: shard.index)?[shard.shard]?.epoch ?? Epoch(0)
        comparisons.finish(epoch: epoch, as: ending, at: moment.instant)
    }
}
