@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// What disks do (decision 0024). What was synced before a worker died is there when it starts; what
// was not may be there, be cut, or be gone. A bit may flip in a file that is read when its replica
// is opened, in one that is copied, or where only a comparison of contents finds it. A disk may
// be full or slow for a while, and one whose sync fails may have the record all the same when its
// worker dies of it.

/// What the disks of a simulation can do.
enum Disks {
    /// Nothing but refuse a write.
    case plain
    case faulty
}

/// What a disk does to somebody.
enum DiskFault: String, CaseIterable {
    /// Of what was not synced when a worker died: a record that was cut, one that was lost, and one
    /// that was there all the same.
    case tornWrite
    case lostWrite
    case keptWrite
    /// A sync that failed, and a refused record that was there when its worker came back.
    case failedSync
    case writtenUnsynced
    /// A bit flipped in a replica; then: its worker found it damaged, also as the last in sync.
    case flippedBit
    case damagedReplica
    case lastDamaged
    /// The operator brought back the bits of a last copy, or gave it up.
    case healed
    case givenUp
    /// A copy that was found damaged on its way, and one whose donor was.
    case damagedCopy
    case damagedDonor
    /// A replica that contains something else, unnoticed; then: the broker took one out for that.
    case changedContent
    case contentDiffers
    /// A part, and a copy, for which there was no room.
    case fullDisk
    case fullCopy
    case slowDisk
    /// Snapshots that were made, that failed, and indexes that were made of them; and what was
    /// damaged in the store.
    case stored
    case failedStore
    case restored
    /// What a restore left on a worker was removed.
    case sweptRestore
    case damagedObject
    /// The broker's own disk.
    case fullBroker
    case slowBroker
}

/// What is wrong with the disk of a process for a while.
struct DiskTrouble {
    var fullUntil = Instant(nanoseconds: 0)
    var slowUntil = Instant(nanoseconds: 0)
}

extension Simulation {
    /// Lets some disk do something, and plans the next.
    mutating func strikeDisk() {
        guard !isCalm else { return }
        agenda.add(.diskFault, at: now + dice.milliseconds(100...2_500))
        let number = dice.below(workers.count)
        let until = now + dice.milliseconds(200...6_000)
        switch dice.below(10) {
        case ..<4: flipBit(number)
        case ..<6: changeContent()
        case 6: workers[number].trouble.fullUntil = until
        case 7: workers[number].trouble.slowUntil = until
        case 8: broker.trouble.fullUntil = until
        default: broker.trouble.slowUntil = until
        }
    }

    mutating func endTrouble() {
        broker.trouble = DiskTrouble()
        for number in workers.indices { workers[number].trouble = DiskTrouble() }
    }

    // MARK: what was not synced

    /// A worker dies: what its journals have of the parts that were not synced.
    mutating func settleTails(_ number: Int) {
        guard shape.disks == .faulty else { return }
        keepRefusedTails(number)
        var cut: Set<ShardKey> = []
        for waiting in workers[number].parts {
            let key = ShardKey(index: waiting.part.index, shard: ShardID(waiting.part.shard))
            guard workers[number].opened.contains(key), !cut.contains(key),
                var shard = workers[number].disk[key]
            else { continue }
            guard dice.chance(40) else {
                cut.insert(key)
                tally.note(dice.chance(50) ? .tornWrite : .lostWrite)
                continue
            }
            let answer = shard.ingest(
                waiting.part, sequence: waiting.sequence, payload: waiting.payload)
            guard !answer.hasError else { continue }
            trace.note(now, "worker\(number) keeps seq \(waiting.sequence.value) of \(key)")
            workers[number].disk[key] = shard
            tally.note(.keptWrite)
        }
        workers[number].parts = []
    }

    /// A worker dies before it has cut off what it refused: it may be there.
    private mutating func keepRefusedTails(_ number: Int) {
        for (key, entry) in workers[number].refusedTails.sorted(by: { $0.key < $1.key })
        where entry.until >= now {
            let tail = entry.part
            guard workers[number].opened.contains(key), var shard = workers[number].disk[key]
            else { continue }
            let answer = shard.ingest(tail.part, sequence: tail.sequence, payload: tail.payload)
            guard !answer.hasError else { continue }
            trace.note(now, "worker\(number) keeps seq \(tail.sequence.value) of \(key), refused")
            workers[number].disk[key] = shard
            tally.note(.writtenUnsynced)
        }
        workers[number].refusedTails = [:]
    }

    /// Why a part is not journaled; nil when it is.
    mutating func refusal(
        of waiting: SimulatedWorker.WaitingPart, _ shard: inout StoredShard, _ number: Int
    ) -> WirePartAck? {
        workers[number].refusedTails[shard.key] = nil
        let isRefused = shape.hasMishaps && !isCalm && random.chance(2)
        if isRefused { tally.note(.refusedPart) }
        if workers[number].trouble.fullUntil > now,
            waiting.part.operations.contains(where: { $0.kind == .index })
        {
            tally.note(.fullDisk)
            return shard.refusal(.diskFull)
        }
        guard isRefused else { return nil }
        let refusal = shard.refusal()
        guard shape.disks == .faulty, dice.chance(50) else { return refusal }
        // The journal is opened anew and the record is cut off, if the worker lives so long.
        tally.note(.failedSync)
        guard dice.chance(50) else { return refusal }
        let until = now + .milliseconds(9)
        workers[number].refusedTails[shard.key] = (waiting, until)
        let boot = workers[number].boot
        if dice.chance(40) {
            agenda.add(.wreck(worker: number, boot: boot), at: now + dice.microseconds(10...8_000))
        }
        return refusal
    }

    // MARK: damage

    /// A bit flips in a file of a replica; its worker finds it when it opens it next.
    private mutating func flipBit(_ number: Int) {
        let keys = workers[number].disk.keys.sorted()
        guard !keys.isEmpty, workers[number].lost.isEmpty else { return }
        let key = dice.element(of: keys)
        guard workers[number].disk[key]?.lastSequence ?? .zero > .zero,
            workers[number].disk[key]?.isDamaged == false
        else { return }
        trace.note(now, "worker\(number): a bit of \(key) flips")
        tally.note(.flippedBit)
        workers[number].disk[key]?.isDamaged = true
        agenda.add(.heal(worker: number), at: now + dice.milliseconds(1_000...5_000))
        if dice.chance(70) { crashWorker(number) }
    }

    /// Whether a replica that is to be opened is damaged, as is said then.
    mutating func damage(of key: ShardKey, _ number: Int) -> HostingFailure? {
        guard workers[number].disk[key]?.isDamaged == true,
            !workers[number].opened.contains(key)
        else { return nil }
        tally.note(.damagedReplica)
        trace.note(now, "worker\(number) finds \(key) damaged")
        agenda.add(.heal(worker: number), at: now + dice.milliseconds(1_000...4_000))
        return HostingFailure(
            index: key.index, shard: key.shard, reason: "a segment is damaged", isDamaged: true)
    }

    /// The operator looks after damaged replicas: those that the cluster can copy anew it does;
    /// the bits of a last one come back, or it is given up.
    mutating func heal(_ number: Int) {
        let damaged = workers[number].disk.filter(\.value.isDamaged).keys.sorted()
        guard !damaged.isEmpty else { return }
        agenda.add(.heal(worker: number), at: now + dice.milliseconds(1_000...4_000))
        var restarts = isCalm && damaged.contains { workers[number].opened.contains($0) }
        for key in damaged where !workers[number].opened.contains(key) && isLast(key, number) {
            tally.note(.lastDamaged)
            restarts = true
            guard shape.replication == 1, shape.membership == .fixed, dice.chance(50) else {
                trace.note(now, "worker\(number): the bits of \(key) come back")
                tally.note(.healed)
                workers[number].disk[key]?.isDamaged = false
                continue
            }
            trace.note(now, "worker\(number): \(key) is given up")
            tally.note(.givenUp)
            workers[number].disk[key] = nil
            workers[number].replaced.insert(key)
            workers[number].replacesLost = true
            forsakeEverything()
        }
        if restarts { crashWorker(number) }
    }

    /// Whether no other replica in sync of a shard is whole.
    private func isLast(_ key: ShardKey, _ number: Int) -> Bool {
        let decoded = try? ClusterState(decoding: broker.disk)
        guard let state = broker.core?.state ?? decoded,
            let shard = state.index(named: key.index)?[key.shard],
            shard.replica(on: workers[number].name)?.isInSync == true
        else { return false }
        return !workers.contains { other in
            guard other.name != workers[number].name, let disk = other.disk[key],
                let replica = shard.replica(on: other.name), replica.isInSync
            else { return false }
            return !disk.isDamaged && ReplicaIdentity(disk.identity) == replica.identity
        }
    }

    // MARK: contents

    /// Something else stands in a replica than in the others, where no query looks.
    ///
    /// Only where a comparison comes yet: what was found equal is looked at again after an hour.
    private mutating func changeContent() {
        guard let core = broker.core, core.isReady, shape.replication > 1 else { return }
        let names = core.state.indexes.flatMap { index in
            index.shards.indices.map {
                ShardKey(index: index.name, shard: ShardID(UInt32($0)))
            }
        }.filter { key in
            core.searchableReplicas(of: key).count > 1 && core.comparisons.round?.shard != key
                && !core.comparisons.isSettled(key, at: core.writes.agreedSequence(of: key))
        }
        guard !names.isEmpty else { return }
        let key = dice.element(of: names)
        let replica = dice.element(of: core.searchableReplicas(of: key))
        guard let number = workers.firstIndex(where: { $0.name == replica.worker }),
            workers[number].disk[key]?.lastSequence ?? .zero > .zero
        else { return }
        trace.note(now, "worker\(number): the content of \(key) changes")
        tally.note(.changedContent)
        workers[number].disk[key]?.stain = dice.next() | 1
    }

    /// Whether replicas that are compared contain the same.
    var hasOneContent: Bool {
        guard let core = broker.core, shape.disks == .faulty else { return true }
        return core.state.indexes.allSatisfy { index in
            index.shards.enumerated().allSatisfy { number, shard in
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                let stains = workers.filter { shard.inSync.contains($0.name) }
                    .compactMap { $0.disk[key]?.stain }
                return Set(stains).count <= 1
            }
        }
    }
}

extension Comparisons {
    /// Whether a shard was found equal at this part, so that it is not compared again for long.
    func isSettled(_ key: ShardKey, at sequence: SequenceNumber) -> Bool {
        past[key].map { $0.ending == .settled && $0.sequence == sequence } ?? false
    }
}
