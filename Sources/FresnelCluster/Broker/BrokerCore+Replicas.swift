import FresnelKernels
import FresnelModel
import FresnelWire

// The in-sync set of every shard: who leaves it, who comes back, who is assigned anew. It changes
// only in the cluster state and with a new epoch. Who leaves is not asked any more from that
// moment, and no part is acknowledged without it before its leaving is on disk; who joins counts
// for every acknowledgement from that moment, and is asked only once its joining is on disk.

extension BrokerCore {
    /// Takes a replica out of the in-sync set; nothing happens when it is the last one.
    mutating func exclude(
        _ worker: WorkerID, from key: ShardKey, as departure: Departure,
        because reason: String
    ) -> [BrokerEffect] {
        let number = Int(key.shard.number)
        guard var index = state.index(named: key.index), index[key.shard] != nil,
            index.shards[number].exclude(worker, as: departure)
        else { return [] }
        state.change(index)
        structureVersion = state.version
        counters.excludedReplicas += 1
        let open = workers[worker]?.whole.removeValue(forKey: key)
        let waiting = workers[worker]?.waiting.removeValue(forKey: key)
        if let inventory = open ?? waiting { workers[worker]?.behind[key] = inventory }
        writes.exclude(worker, from: key, version: state.version)
        outOfStep[ReplicaName(shard: key, worker: worker)] = reason
        return [
            .log(
                .warning,
                "shard \(key.shard.number) of index \(key.index): the replica of worker \(worker) "
                    + "is not in sync any more (\(departure.name)): \(reason); epoch "
                    + "\(index.shards[number].epoch.value)")
        ]
    }

    /// Takes a replica that has everything into the in-sync set.
    mutating func admit(_ worker: WorkerID, to key: ShardKey) -> [BrokerEffect] {
        let number = Int(key.shard.number)
        let name = ReplicaName(shard: key, worker: worker)
        guard var index = state.index(named: key.index),
            index[key.shard]?.replica(on: worker)?.isInSync == false,
            let inventory = workers[worker]?.behind.removeValue(forKey: key)
        else { return [] }
        index.shards[number].recognize(ReplicaIdentity(inventory.identity), on: worker)
        index.shards[number].admit(worker)
        state.change(index)
        structureVersion = state.version
        unsavedIdentities[name] = state.version
        workers[worker]?.waiting[key] = inventory
        writes.join(worker, key, inSync: index.shards[number].inSync)
        let withdrawal = leaveCatchUp(name)
        counters.rejoinedReplicas += 1
        return withdrawal + [
            .log(
                .information,
                "shard \(key.shard.number) of index \(key.index): the replica of worker \(worker) "
                    + "is in sync; epoch \(index.shards[number].epoch.value)")
        ]
    }

    /// Forgets that a replica was to be made equal to others, since it is in sync.
    mutating func leaveCatchUp(_ name: ReplicaName) -> [BrokerEffect] {
        let withdrawal = end(name)
        catchUps[name] = nil
        outOfStep[name] = nil
        failedCopies[name] = nil
        failedDonors[name] = nil
        writes.keepBacklog(of: name.shard, catchUps.concerns(name.shard))
        return withdrawal
    }

    /// Takes out the replicas that keep parts, or readers, waiting.
    mutating func excludeOverdue(at moment: Moment) -> [BrokerEffect] {
        guard !liveness.wasAway(at: moment.instant) else { return [] }
        let isAway = { [workers] (worker: WorkerID, shard: ShardKey) -> Bool in
            guard let entry = workers[worker] else { return true }
            return entry.isSuspect || entry.holdsBack(shard)
        }
        let overdue = writes.overdue(at: moment.instant, isAway: isAway)
        let effects = overdue.flatMap {
            excludeAbsent($0.worker, from: $0.shard, else: Departure.silent.text)
        }
        return effects
            + writes.unshown(at: moment.instant, isAway: isAway).flatMap {
                excludeAbsent($0.worker, from: $0.shard, else: "it was not opened in time")
            }
    }

    /// Takes out one that is away, could not be opened, or says nothing, which is `silence`.
    private mutating func excludeAbsent(
        _ worker: WorkerID, from key: ShardKey, else silence: String
    ) -> [BrokerEffect] {
        guard let entry = workers[worker] else {
            return exclude(worker, from: key, as: .away, because: Departure.away.text)
        }
        guard let failure = entry.failures[key] else {
            return exclude(worker, from: key, as: .silent, because: silence)
        }
        return exclude(
            worker, from: key, as: failure.isDamaged ? .damaged : .storageFailed,
            because: failure.reason)
    }

    /// How many replicas each worker is to hold.
    var placedReplicas: [WorkerID: Int] {
        state.indexes.lazy.flatMap(\.shards).flatMap(\.replicas)
            .reduce(into: [:]) { $0[$1.worker, default: 0] += 1 }
    }

    /// Assigns one more replica to shards that have too few, where a worker is free.
    mutating func assignMissing() {
        guard isReady, persistedVersion >= structureVersion else { return }
        let live = members.filter {
            sessions[$0.session]?.isWhole == true && !$0.isSuspect
                && !state.drained.contains($0.worker)
        }.map(\.worker)
        guard mayLackReplicas, live.count > 1 else { return }
        mayLackReplicas = false
        var load = placedReplicas
        for var index in state.indexes where index.replication > 1 && !unknown.isRevived(index) {
            let before = index
            let leftovers = Array(state.names.holders(of: index.name))
            for number in index.shards.indices {
                while index.shards[number].staying < Int(index.replication),
                    let worker = Placement.next(
                        of: ShardKey(index: index.name, shard: ShardID(UInt32(number))),
                        besides: index.shards[number].namedWorkers + leftovers, on: live,
                        load: load)
                {
                    index.shards[number].assign(worker)
                    load[worker, default: 0] += 1
                }
            }
            guard index != before else { continue }
            state.change(index)
            structureVersion = state.version
        }
    }

    /// The replicas that a shard can be searched on now, in a fixed order.
    func searchableReplicas(of key: ShardKey) -> [ReplicaState] {
        writes.isProven(key) ? openReplicas(of: key) : []
    }

    /// The replicas in sync that are open, in a fixed order, also where nobody may read them yet.
    func openReplicas(of key: ShardKey) -> [ReplicaState] {
        Self.openReplicas(of: key, state, workers)
    }

    /// Who else can be asked for a shard, for streams that lose a worker; nobody where no index
    /// has several replicas.
    var otherReplicas: QueryStream.Replicas {
        guard !moves.busy.isEmpty || state.indexes.contains(where: { $0.replication > 1 }) else {
            return { _ in [] }
        }
        let (state, workers, unproven) = (state, workers, writes.unproven)
        return { unproven[$0] == nil ? Self.openReplicas(of: $0, state, workers) : [] }
    }

    /// Why a shard is not read although a replica is open, for people; nil where it may be.
    func unprovenReason(of key: ShardKey) -> String? {
        guard !writes.isProven(key), let open = openReplicas(of: key).first else { return nil }
        let others = state.index(named: key.index)?[key.shard]?.inSync ?? []
        let awaited = others.filter { workers[$0]?.whole[key] == nil }.map(\.name)
        let what =
            "the replica of worker \(open.worker) may have parts that were acknowledged to nobody; "
            + "the shard is asked once "
        guard !awaited.isEmpty else {
            return what + "the broker has written down who left the replicas in sync"
        }
        return what + "worker " + awaited.joined(separator: " and worker ")
            + (awaited.count == 1 ? " has" : " have")
            + " shown the same, or \(Limits.replicaPatience.components.seconds) s later without"
    }

    private static func openReplicas(
        of key: ShardKey, _ state: ClusterState, _ workers: WorkerTable
    ) -> [ReplicaState] {
        guard let shard = state.index(named: key.index)?[key.shard] else { return [] }
        return shard.replicas.filter { replica in
            guard replica.isInSync else { return false }
            return workers.home(of: key, placed: replica.worker) != nil
        }
    }
}
