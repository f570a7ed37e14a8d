import FresnelCluster
import FresnelModel
import Logging

// Replicas that are assigned and not open, or whose journal cannot be believed any more.

extension IngestHandler {
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
