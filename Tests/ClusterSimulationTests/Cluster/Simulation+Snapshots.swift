@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// Snapshots beside deaths: a client has an index copied to a store, and writes its manifest when
// the broker says that everything is there; another time it has an index made of one. Workers copy
// for a while and may die, the broker may, and the store's own disk damages what it holds. A
// snapshot is whole or not there, and an index is made only of whole shards (decision 0021).

/// What is in a place outside of the cluster.
struct SimulatedStore {
    /// What workers put, by the number that stands for the names of its files.
    var objects: [UInt64: StoredShard] = [:]
    /// The manifests, which make snapshots.
    var manifests: [WireSnapshotIndex] = []
    /// Indexes that were asked to be made, by name.
    var wanted: [String: WireSnapshotIndex] = [:]
    /// Whether anybody copies in this run.
    var isUsed = false

    /// Everything that a snapshot holds of documents; nil when one of its shards is not there.
    func documents(of index: WireSnapshotIndex) -> [Document]? {
        var documents: [Document] = []
        for shard in index.shards {
            guard let object = objects[shard.digestLow] else { return nil }
            documents += object.documents(at: object.lastSequence)
        }
        return documents
    }
}

/// A copy to the store, or from there, as its client knows it.
struct AskedCopy {
    let askedAt: Instant
    /// The index that is to be made; nil for a snapshot.
    let restored: String?
}

extension Simulation {
    /// A client has an index copied, or made; plans the next.
    mutating func copyIndex() {
        guard !isCalm, shape.disks == .faulty, shape.hasMishaps else { return }
        agenda.add(.copyIndex, at: now + dice.milliseconds(400...4_000))
        let number = dice.below(clients.count)
        guard clients[number].copies.isEmpty else { return }
        var order = WireSnapshot()
        order.store.location = "store"
        order.index = dice.element(of: shape.indexes)
        if !store.manifests.isEmpty, store.wanted.count < 2, dice.chance(75) {
            order.source = dice.element(of: store.manifests)
            order.index = "copy\(store.wanted.count)"
            store.wanted[order.index] = order.source
        }
        let id = newRequest(number)
        clients[number].copies[id] = AskedCopy(
            askedAt: now, restored: order.hasSource ? order.index : nil)
        trace.note(now, "client\(number) copies \(order.hasSource ? "to" : "") \(order.index)")
        tell(
            number, client: .snapshot(id, order, budget: dice.milliseconds(1_000...20_000)))
    }

    /// The broker says that a copy is done: the command writes its manifest.
    mutating func take(_ done: WireSnapshotDone, of id: RequestID, _ number: Int) {
        guard let copy = clients[number].copies.removeValue(forKey: id) else {
            return violate(.verbsInTurn, "client\(number) gets a snapshot it did not ask for")
        }
        if let name = copy.restored {
            tally.note(DiskFault.restored)
            return expectRestored(name)
        }
        tally.note(.stored)
        store.manifests.append(done.index)
        checkSnapshot(done.index, copy)
    }

    /// It failed: nothing of it is seen.
    mutating func failCopy(of id: RequestID, _ number: Int) -> Bool {
        guard clients[number].copies.removeValue(forKey: id) != nil else { return false }
        tally.note(.failedStore)
        return true
    }

    // MARK: workers

    /// What a worker does for a copy.
    mutating func perform(_ order: WireStoreShard, _ number: Int) {
        let key = ShardKey(index: order.index, shard: ShardID(order.shard))
        let boot = workers[number].boot
        let takes = dice.milliseconds(5...1_500)
        guard order.work != .discard else {
            workers[number].restored[key] = nil
            workers[number].loading[key] = nil
            return
        }
        guard order.work == .save else {
            workers[number].loading[key] = order.ticket
            return agenda.add(.stored(worker: number, boot: boot, order, nil), at: now + takes)
        }
        let shard = workers[number].opened.contains(key) ? workers[number].disk[key] : nil
        if shard != nil { tell(.captured, of: order, number) }
        agenda.add(.stored(worker: number, boot: boot, order, shard), at: now + takes)
    }

    /// A worker has copied a shard, or could not.
    mutating func finishStoring(_ order: WireStoreShard, _ shard: StoredShard?, _ number: Int) {
        let isBroken = !isCalm && dice.chance(12)
        if order.work == .load {
            let key = ShardKey(index: order.index, shard: ShardID(order.shard))
            // One thread does them in turn: what a newer order makes takes the place.
            guard workers[number].loading[key] == order.ticket else { return }
            if isBroken { tally.note(.damagedObject) }
            // Hash and contents are proven before it is said to be whole.
            guard let object = store.objects[order.source.digestLow], !isBroken else {
                return tell(.failed, of: order, number)
            }
            let made = object.copy(identity: dice.next() | 1, as: key)
            workers[number].restored[key] = made
            return tell(.done, of: order, number, made)
        }
        guard let shard, !shard.isDamaged, !isBroken else {
            return tell(.failed, of: order, number)
        }
        tell(.done, of: order, number, shard)
    }

    private mutating func tell(
        _ phase: WireStorePhase, of order: WireStoreShard, _ number: Int,
        _ shard: StoredShard? = nil
    ) {
        var report = WireStoredShard()
        report.index = order.index
        report.shard = order.shard
        report.ticket = order.ticket
        report.phase = phase
        if phase == .failed {
            report.failure = WireFailure(.storageFailed, "the simulated store breaks")
        }
        if let shard, order.work == .save {
            report.result.shard = order.shard
            report.result.sequence = shard.lastSequence.value
            report.result.digestLow = UInt64(store.objects.count) + 1
            store.objects[report.result.digestLow] = shard
        }
        report.identity = shard?.identity ?? 0
        agenda.add(
            .report(worker: number, boot: workers[number].boot, .stored(report)),
            at: now + dice.microseconds(100...3_000))
    }

    /// Puts what was restored in its place, if that is what is assigned.
    mutating func settleRestored(_ key: ShardKey, _ assignment: WireIndexAssignment, _ number: Int)
    {
        guard let made = workers[number].restored.removeValue(forKey: key) else { return }
        let assigned = zip(assignment.shards, assignment.identities)
            .first { $0.0 == key.shard.number }?.1
        guard assigned == made.identity, workers[number].disk[key] == nil else { return }
        workers[number].disk[key] = made
        trace.note(now, "worker\(number) puts \(key) in its place")
    }

    /// Removes what restores of former sessions left.
    mutating func sweepRestored(keeping kept: Set<ShardKey>, _ number: Int) {
        workers[number].loading = workers[number].loading.filter { kept.contains($0.key) }
        let left = workers[number].restored.filter { !kept.contains($0.key) }
        for key in left.keys.sorted() {
            tally.note(.sweptRestore)
            trace.note(now, "worker\(number) removes what a restore left of \(key)")
            workers[number].restored[key] = nil
        }
    }

    // MARK: invariants

    /// Nothing that a restore made is left beside its place.
    mutating func expectNothingRestored() {
        guard broker.core?.snapshots.count == 0 else { return }
        for worker in workers where !worker.restored.isEmpty {
            violate(.snapshotWhole, "\(worker.name) keeps of restores: \(worker.restored.keys)")
        }
    }

    /// A snapshot is whole, of one moment while it was made, and its client state fits.
    private mutating func checkSnapshot(_ index: WireSnapshotIndex, _ copy: AskedCopy) {
        guard index.shards.map(\.shard) == Array(0..<shape.shards),
            let documents = store.documents(of: index)
        else { return violate(.snapshotWhole, "a manifest names what is not there: \(index)") }
        let byName = Dictionary(grouping: documents, by: \.uniqueIdentifier)
        for identifier in oracle.identifiers where identifier.hasPrefix(index.name + "/") {
            let allowed = oracle.allowed(identifier, asked: copy.askedAt, ended: now)
            let present = byName[identifier] ?? []
            let isAllowed =
                present.isEmpty ? allowed.contains(nil) : present.allSatisfy(allowed.contains)
            guard !isAllowed else { continue }
            violate(
                .snapshotWhole,
                "\(identifier) is \(present.map(\.title)); allowed: \(allowed.map { $0?.title })")
        }
        guard index.name == shape.indexes[0] else { return }
        checkState(index.clientStateBytes, AskedState(at: copy.askedAt))
    }

    /// An index that was made is what its snapshot was, on every replica in sync.
    mutating func expectRestored(_ name: String) {
        guard let source = store.wanted[name], forsaken.isEmpty,
            let index = broker.core?.state.index(named: name)
        else { return }
        if index.clientState != source.clientStateBytes {
            violate(.snapshotWhole, "\(name) has another client state than its snapshot")
        }
        for (number, shard) in index.shards.enumerated() {
            let key = ShardKey(index: name, shard: ShardID(UInt32(number)))
            let object = store.objects[source.shards[number].digestLow]
            for worker in workers where shard.inSync.contains(worker.name) {
                // What was lost is given back in the end.
                guard let held = worker.lost[key] ?? worker.disk[key] else { continue }
                guard held.chain != object?.chain else { continue }
                violate(.snapshotWhole, "\(key) on \(worker.name) is not what was stored")
            }
        }
    }

    /// An index is made only of shards that are whole, beside their places.
    mutating func checkRestored(_ state: ClusterState) {
        for index in state.indexes where store.wanted[index.name] != nil {
            for (number, shard) in index.shards.enumerated() where shard.epoch == Epoch(1) {
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                for replica in shard.replicas {
                    guard let worker = workers.first(where: { $0.name == replica.worker }) else {
                        continue
                    }
                    let held = [worker.restored[key], worker.disk[key], worker.lost[key]]
                    let isThere = held.contains { shard in
                        shard.map { ReplicaIdentity($0.identity) } == replica.identity
                    }
                    guard !isThere, forsaken.isEmpty else { continue }
                    violate(.snapshotWhole, "\(key) is in the cluster state, and made nowhere")
                }
            }
        }
    }
}
