import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging

// Replicas that are assigned and not open, or whose journal cannot be believed any more.
//
// One that could not be opened is tried again: a disk may have come back. One that is missing, or
// another one than is known, is not, while the process lives: who puts a directory back file by
// file would have it opened, and its journal's end cut off, in the middle.

/// What is where a replica should be.
struct AbsentReplica: Equatable {
    /// The replica that ASSIGN named.
    let named: ReplicaIdentity
    /// The one that is there; unknown where nothing is.
    let found: ReplicaIdentity
}

extension IngestHandler {
    /// Whether a shard that is assigned and not open may be tried: not one that was found missing,
    /// unless the broker knows another replica by now.
    func isWorthATry(_ shard: ShardKey, _ assignment: WireIndexAssignment) -> Bool {
        missing[shard].map { $0.named != assignment.identity(of: shard) } ?? true
    }

    /// Refuses to open anything but the replica that this process had open, or that ASSIGN names,
    /// unless the operator gives that up.
    func refuseOthers(
        of shard: ShardKey, _ assignment: WireIndexAssignment
    ) throws(WorkerError) {
        let own = opened[shard]
        let assigned = assignment.identity(of: shard)
        do throws(SystemError) {
            // Also where it is given up: one that is found is not lost.
            try directory.settle(shard, keeping: own ?? assigned)
        } catch {
            throw .storage(error)
        }
        let named = settings.replacesLost ? .unknown : assigned
        try directory.refuseOthers(
            of: shard, than: own ?? named, isBelieved: own != nil || assignment.isInSync(shard))
    }

    /// Takes in why a shard did not open; what the broker is told of it beside the inventory.
    ///
    /// Where a replica is known that is not here, the inventory says so, and the broker decides.
    func note(_ error: WorkerError, of shard: ShardKey) -> [HostingFailure] {
        let found: ReplicaIdentity
        switch error {
        case .replicaMissing: found = .unknown
        case .replicaForeign(_, let identity, _): found = identity
        default:
            missing[shard] = nil
            let failure = HostingFailure(shard, error)
            failed[shard] = failure
            return [failure]
        }
        let named = assignments[shard]?.identity(of: shard) ?? .unknown
        let absent = AbsentReplica(named: named, found: found)
        if missing.updateValue(absent, forKey: shard) != absent {
            logger.error("shard \(shard.shard.number) of index \(shard.index): \(error)")
        }
        return []
    }

    /// Lets a replica go; its directory may be another one's from now on.
    func close(_ shard: ShardKey) {
        replicas[shard]?.index.close()
        replicas[shard] = nil
        table[shard] = nil
    }

    /// Tries the shards that are assigned, not open and not missing again.
    func reopenFailed() {
        for (shard, assignment) in assignments
        where replicas[shard] == nil && missing[shard] == nil && !isStopping() {
            do {
                try open(shard, as: assignment)
                report(.hosted(inventory, failures: []))
            } catch {
                logger.debug(
                    "shard \(shard.shard.number) of \(shard.index) is still not open: \(error)")
                // The broker has heard of the same failure when it was met first.
                let former = failed[shard]
                let failures = note(error, of: shard).filter { $0 != former }
                guard missing[shard] != nil || !failures.isEmpty else { continue }
                report(.hosted(inventory, failures: failures))
            }
        }
    }

    /// Opens replicas anew whose journal cannot be believed any more: recovery rewrites its end,
    /// and what was refused is cut off.
    func reopenPoisoned() {
        for (shard, replica) in replicas where replica.isPoisoned {
            refusedTails[shard] = replica.refusedTail
            reopen(shard)
        }
    }

    /// Opens a replica anew, which reads every byte of its files.
    ///
    /// What is damaged there is told as when a worker starts, and the broker has it copied from
    /// another replica; what was damaged in memory alone is made again of the journal.
    func reopen(_ shard: ShardKey) {
        close(shard)
        guard let assignment = assignments[shard] else { return }
        do {
            try open(shard, as: assignment)
        } catch {
            report(.hosted(inventory, failures: note(error, of: shard)))
        }
    }
}

extension WireShardInventory {
    /// What HOSTED says of a replica that is not there: the identity of what is, or none, and so
    /// another one than any that is known (S-13).
    init(of missing: ShardKey, _ absent: AbsentReplica, acceptsLoss: Bool) {
        self.init()
        index = missing.index
        shard = missing.shard.number
        identity = absent.found.value
        self.acceptsLoss = acceptsLoss
    }
}
