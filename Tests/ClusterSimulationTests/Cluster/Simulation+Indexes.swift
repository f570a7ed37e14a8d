@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// Indexes that come and go, beside those that the clients ask and write: they are made, filled,
// removed and made again under the same names, and a name leads to one and then to another, while
// workers are away, the broker dies between two steps, and disks refuse to remove. What was
// acknowledged after the last removal of a name is there in the end, nothing that was acknowledged
// before it is, and no disk has anything of what is gone.

/// What clients do with indexes.
enum IndexChange: Hashable, CaseIterable {
    case create
    case fill
    case remove
    case setAlias
    case removeAlias
}

/// Indexes that come and go, as their clients know them.
struct PassingIndexes {
    /// A batch of one document, by a writer of its own.
    struct Batch {
        let index: String
        let askedAt: Instant
        var acknowledgedAt: Instant?
    }

    /// A removal: from when until when the index may have gone.
    struct Removal {
        let index: String
        let askedAt: Instant
        var endedAt: Instant?
        var isDone = false
    }

    static let names = ["passing", "fleeting"]
    static let aliases = ["name", "other-name"]

    var dice: SplitMix64
    /// By the identifiers of their documents.
    private(set) var batches: [String: Batch] = [:]
    private(set) var removals: [Removal] = []
    private var writes: [RequestID: String] = [:]
    private var changes: [RequestID: (change: IndexChange, removal: Int?)] = [:]

    init(dice: SplitMix64) { self.dice = dice }

    var isIdle: Bool { writes.isEmpty && changes.isEmpty }

    mutating func write(_ id: RequestID, _ identifier: String, to index: String, at now: Instant) {
        writes[id] = identifier
        batches[identifier] = Batch(index: index, askedAt: now)
    }

    mutating func ask(_ id: RequestID, _ change: IndexChange, _ index: String, at now: Instant) {
        let removal = change == .remove ? removals.count : nil
        if removal != nil { removals.append(Removal(index: index, askedAt: now)) }
        changes[id] = (change, removal)
    }

    /// A batch was answered; false for one of others.
    mutating func settle(_ id: RequestID, hasFailed: Bool, at now: Instant) -> Bool {
        guard let identifier = writes.removeValue(forKey: id) else { return false }
        if !hasFailed { batches[identifier]?.acknowledgedAt = now }
        return true
    }

    /// A change was made; nil for one that nobody asked.
    mutating func finish(_ id: RequestID, at now: Instant) -> IndexChange? {
        guard let (change, removal) = changes.removeValue(forKey: id) else { return nil }
        if let removal {
            removals[removal].endedAt = now
            removals[removal].isDone = true
        }
        return change
    }

    /// A request failed; false for one of others.
    mutating func fail(_ id: RequestID, at now: Instant) -> Bool {
        if writes.removeValue(forKey: id) != nil { return true }
        guard let (_, removal) = changes.removeValue(forKey: id) else { return false }
        // What is on its way may still arrive.
        if let removal { removals[removal].endedAt = now + .seconds(10) }
        return true
    }

    /// Whether the document of a batch must be in the index of its name; nil when it may be.
    func mustHold(_ batch: Batch) -> Bool? {
        guard let acknowledged = batch.acknowledgedAt else { return nil }
        let removals = removals.filter { $0.index == batch.index }
        if removals.contains(where: { $0.isDone && $0.askedAt > acknowledged }) { return false }
        let isUntouched = removals.allSatisfy { removal in
            removal.endedAt.map { $0 < batch.askedAt } ?? false
        }
        return isUntouched ? true : nil
    }
}

extension SimulatedWorker {
    mutating func remember(removal order: WireDropReplica) {
        var mark = WireRemovedMark()
        mark.index = order.index
        (mark.identityHigh, mark.identityLow) = (order.indexIdentityHigh, order.indexIdentityLow)
        if !removedIndexes.contains(mark) { removedIndexes.append(mark) }
    }
}

extension Simulation {
    /// A client changes something; plans the next.
    mutating func changeIndexes() {
        guard !isCalm else { return }
        agenda.add(.changeIndexes, at: now + passing.dice.milliseconds(20...500))
        // What a broker that knows too little changes goes when the newest state is put back.
        guard !memory.isNear else { return }
        // Once they are durable they stay: what asks for every index asks for these.
        guard let written = try? ClusterState(decoding: broker.disk),
            shape.indexes.allSatisfy({ written.index(named: $0) != nil })
        else { return }
        let number = passing.dice.below(clients.count)
        let name = passing.dice.element(of: PassingIndexes.names)
        let change = passing.dice.element(
            of: [.create, .fill, .fill, .fill, .remove, .setAlias, .removeAlias] as [IndexChange])
        guard change != .fill else { return fill(name, number) }
        var order = WireChangeIndexes()
        order.index = name
        switch change {
        case .create:
            order.action = .create
            order.shardCount = UInt32(passing.dice.below(4))
        case .fill: break
        case .remove:
            guard let seen = broker.core?.state.index(named: name) else { return }
            order.action = .remove
            (order.identityHigh, order.identityLow) = (seen.identity.high, seen.identity.low)
        case .setAlias:
            order.action = .setAlias
            order.alias = passing.dice.element(of: PassingIndexes.aliases)
            order.index = passing.dice.element(of: PassingIndexes.names)
        case .removeAlias:
            order.action = .removeAlias
            order.alias = passing.dice.element(of: PassingIndexes.aliases)
        }
        let id = newRequest(number)
        passing.ask(id, change, name, at: now)
        trace.note(now, "client\(number) asks \(id.low): \(change) \(order.alias) \(name)")
        let budget = passing.dice.milliseconds(500...15_000)
        tell(number, client: .changeIndexes(id, order, budget: budget))
    }

    /// A writer that lives for one batch puts a document, which makes the index.
    private mutating func fill(_ name: String, _ number: Int) {
        clients[number].batchCount += 1
        let identifier = "\(name)/\(passing.batches.count)"
        var put = WirePut()
        put.index = name
        put.clientLow = 1 << 20 + UInt64(passing.batches.count)
        put.batchNumber = 1
        var document = Document(uniqueIdentifier: identifier)
        document.attributes["rating"] = .number(1)
        var builder = PutBuilder(put)
        do {
            _ = try builder.append(.index(document))
        } catch {
            violate(.messagesReadable, "a batch cannot be built: \(error)")
        }
        let id = newRequest(number)
        passing.write(id, identifier, to: name, at: now)
        tally.indexChanges[.fill, default: 0] += 1
        trace.note(now, "client\(number) puts \(identifier)")
        let budget = passing.dice.milliseconds(1_000...15_000)
        tell(
            number,
            client: .put(id, builder.message, payload: builder.payload, budget: budget))
    }

    mutating func take(_ reply: WireIndexesChanged, of id: RequestID, _ number: Int) {
        guard let change = passing.finish(id, at: now) else {
            return violate(.verbsInTurn, "client\(number) gets \(reply), which it did not ask for")
        }
        tally.indexChanges[change, default: 0] += 1
    }

    /// Whether a worker has another index's directory where it is to remove one.
    func isOther(_ order: WireDropReplica, _ key: ShardKey, _ number: Int) -> Bool {
        guard let held = workers[number].disk[key] else { return false }
        var found = DropTarget.Found()
        found.index = held.index
        return DropTarget(order).verdict(on: found) == .leave
    }

    /// A worker keeps what is not the directory that it is to remove, as its disk does.
    mutating func setAside(_ order: WireDropReplica, _ key: ShardKey, _ number: Int) {
        guard let held = workers[number].disk[key] else { return }
        var found = DropTarget.Found()
        found.replica = ReplicaIdentity(held.identity)
        found.isFresh = workers[number].opened.contains(key) && held.lastSequence == .zero
        if DropTarget(order).verdict(on: found) != .remove { tally.asides += 1 }
        guard let shard = broker.core?.state.index(named: key.index)?[key.shard],
            let known = shard.replica(on: workers[number].name), known.identity != .unknown,
            known.identity == ReplicaIdentity(held.identity)
        else { return }
        violate(.writesKept, "\(workers[number].name) removes \(key), which is a replica")
    }

    /// Whether nothing is left to be removed, and every change was answered.
    var hasRemoved: Bool {
        passing.isIdle && broker.core?.state.names.removed.isEmpty ?? true
    }

    /// What was acknowledged is there as long as its index is, and goes with it.
    mutating func expectPassingIndexes() {
        guard shape.changesIndexes, let state = broker.core?.state else { return }
        let held = passingDocuments(state)
        for (identifier, batch) in passing.batches.sorted(by: { $0.key < $1.key }) {
            let isHeld = held[batch.index]?.contains(identifier) == true
            guard let must = passing.mustHold(batch), must != isHeld else { continue }
            // Only the lost state knew that the index was removed while a worker was away.
            if !must, memory.isAdopting { continue }
            violate(
                must ? .writesKept : .deletedStaysDeleted,
                must
                    ? "\(identifier) was acknowledged and is not in \(batch.index)"
                    : "\(identifier) went with its index, and is in the one of its name")
        }
        for alias in state.names.aliases
        where state.index(named: alias.index) == nil || state.index(named: alias.name) != nil {
            violate(.answerExact, "\(alias) leads nowhere, or is an index")
        }
        for worker in workers {
            for (key, shard) in worker.disk where PassingIndexes.names.contains(key.index) {
                let known = state.index(named: key.index)?[key.shard]?.replica(on: worker.name)
                guard known?.identity != ReplicaIdentity(shard.identity) else { continue }
                violate(.restReached, "\(worker.name) still has \(key), which was removed")
            }
        }
    }

    private func passingDocuments(_ state: ClusterState) -> [String: Set<String>] {
        var held: [String: Set<String>] = [:]
        for name in PassingIndexes.names {
            guard let index = state.index(named: name) else { continue }
            for (number, shard) in index.shards.enumerated() {
                let key = ShardKey(index: name, shard: ShardID(UInt32(number)))
                for worker in workers where shard.inSync.contains(worker.name) {
                    let stored = worker.disk[key]
                    let documents = stored?.documents(at: SequenceNumber(.max - 1)) ?? []
                    held[name, default: []].formUnion(documents.map(\.uniqueIdentifier))
                }
            }
        }
        return held
    }
}
