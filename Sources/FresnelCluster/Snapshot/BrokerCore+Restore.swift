import FresnelModel
import FresnelWire

// A restore: each shard's first replica is made from the store by a worker that placement chooses
// anew, beside the place where it will be. When all are whole, one change of the cluster state
// makes the index; it names the replicas by their identities, and a worker puts one in its place
// only by that name. Further copies come from the first ones, as for any shard with too few.

extension BrokerCore {
    /// Checks what is to be made, and decides who makes it.
    func prepareRestore(_ job: inout SnapshotJob, at moment: Moment) throws(Refusal) {
        let name = job.order.index
        let source = job.order.source
        guard IndexName.isValid(name) else {
            throw .final(
                .invalidArgument,
                "index name \(name.debugDescription) is not 1 to \(Limits.indexNameBytes) of "
                    + "a-z 0-9 . _ -")
        }
        let identity = IndexIdentity(madeBy: job.id, after: state.names.lastEpoch)
        if state.index(named: name)?.identity == identity {
            // It was made by this very request, and the answer was lost.
            job.phase = .opening(version: state.version)
            return
        }
        if let refusal = refusalToTake(name, for: .restoredIndex(job.id)) { throw refusal }
        guard (1...UInt32(Limits.shardsPerIndex)).contains(source.shardCount),
            source.shards.map(\.shard) == Array(0..<source.shardCount),
            source.shards.allSatisfy({ $0.sequence <= source.sequence }),
            source.sequence < WireShardInventory.implausible
        else {
            throw .final(.invalidArgument, "the snapshot's list of shards makes no sense")
        }
        _ = try schema(of: source)
        let live = members.filter {
            sessions[$0.session]?.isWhole == true && !$0.isSuspect
                && !state.drained.contains($0.worker)
        }.map(\.worker)
        let expected = expectedWorkers
        guard live.count >= expected else {
            let text = "\(live.count) of \(expected) workers that are not drained are here"
            // Those of a cluster that just started are on their way.
            guard moment.instant - (startedAt ?? moment.instant) >= Limits.restorePatience else {
                throw .later(.noWorkers, "\(text); index \(name) is made when they are")
            }
            throw .final(
                .noWorkers,
                "\(text); start them, or the broker with a smaller --expect-workers, and run it "
                    + "again")
        }
        try checkLeftovers(of: name, on: live)
        try checkRoom(
            for: IndexForm(
                shardCount: source.shardCount,
                replication: min(max(1, source.replication), UInt32(Limits.replicasPerShard))))
        let placement = Placement.place(
            index: name, shardCount: source.shardCount, on: live, load: placedReplicas)
        for (number, placed) in placement.enumerated() {
            let key = ShardKey(index: name, shard: ShardID(UInt32(number)))
            job.works[key] = SnapshotJob.Work(worker: placed[0])
        }
        job.phase = .loading
    }

    /// Every shard is whole, beside its place: makes the index, if its name is still free.
    mutating func commitRestore(_ job: SnapshotJob) -> [BrokerEffect] {
        switch refusalToTake(job.order.index, for: .restoredIndex(job.id)) {
        case .final(let code, let text)?: return fail(job, code, text)
        // A worker that came meanwhile has still to tell what it holds.
        case .later?: return []
        case nil: break
        }
        let source = job.order.source
        let epoch = state.names.firstEpoch
        let shards = job.works.sorted { $0.key < $1.key }.map { _, work in
            ShardState(
                epoch: epoch,
                replicas: [
                    ReplicaState(
                        worker: work.worker, identity: work.identity, isInSync: true,
                        since: epoch)
                ])
        }
        var index = IndexState(
            name: job.order.index,
            identity: IndexIdentity(madeBy: job.id, after: state.names.lastEpoch),
            shardCount: source.shardCount,
            replication: min(max(1, source.replication), UInt32(Limits.replicasPerShard)),
            shards: shards,
            defaultExpirationSeconds: source.defaultExpirationSeconds > 0
                ? source.defaultExpirationSeconds : nil)
        // It was read when the restore began.
        if let schema = try? schema(of: source) { index.schema = schema }
        index.holdsRelated = source.holdsRelated
        index.sequenceLease = SequenceNumber(source.sequence + 1)
        index.clientState = source.clientStateBytes
        state.change(index)
        structureVersion = state.version
        mayLackReplicas = true
        snapshots[job.id]?.phase = .opening(version: state.version)
        snapshots[job.id]?.index.name = index.name
        return [
            .log(
                .information,
                "index \(index.name) is restored from \(job.order.store.location)")
        ]
    }

    /// Tells the client when all of a restored index is open, or that some of it will not be soon.
    ///
    /// It is in the cluster state: what is made stays in either case.
    mutating func openRestored(
        _ job: SnapshotJob, _ version: UInt64, at moment: Moment
    ) -> [BrokerEffect] {
        let closed = (0..<job.order.source.shardCount).map {
            ShardKey(index: job.order.index, shard: ShardID($0))
        }.filter { searchableReplicas(of: $0).isEmpty }
        guard persistedVersion >= version else { return [] }
        guard !closed.isEmpty else { return complete(job) }
        let stranded = closed.compactMap { key -> (ShardKey, WorkerID)? in
            guard let worker = state.index(named: key.index)?[key.shard]?.first?.worker,
                !workers.isOpening(key, on: worker)
            else { return nil }
            return (key, worker)
        }
        guard let (key, worker) = stranded.first else {
            snapshots[job.id]?.strandedSince = nil
            return []
        }
        let since = job.strandedSince ?? moment.instant
        snapshots[job.id]?.strandedSince = since
        guard moment.instant - since >= Limits.restorePatience else { return [] }
        let numbers = stranded.map { "\($0.0.shard.number)" }.joined(separator: ", ")
        let shards = stranded.count == 1 ? "shard \(numbers)" : "shards \(numbers)"
        return fail(
            job, .shardUnavailable,
            "index \(key.index) is restored and durable, but not open: \(shards); "
                + "\(workers.absence(of: key, placed: worker)). It need not be restored again: "
                + "when the worker is back the shard opens, `fresnel status` tells")
    }

    private func schema(of source: WireSnapshotIndex) throws(Refusal) -> AttributeSchema {
        var schema = AttributeSchema()
        for key in source.customKeys {
            do {
                try schema.declare(CustomAttributeKey(key))
            } catch {
                throw .final(.keyMismatch, "\(error)")
            }
        }
        return schema
    }
}
