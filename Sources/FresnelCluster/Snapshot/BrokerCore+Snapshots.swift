import FresnelKernels
import FresnelModel
import FresnelWire

// Snapshots: the broker says which replicas are copied when, and who makes which from a store; it
// never sees a byte of them.

extension BrokerCore {
    /// Takes on a snapshot or a restore.
    mutating func snapshot(
        _ order: WireSnapshot, _ request: Envelope, from session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        if var job = snapshots[request.id] {
            // Asked again after the connection was lost: it goes on.
            job.session = session.id
            job.request = request
            snapshots[request.id] = job
            return []
        }
        do throws(Refusal) {
            if let refusal = unwrittenStart(at: moment) { throw refusal }
            guard snapshots.count < Limits.snapshotJobs else {
                throw .later(.busy, "\(snapshots.count) snapshots are under way; wait")
            }
            guard !snapshots.all.contains(where: { $0.order.index == order.index }) else {
                throw .later(.busy, "a snapshot or restore of index \(order.index) is under way")
            }
            var job = SnapshotJob(
                id: request.id, ticket: drawSnapshotTicket(), order: order,
                deadline: moment.instant + (request.budget ?? Limits.snapshotBudget),
                session: session.id, request: request,
                phase: .draining(until: moment.instant + Limits.snapshotHold))
            if order.hasSource {
                try prepareRestore(&job, at: moment)
            } else {
                try prepare(&job)
            }
            snapshots[job.id] = job
            return begin(job) + advanceSnapshots(at: moment)
        } catch {
            return refuse(error, of: request, to: session.id)
        }
    }

    /// Chooses the replica of each shard that is copied: the first in sync that is here, so that
    /// the same one is copied each time and most of it is in the store already.
    private func prepare(_ job: inout SnapshotJob) throws(Refusal) {
        let name = job.order.index
        guard let index = state.index(named: name) else {
            throw .final(.unknownIndex, state.complaint(aboutIndex: name))
        }
        if let refusal = refusalToRely(on: name) { throw refusal }
        for number in index.shards.indices {
            let key = ShardKey(index: name, shard: ShardID(UInt32(number)))
            guard let replica = searchableReplicas(of: key).first else {
                let placed = index.shards[number].first?.worker ?? WorkerID("")
                let reason =
                    unprovenReason(of: key) ?? workers.absence(of: key, placed: placed)
                throw .final(
                    .shardUnavailable, "shard \(number) of index \(name): \(reason)")
            }
            job.works[key] = SnapshotJob.Work(worker: replica.worker)
        }
    }

    private mutating func begin(_ job: SnapshotJob) -> [BrokerEffect] {
        guard job.isRestore, case .loading = job.phase else { return [] }
        return send(.load, of: job)
    }

    /// Carries on what can go on, and ends what is over.
    mutating func advanceSnapshots(at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for job in snapshots.all {
            guard moment.instant < job.deadline else {
                effects += fail(job, .budgetExhausted, "it was not done in the time given")
                continue
            }
            effects += advance(job, at: moment)
        }
        return effects
    }

    private mutating func advance(_ job: SnapshotJob, at moment: Moment) -> [BrokerEffect] {
        switch job.phase {
        case .draining(let until):
            guard !writes.batches.keys.contains(where: { $0.index == job.order.index }) else {
                guard moment.instant >= until else { return [] }
                return fail(
                    job, .busy,
                    "batches under way did not end within \(Limits.snapshotHold); try again")
            }
            return capture(job, at: moment)
        case .capturing(let until):
            guard !job.works.values.allSatisfy(\.isCaptured) else {
                snapshots[job.id]?.phase = .storing
                return snapshots[job.id].map { advance($0, at: moment) } ?? []
            }
            guard moment.instant >= until else { return [] }
            let late = job.works.values.filter { !$0.isCaptured }.map(\.worker.name)
            return fail(
                job, .busy,
                "worker \(Set(late).sorted().joined(separator: ", ")) did not hold "
                    + "its shards still in time; try again")
        case .storing:
            guard job.works.values.allSatisfy(\.isDone) else { return [] }
            return complete(job)
        case .loading:
            guard job.works.values.allSatisfy(\.isDone) else { return [] }
            return commitRestore(job)
        case .opening(let version): return openRestored(job, version, at: moment)
        }
    }

    /// Nothing of the index is under way: what its workers have now is the snapshot.
    private mutating func capture(_ job: SnapshotJob, at moment: Moment) -> [BrokerEffect] {
        guard let index = state.index(named: job.order.index) else {
            return fail(job, .unknownIndex, "index \(job.order.index) is gone")
        }
        var job = job
        job.index = WireSnapshotIndex(index)
        for key in job.works.keys { job.works[key]?.least = writes.acknowledgedSequence(of: key) }
        job.phase = .capturing(until: moment.instant + Limits.snapshotHold)
        snapshots[job.id] = job
        return send(.save, of: job)
    }

    /// Takes in how a worker goes on.
    mutating func note(
        _ report: WireStoredShard, from worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        let key = ShardKey(index: report.index, shard: ShardID(report.shard))
        guard var job = snapshots.job(of: report.ticket), var work = job.works[key],
            work.worker == worker, !work.isDone
        else { return [] }
        switch report.phase {
        case .captured: work.isCaptured = true
        case .storing: break
        case .done:
            work.isCaptured = true
            work.isDone = true
            work.result = report.result
            work.identity = ReplicaIdentity(report.identity)
            guard job.isRestore || report.result.sequence >= work.least.value else {
                return fail(
                    job, .internalError,
                    "worker \(worker) copied shard \(report.shard) up to "
                        + "\(report.result.sequence), \(work.least.value) was acknowledged")
            }
        case .failed:
            let text = "shard \(report.shard) on worker \(worker): \(report.failure.message)"
            let code = ErrorCode(number: report.failure.code) ?? .storageFailed
            return fail(job, code, text)
        case .unspecified, .UNRECOGNIZED: return []
        }
        work.bytesSent = max(work.bytesSent, report.bytesSent)
        work.bytesReused = max(work.bytesReused, report.bytesReused)
        work.replaced = max(work.replaced, report.replaced)
        job.works[key] = work
        snapshots[job.id] = job
        return advanceSnapshots(at: moment)
    }

    /// What a worker that went was to do will not be done; and what it made for a restore that is
    /// not committed is nobody's, since it removes that when it comes back.
    mutating func loseSnapshots(of worker: WorkerID) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for job in snapshots.all
        where job.works.values.contains(where: {
            $0.worker == worker && (!$0.isDone || job.phase == .loading)
        }) {
            effects += fail(
                job, .shardUnavailable,
                "worker \(worker) went away meanwhile; run it again"
                    + (job.isRestore ? "" : ", what is done is used again"))
        }
        return effects
    }

    mutating func complete(_ job: SnapshotJob) -> [BrokerEffect] {
        snapshots[job.id] = nil
        let command = Command.snapshotDone(job.done)
        if let overflow = command.overflow {
            return refuse(
                .tooLarge,
                "what names the files of index \(job.order.index) has \(overflow.bytes) bytes, "
                    + "\(overflow.limit) can be sent; wait until segments are merged",
                of: job.request, to: job.session)
        }
        counters.snapshots += 1
        return send(Message(job.request.reply, command), to: job.session)
    }

    mutating func fail(
        _ job: SnapshotJob, _ code: ErrorCode, _ text: String
    ) -> [BrokerEffect] {
        snapshots[job.id] = nil
        // What is named by the cluster state belongs to its index, whoever asked for it.
        let isMade = if case .opening = job.phase { true } else { false }
        let withdrawal = isMade ? [] : send(.discard, of: job)
        let what = job.isRestore ? "the restore" : "the snapshot"
        return withdrawal + [.log(.warning, "\(what) of index \(job.order.index) failed: \(text)")]
            + refuse(code, text, of: job.request, to: job.session)
    }

    private mutating func send(_ work: WireStoreWork, of job: SnapshotJob) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for (key, entry) in job.works.sorted(by: { $0.key < $1.key }) {
            guard let session = workers[entry.worker]?.session else { continue }
            let order = Command.storeShard(job.order(for: key, work))
            effects += send(Message(Envelope(), order), to: session)
        }
        return effects
    }

    private mutating func drawSnapshotTicket() -> UInt64 {
        tokenCount += 1
        var writer = ByteWriter(capacity: 24)
        for number in [settings.secret, settings.identitySeed.low, tokenCount] {
            writer.write(number)
        }
        // Ascending with the order in which they came, and no two of a process alike.
        return tokenCount << 40 | Hash.checksum(of: writer.bytes) >> 24
    }
}

extension WireSnapshotIndex {
    /// An index as it is, without its shards.
    init(_ index: IndexState) {
        self.init()
        name = index.name
        identityHigh = index.identity.high
        identityLow = index.identity.low
        shardCount = index.shardCount
        replication = index.replication
        defaultExpirationSeconds = index.defaultExpirationSeconds ?? 0
        holdsRelated = index.holdsRelated
        clientStateBytes = index.clientState
        customKeys = index.schema.sortedCustomKeys.map(WireCustomKey.init)
    }
}
