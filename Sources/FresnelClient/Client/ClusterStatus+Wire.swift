import FresnelWire

extension ClusterStatus {
    init(_ reply: WireStatusReply) {
        software = reply.software
        epoch = Epoch(reply.epoch)
        uptime = .milliseconds(Int64(clamping: reply.uptimeMs))
        clients = reply.clients
        activeQueries = reply.activeQueries
        workers = reply.workers.map(Worker.init)
        indexes = reply.indexes.map(Index.init)
        removed = reply.removed.map { index in
            RemovedIndex(
                name: index.name, workers: index.workers.map(WorkerID.init),
                replicas: Int(index.replicas), message: index.message)
        }
        plannedMoves = Int(reply.plannedMoves)
        plannedBytes = reply.plannedBytes
        clockTrouble = reply.clocks
        expiredBy = reply.hasExpiredBy ? Timestamp(seconds: reply.expiredBy) : nil
        unknownReplicas = reply.unknownReplicas.map(UnknownReplica.init)
        unwritten = reply.unwritten
        counters = reply.counters.reduce(into: [:]) { $0[$1.name] = $1.value }
    }
}

extension ClusterStatus.UnknownReplica {
    init(_ status: WireUnknownReplica) {
        index = status.index
        shard = ShardID(status.shard)
        worker = WorkerID(status.worker)
        lastSequence = SequenceNumber(status.lastSequence)
        message = status.message
    }
}

extension ClusterStatus.Worker {
    init(_ status: WireWorkerStatus) {
        name = status.name
        state = status.state
        documents = status.documents
        shards = Int(status.shards)
        residentBytes = status.residentBytes
        silence = .milliseconds(Int64(clamping: status.silentMs))
        software = status.software
        diskFreeBytes = status.diskFreeBytes
        isDiskFull = status.diskFull
        isDrained = status.drained
        replicas = Int(status.replicas)
        removing = Int(status.removing)
        merges = status.merges
        mergedBytes = status.mergedBytes
        if status.hasClockAhead {
            clockLead = .milliseconds(Int64(max(-1e15, min(1e15, status.clockAhead * 1000))))
        }
        if status.hasRetention {
            retention = ClusterStatus.Retention(
                time: .milliseconds(Int64(clamping: status.retention.milliseconds)),
                batches: status.retention.batches)
        }
    }
}

extension ClusterStatus.Index {
    init(_ status: WireIndexStatus) {
        name = status.name
        documents = status.documents
        committed = SequenceNumber(status.committedSequence)
        defaultExpiration = .seconds(status.defaultExpirationSeconds)
        shards = status.shards.map(ClusterStatus.Shard.init)
        replication = max(1, Int(status.replication))
        aliases = status.aliases
        storedBytes = status.storedBytes
        identityHigh = status.identityHigh
        identityLow = status.identityLow
        customKeys = status.customKeys.compactMap { key in
            // A key of a type that a newer cluster knows is none that this client could use.
            try? CustomAttributeKey(key)
        }
    }
}

extension ClusterStatus.Shard {
    init(_ placement: WireShardPlacement) {
        shard = ShardID(placement.shard)
        worker = WorkerID(placement.worker)
        state = placement.state
        message = placement.message
        documents = placement.documents
        lastSequence = SequenceNumber(placement.lastSequence)
        oldestReadable = SequenceNumber(placement.oldestReadable)
        epoch = Epoch(placement.epoch)
        replicas = placement.replicas.map(ClusterStatus.Replica.init)
    }
}

extension ClusterStatus.Replica {
    init(_ status: WireReplicaStatus) {
        worker = WorkerID(status.worker)
        state = status.state
        isInSync = status.inSync
        documents = status.documents
        lastSequence = SequenceNumber(status.lastSequence)
        copiedBytes = status.bytesDone
        totalBytes = status.bytesTotal
        message = status.message
        reason = status.reason
        successor = status.successor.isEmpty ? nil : WorkerID(status.successor)
    }
}
