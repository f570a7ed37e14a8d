@testable import FresnelCluster
import FresnelKernels
import FresnelModel
import FresnelWire
import TestChance

// Replicas: how they are copied in a simulation, and what must hold of them.

/// An epoch of a shard.
struct EpochName: Hashable {
    let shard: ShardKey
    /// One that could not be made durable is made again, with other replicas.
    let index: IndexIdentity
    let epoch: Epoch
}

extension Simulation.Shape {
    /// Whether single messages, writes and searches go wrong.
    var hasMishaps: Bool { hasMisfortunes && !losesOneWorker }
}

extension Simulation {
    // MARK: copies

    /// Carries out what concerns copies; false for every other message.
    mutating func takesOrder(_ message: Message, _ number: Int) -> Bool {
        switch message.command {
        case .offerReplica: return true
        case .catchUp(let order):
            let ticket = TransferTicket(high: order.ticketHigh, low: order.ticketLow)
            let key = ShardKey(index: order.index, shard: ShardID(order.shard))
            guard !order.withdrawn else {
                if workers[number].copying[key] == ticket { workers[number].copying[key] = nil }
                return true
            }
            // At most one copy a shard: a newer order ends an older one.
            guard workers[number].copying.updateValue(ticket, forKey: key) != ticket else {
                return true
            }
            agenda.add(
                .copied(worker: number, boot: workers[number].boot, order),
                at: now + random.microseconds(1_000...900_000))
            return true
        case .dropReplica(let order):
            // What it was told of a newer epoch ends the copy under an older one.
            let key = ShardKey(index: order.index, shard: ShardID(order.shard))
            if workers[number].assigned[key].map({ $0 < Epoch(order.epoch) }) ?? true {
                workers[number].copying[key] = nil
            }
            agenda.add(
                .dropped(worker: number, boot: workers[number].boot, order),
                at: now + fate.microseconds(1_000...300_000))
            return true
        default: return false
        }
    }

    /// The receiver has what the donor has now, or says why not.
    mutating func finishCopy(_ order: WireCatchUp, _ number: Int) {
        let ticket = TransferTicket(high: order.ticketHigh, low: order.ticketLow)
        let key = ShardKey(index: order.index, shard: ShardID(order.shard))
        guard workers[number].core != nil, workers[number].copying[key] == ticket else { return }
        workers[number].copying[key] = nil
        var state = WireReplicaState()
        state.index = order.index
        state.shard = order.shard
        state.epoch = order.epoch
        state.ticketHigh = order.ticketHigh
        state.ticketLow = order.ticketLow
        let donor = workers.first { $0.name.name == order.donorWorker }
        let isLost = shape.hasMishaps && !isCalm && random.chance(10)
        if let donor, donor.core != nil, donor.opened.contains(key), let source = donor.disk[key],
            source.identity == order.donorIdentity, !isLost,
            let copy = copy(of: source, order, number)
        {
            workers[number].disk[key] = copy
            workers[number].opened.insert(key)
            workers[number].missing.remove(key)
            state.phase = .caughtUp
            state.identity = copy.identity
            state.lastSequence = source.lastSequence.value
            tally.copies += 1
        } else {
            state.phase = .failed
            state.failure = WireFailure(.storageFailed, "the simulated copy breaks")
        }
        trace.note(now, "worker\(number) copied \(key): \(state.phase) \(state.lastSequence)")
        let message = Message(Envelope(), .replicaState(state))
        let at = max(now, workers[number].lastReport) + .microseconds(100)
        workers[number].lastReport = at
        agenda.add(.told(worker: number, boot: workers[number].boot, message), at: at)
    }

    /// What a receiver has of a replica in the end; nil when something was wrong on the way.
    private mutating func copy(
        of source: StoredShard, _ order: WireCatchUp, _ number: Int
    ) -> StoredShard? {
        let former = workers[number].disk[source.key]
        // What is open or whole can go on with the donor's journal.
        if let former, !former.isDamaged, !order.afresh, source.continues(former) {
            var copy = source.copy(identity: former.identity)
            copy.stain = former.stain
            return former.lastSequence == .zero ? told(copy) : copy
        }
        let isFull = workers[number].trouble.fullUntil > now
        let isFlipped = shape.disks == .faulty && !isCalm && dice.chance(30)
        if isFull { tally.note(.fullCopy) }
        if isFlipped { tally.note(.damagedCopy) }
        // Every file is compared with its name before anything opens it.
        if source.isDamaged { tally.note(.damagedDonor) }
        guard !isFull, !isFlipped, !source.isDamaged else { return nil }
        return told(source.copy(identity: random.next() | 1))
    }

    /// A new copy as it is in truth: its worker says that it has everything, and may have something
    /// else where no query looks.
    private mutating func told(_ copy: StoredShard) -> StoredShard {
        guard shape.replication == 1, shape.hasMishaps, !isCalm, copy.lastSequence > .zero,
            strangers.chance(30)
        else { return copy }
        var copy = copy
        copy.stain = strangers.next() | 1
        tally.lies += 1
        return copy
    }

    /// A replica sums up what it contains.
    mutating func check(_ question: WireCheckReplica, _ number: Int) {
        let key = ShardKey(index: question.index, shard: ShardID(question.shard))
        var answer = WireReplicaDigest()
        answer.index = question.index
        answer.shard = question.shard
        answer.epoch = question.epoch
        answer.round = question.round
        answer.sequence = question.sequence
        answer.salt = question.salt
        let sequence = SequenceNumber(question.sequence)
        if let shard = workers[number].disk[key], sequence <= shard.lastSequence {
            let visible = shard.documents(at: sequence)
            answer.documents = UInt64(visible.count)
            answer.hashHigh = shard.stain
            for document in visible {
                let text = "\(document.uniqueIdentifier) \(document.title)"
                answer.hashLow &+= Hash.checksum(of: Array(text.utf8), seed: question.salt)
            }
        } else {
            answer.failure = WireFailure(.gap, "the simulated shard has less")
        }
        agenda.add(
            .report(worker: number, boot: workers[number].boot, .checked(answer)),
            at: now + random.microseconds(100...400_000))
    }

    /// A shard as it is on the disk of a worker that has everything.
    ///
    /// - Parameter reader: a worker that was read: it may have a part that was never acknowledged,
    ///   and counts before others of the set that were away then.
    func trueShard(_ key: ShardKey, readOn reader: WorkerID? = nil) -> StoredShard? {
        guard shape.replication > 1 || shape.membership != .fixed else {
            return workers.lazy.compactMap { $0.lost[key] ?? $0.disk[key] }.first
        }
        // What the broker has forgotten is true all the same.
        let decoded = try? ClusterState(decoding: memory.newest ?? broker.disk)
        let state = memory.isLost ? decoded : broker.core?.state ?? decoded
        let replicas =
            state?.index(named: key.index)?[key.shard]?.replicas.filter(\.isInSync) ?? []
        let searched = broker.core?.searchableReplicas(of: key) ?? []
        let read = replicas.filter { $0.worker == reader }
        return (read + searched + replicas).lazy.compactMap { replica -> StoredShard? in
            guard let worker = workers.first(where: { $0.name == replica.worker }) else {
                return nil
            }
            // An older state of a disk has the identity of what was lost.
            return [worker.disk[key], worker.lost[key]].compactMap { $0 }
                .filter { ReplicaIdentity($0.identity) == replica.identity }
                .max { $0.lastSequence < $1.lastSequence }
        }.first
    }

    // MARK: misfortune

    /// Crashes a worker, if every shard has two replicas in sync.
    mutating func loseOneWorker() {
        guard let core = broker.core, core.isReady, workers.allSatisfy({ $0.core != nil }),
            core.workers.all.count == workers.count, isInSync
        else { return }
        tally.misfortunes[.workerCrash, default: 0] += 1
        crashWorker(random.below(workers.count))
    }

    // MARK: invariants

    /// Whether every shard has all of its replicas, open and in sync.
    var isInSync: Bool {
        guard let core = broker.core, shape.replication > 1 else { return broker.core != nil }
        let count = min(Int(shape.replication), workers.count - core.state.drained.count)
        return core.state.indexes.allSatisfy { index in
            index.shards.indices.allSatisfy { number in
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                return core.searchableReplicas(of: key).count == count
            }
        }
    }

    /// Whether every index was made.
    var hasEveryIndex: Bool {
        guard let state = broker.core?.state else { return false }
        return shape.indexes.allSatisfy { state.index(named: $0) != nil }
    }

    /// An epoch that was on disk stands for one set of replicas.
    mutating func checkEpochs(of state: ClusterState) {
        for index in state.indexes {
            for (number, shard) in index.shards.enumerated() {
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                let name = EpochName(
                    shard: key, index: index.identity, epoch: shard.epoch)
                // An identity that becomes known is no change.
                let replicas = shard.replicas.map {
                    ReplicaState(
                        worker: $0.worker, identity: .unknown, isInSync: $0.isInSync,
                        since: $0.since)
                }
                if let known = epochs[name], known != replicas {
                    violate(.oneEpoch, "\(name) is \(known) and \(replicas)")
                }
                if shard.inSync.isEmpty { violate(.oneEpoch, "\(name) has nobody in sync") }
                epochs[name] = replicas
            }
        }
    }

    /// With two replicas, nobody notices that a worker died.
    mutating func checkSurvival(_ done: WireDone, _ query: AskedQuery) {
        guard shape.losesOneWorker || shape.isUndisturbed, query.isSafe, !query.isCancelled,
            done.status != "cancelled"
        else { return }
        // Who gives no credit waits for its deadline, whatever workers do.
        let isSlow = done.status == "deadline" && done.shards.allSatisfy { $0.status == .complete }
        guard !done.complete, !isSlow, !done.hasError else { return }
        let invariant =
            shape.losesOneWorker ? StreamInvariant.survivesOneWorker : .movesUnnoticed
        violate(invariant, "\(done.status): \(done.shards)")
    }

    /// Everything in sync is equal, version by version.
    mutating func expectEqualReplicas() {
        guard let core = broker.core, shape.replication > 1 || shape.membership != .fixed
        else { return }
        tally.exclusions += Int(core.counters.excludedReplicas)
        tally.moves += Int(core.counters.movedParts)
        tally.disks[.contentDiffers, default: 0] += Int(core.counters.differingReplicas)
        for index in core.state.indexes {
            for (number, shard) in index.shards.enumerated() {
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                let copies = workers.filter { shard.inSync.contains($0.name) }
                    .compactMap { $0.disk[key] }
                guard let first = copies.first else { continue }
                for other in copies.dropFirst() where !first.isEqual(to: other) {
                    violate(
                        .replicasConverge,
                        "\(key): \(first.lastSequence) and \(other.lastSequence) differ")
                }
            }
        }
    }
}

extension StoredShard {
    /// Whether this one has everything that the other one has, in the same order.
    func continues(_ other: StoredShard) -> Bool {
        chain.starts(with: other.chain)
    }

    /// The same, in another directory.
    func copy(identity: UInt64, as other: ShardKey? = nil) -> StoredShard {
        var copy = StoredShard(other ?? key, identity: identity)
        copy.take(from: self)
        if other == nil { (copy.index, copy.shardCount) = (index, shardCount) }
        return copy
    }

    func isEqual(to other: StoredShard) -> Bool {
        let versions = { (shard: StoredShard) in
            Set(
                shard.versions.map { version in
                    "\(version.document.uniqueIdentifier) \(version.document.title) "
                        + "\(version.created) \(String(describing: version.deleted))"
                })
        }
        return chain == other.chain && stain == other.stain && versions(self) == versions(other)
    }
}
