@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// A worker comes back on an empty disk under its old name. Nobody may take what is not there for
// all there is, until the disk comes back or the operator gives it up.

extension Simulation {
    /// Crashes a worker and empties its disk, if it holds what the broker knows.
    mutating func emptyWorker(_ number: Int) {
        guard workers[number].lost.isEmpty, isKnown(workers[number].disk),
            workers[number].replaced.allSatisfy({ workers[number].disk[$0] != nil })
        else { return }
        crashWorker(number)
        trace.note(now, "worker\(number) loses \(workers[number].disk.keys.sorted())")
        workers[number].lost = workers[number].disk
        workers[number].lostAt = now
        workers[number].disk = [:]
        workers[number].directories += 1
        workers[number].replacesLost = false
        workers[number].isAged = false
        agenda.add(.mend(worker: number), at: now + random.milliseconds(500...6_000))
    }

    /// Crashes a worker and puts an older state of its shards in their place, as from a backup,
    /// where the broker's own disk says that more was acknowledged.
    mutating func ageWorker(_ number: Int) {
        let former = workers[number].backup
        workers[number].backup = workers[number].disk
        guard workers[number].lost.isEmpty,
            let state = try? ClusterState(decoding: broker.disk)
        else { return }
        let older = former.filter { key, shard in
            guard let known = state.index(named: key.index)?[key.shard],
                workers[number].disk[key]?.identity == shard.identity
            else { return false }
            let replica = known.replica(on: workers[number].name)
            return replica?.isInSync == true
                && replica?.identity == ReplicaIdentity(shard.identity)
                && shard.lastSequence < known.acknowledged
        }
        guard !older.isEmpty else { return }
        crashWorker(number)
        trace.note(now, "worker\(number) gets older \(older.keys.sorted())")
        workers[number].lost = workers[number].disk.filter { older[$0.key] != nil }
        workers[number].lostAt = now
        workers[number].disk.merge(older) { $1 }
        workers[number].isAged = true
        workers[number].acceptsLoss = false
        tally.agedDisks += 1
        agenda.add(.mend(worker: number), at: now + random.milliseconds(500...6_000))
    }

    /// The operator finds the disk, or gives it up.
    mutating func mend(_ number: Int) {
        crashWorker(number)
        let lost = workers[number].lost
        workers[number].lost = [:]
        guard shape.replication == 1, shape.membership == .fixed else {
            return giveBack(lost, to: number)
        }
        if random.chance(50) {
            trace.note(now, "worker\(number) gets its disk back")
            workers[number].disk.merge(lost) { $1 }
            tally.returns += 1
        } else {
            trace.note(now, "worker\(number) replaces what it lost")
            if workers[number].isAged {
                workers[number].acceptsLoss = true
            } else {
                workers[number].replacesLost = true
            }
            forsakeEverything()
            tally.replacements += 1
        }
    }

    /// Gives back what nobody has replaced: where there are several replicas, the others did, but
    /// for shards of which this was the last.
    private mutating func giveBack(_ lost: [ShardKey: StoredShard], to number: Int) {
        // What a broker knows and has not written down ends with it.
        let decoded = try? ClusterState(decoding: broker.disk)
        let states = [broker.core?.state, decoded].compactMap(\.self)
        for (key, shard) in lost.sorted(by: { $0.key < $1.key }) {
            let isNeeded = states.contains { state in
                let replica = state.index(named: key.index)?[key.shard]?
                    .replica(on: workers[number].name)
                return replica?.isInSync == true
                    && replica?.identity == ReplicaIdentity(shard.identity)
            }
            guard isNeeded else { continue }
            // An older state of it may have been made equal, and have gone on.
            if let present = workers[number].disk[key], present.identity == shard.identity,
                present.lastSequence >= shard.lastSequence
            {
                continue
            }
            trace.note(now, "worker\(number) gets \(key) back")
            workers[number].disk[key] = shard
        }
        tally.returns += 1
    }

    /// Whether the broker's state on disk names exactly these replicas: a loss before that is none,
    /// since nothing was ever written to what nobody knows.
    private func isKnown(_ disk: [ShardKey: StoredShard]) -> Bool {
        guard !disk.isEmpty, let state = try? ClusterState(decoding: broker.disk) else {
            return false
        }
        return disk.allSatisfy { key, shard in
            let replicas = state.index(named: key.index)?[key.shard]?.replicas ?? []
            return replicas.contains { $0.identity == ReplicaIdentity(shard.identity) }
        }
    }

    /// Any write so far may be among the lost ones.
    mutating func forsakeEverything() {
        for (identifier, steps) in oracle.steps {
            for number in steps.indices {
                let step = StepName(identifier: identifier, number: number)
                forsaken.insert(step)
                oracle.settle(step, as: .unknown)
            }
        }
    }
}
