import FresnelCluster
import FresnelModel
import FresnelWire
import Logging

// Replicas that are assigned and not open, or whose journal cannot be believed any more.

extension IngestHandler {
    /// Takes in that the broker knows a replica here that is not here: it is told so, and decides.
    func note(_ error: WorkerError, of shard: ShardKey) {
        replicas[shard] = nil
        table[shard] = nil
        guard missing.insert(shard).inserted else { return }
        logger.error("shard \(shard.shard.number) of index \(shard.index): \(error)")
    }

    /// Tries the shards that are assigned and not open again: a disk may have come back.
    func reopenMissing() {
        for (shard, assignment) in assignments where replicas[shard] == nil && !isStopping() {
            do {
                try open(shard, as: assignment)
                report(.hosted(inventory, failures: []))
            } catch {
                logger.debug(
                    "shard \(shard.shard.number) of \(shard.index) is still not open: \(error)")
            }
        }
    }

    /// Opens replicas anew whose journal cannot be believed any more: recovery rewrites its end,
    /// and what was refused is cut off.
    func reopenPoisoned() {
        var failures: [HostingFailure] = []
        for (shard, replica) in replicas where replica.isPoisoned {
            refusedTails[shard] = replica.refusedTail
            replicas[shard] = nil
            table[shard] = nil
            guard let assignment = assignments[shard] else { continue }
            do {
                try open(shard, as: assignment)
            } catch {
                failures.append(HostingFailure(shard, error))
            }
        }
        if !failures.isEmpty { report(.hosted(inventory, failures: failures)) }
    }
}

extension WireShardInventory {
    /// What HOSTED says of a replica that is not there: no identity, and so another one than any
    /// that is known (S-13).
    init(missing shard: ShardKey) {
        self.init()
        index = shard.index
        self.shard = shard.shard.number
    }
}
