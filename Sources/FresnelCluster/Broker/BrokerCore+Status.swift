import FresnelModel
import FresnelWire

// What a broker tells an operator.

extension BrokerCore {
    func status(at moment: Moment) -> WireStatusReply {
        var reply = WireStatusReply()
        reply.software = settings.software
        reply.epoch = state.epoch.value
        reply.incarnation = settings.incarnation
        reply.uptimeMs = milliseconds(moment.instant - (startedAt ?? moment.instant))
        reply.activeQueries = UInt64(queries.count)
        reply.clients = UInt64(sessions.all.filter { $0.control.side == .client }.count)
        reply.counters = counters.all.map { name, value in
            var counter = WireCounter()
            counter.name = name
            counter.value = value
            return counter
        }
        var follows = WireCounter()
        follows.name = "followedQueries"
        follows.value = UInt64(tails.count)
        reply.counters.append(follows)
        reply.workers = workerStatus(at: moment)
        reply.indexes = state.indexes.map { indexStatus(of: $0, at: moment) }
        reply.clocks = clocks.trouble(at: moment) ?? ""
        if let expiredBy = clocks.droppable(at: moment.instant) { reply.expiredBy = expiredBy }
        reply.removed = state.names.removed.map { index in
            var removed = WireRemovedIndex(index)
            removed.message = catalogue.failure(of: index.name) ?? ""
            return removed
        }
        let plan = PlacementPlan(of: placementView(), isBalancing: true)
        reply.plannedMoves = UInt32(plan.moves.count)
        reply.plannedBytes = plan.movedBytes
        reply.unknownReplicas = unknownStatus
        reply.unwritten = unwritten.reason?.message ?? ""
        return reply
    }

    /// The live workers, and those that hold shards and are not here.
    private func workerStatus(at moment: Moment) -> [WireWorkerStatus] {
        let counts = replicaCounts
        var statuses = workers.all.map { entry in
            var status = WireWorkerStatus()
            status.name = entry.worker.name
            status.state = sessionState(of: entry.worker)
            status.documents = entry.whole.values.map(\.documents).saturatingSum
            status.shards = UInt32(entry.whole.count)
            status.residentBytes = entry.pulse.residentBytes
            status.silentMs = milliseconds(
                liveness.silence(of: entry.session, at: moment.instant) ?? .zero)
            status.software = entry.software
            if let retention = entry.retention { status.retention = retention }
            status.diskFreeBytes = entry.pulse.diskFreeBytes
            status.diskFull = entry.pulse.diskFull
            status.merges = entry.pulse.merges
            status.mergedBytes = entry.pulse.mergedBytes
            if let lead = clocks.lead(of: entry.worker) { status.clockAhead = lead }
            note(entry.worker, counts, &status)
            return status
        }
        let placed = state.indexes.reduce(into: Set<WorkerID>()) { $0.formUnion($1.placedWorkers) }
        for worker in placed.union(state.drained).sorted() where workers[worker] == nil {
            var status = WireWorkerStatus()
            status.name = worker.name
            status.state = placed.contains(worker) ? "lost" : "ended"
            note(worker, counts, &status)
            statuses.append(status)
        }
        return statuses.sorted { $0.name < $1.name }
    }

    /// What a worker has of the cluster state.
    private func note(
        _ worker: WorkerID, _ counts: [WorkerID: (held: UInt32, leaving: UInt32)],
        _ status: inout WireWorkerStatus
    ) {
        status.drained = state.drained.contains(worker)
        status.replicas = counts[worker]?.held ?? 0
        status.removing = counts[worker]?.leaving ?? 0
    }

    /// How many replicas each worker is assigned, and how many it has still to remove.
    private var replicaCounts: [WorkerID: (held: UInt32, leaving: UInt32)] {
        var counts: [WorkerID: (held: UInt32, leaving: UInt32)] = [:]
        for shard in state.indexes.flatMap(\.shards) {
            for replica in shard.replicas { counts[replica.worker, default: (0, 0)].held += 1 }
            for replica in shard.dropped { counts[replica.worker, default: (0, 0)].leaving += 1 }
        }
        for replica in state.names.removed.flatMap(\.replicas) {
            counts[replica.worker, default: (0, 0)].leaving += 1
        }
        return counts
    }

    func indexStatus(of index: IndexState, at moment: Moment) -> WireIndexStatus {
        var status = WireIndexStatus()
        status.name = index.name
        status.shardCount = index.shardCount
        status.committedSequence = (writes.committed[index.name] ?? .zero).value
        status.defaultExpirationSeconds = index.defaultExpirationSeconds ?? 0
        status.customKeys = index.schema.sortedCustomKeys.map(WireCustomKey.init)
        status.replication = index.replication
        status.aliases = state.names.aliases(of: index.name)
        status.identityHigh = index.identity.high
        status.identityLow = index.identity.low
        for (number, shard) in index.shards.enumerated() {
            let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
            let isAlone = index.replication == 1 && shard.replicas.count == 1
            let searched = isAlone ? nil : openReplicas(of: key).first
            guard let worker = (searched ?? shard.first)?.worker else { continue }
            var placement = WireShardPlacement()
            placement.shard = UInt32(number)
            placement.worker = worker.name
            let inventory = workers.lastInventory(of: key, on: worker)
            placement.documents = inventory?.documents ?? 0
            status.storedBytes &+= inventory?.storedBytes ?? 0
            placement.lastSequence = inventory?.lastSequence ?? 0
            placement.oldestReadable = inventory?.oldestReadable ?? 0
            placement.state = shardState(of: key, on: worker)
            placement.message = shardMessage(of: key, on: worker)
            note(contentTrouble(of: key, on: worker, at: moment), &placement)
            if placement.message.isEmpty {
                let unheeded = shard.replicas.lazy.compactMap {
                    self.unheededLoss(of: key, on: $0.worker)
                }
                placement.message = unheeded.first ?? ""
            }
            placement.epoch = shard.epoch.value
            if index.replication > 1 || shard.replicas.count > 1 {
                placement.replicas = shard.replicas.map { replicaStatus(of: $0, key, at: moment) }
            }
            status.shards.append(placement)
        }
        status.documents = status.shards.map(\.documents).saturatingSum
        return status
    }

    /// A shard that could be searched whole, were its content not in doubt.
    private func note(
        _ trouble: (state: String, text: String)?, _ placement: inout WireShardPlacement
    ) {
        guard placement.state == "whole", let trouble else { return }
        (placement.state, placement.message) = trouble
    }

    private func replicaStatus(
        of replica: ReplicaState, _ key: ShardKey, at moment: Moment
    ) -> WireReplicaStatus {
        let name = ReplicaName(shard: key, worker: replica.worker)
        let entry = workers[replica.worker]
        let behind = entry?.behind[key]
        var status = WireReplicaStatus()
        status.worker = replica.worker.name
        status.inSync = replica.isInSync
        status.successor = replica.successor?.name ?? ""
        let inventory = workers.lastReplica(of: key, on: replica.worker)
        status.documents = inventory?.documents ?? 0
        status.lastSequence = inventory?.lastSequence ?? 0
        status.message =
            replica.isInSync
            ? shardMessage(of: key, on: replica.worker)
            : outOfStep[name] ?? replica.departure.text
        status.reason = replica.departure.name
        guard behind != nil else {
            status.state = shardState(of: key, on: replica.worker)
            if status.state == "whole",
                let trouble = contentTrouble(of: key, on: replica.worker, at: moment)
            {
                (status.state, status.message) = trouble
            }
            return status
        }
        let copy = catchUps[name]
        switch copy?.phase {
        case .ordered: status.state = copy?.progress?.phase == .copying ? "copying" : "tailing"
        case .following: status.state = "tailing"
        case .resting, nil: status.state = "behind"
        }
        if copy?.phase == .ordered, copy?.progress == nil { status.state = "copying" }
        status.bytesDone = copy?.progress?.bytesDone ?? 0
        status.bytesTotal = copy?.progress?.bytesTotal ?? 0
        if let failure = copy?.failure, !failure.isEmpty { status.message = failure }
        return status
    }

    private func shardState(of shard: ShardKey, on worker: WorkerID) -> String {
        guard let entry = workers[worker] else { return "unreachable" }
        if entry.refused[shard] != nil { return "refused" }
        if entry.stale[shard] != nil { return "stale" }
        if let failure = entry.failures[shard] { return failure.isDamaged ? "damaged" : "failed" }
        return entry.whole[shard] == nil || !writes.isProven(shard) ? "opening" : "whole"
    }

    /// Why a shard is held back; empty when it is not, or nothing is known.
    private func shardMessage(of shard: ShardKey, on worker: WorkerID) -> String {
        guard workers[worker]?.holdsBack(shard) == true else {
            return workers[worker]?.whole[shard] == nil ? "" : unprovenReason(of: shard) ?? ""
        }
        return workers.absence(of: shard, placed: worker)
    }

    private func milliseconds(_ duration: Duration) -> UInt64 {
        UInt64(max(0, duration.wholeNanoseconds) / 1_000_000)
    }
}

extension WireRemovedIndex {
    fileprivate init(_ index: RemovedIndex) {
        self.init()
        name = index.name
        workers = Set(index.replicas.map(\.worker)).sorted().map(\.name)
        replicas = UInt32(index.replicas.count)
    }
}
