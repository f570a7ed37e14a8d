import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging

extension IngestHandler {
    /// Seals what is due, and lets the merging thread look at every replica.
    func seal(isClosing: Bool) {
        isDirty = false
        reopenPoisoned()
        for replica in replicas.values {
            merge(replica.index)
            seal(replica) { (replica) throws(WorkerError) in
                if !isClosing { try replica.mergePiledUp(now: now) }
                try replica.seal(
                    isClosing: isClosing, truncating: pins.limit(of: replica.shard),
                    now: environment.time.monotonicNanoseconds())
            }
        }
    }

    /// Puts the segments of a replica at rest into files, in place of those they were merged of.
    func settle(_ replica: Replica) {
        guard replica.index.needsSealing else { return }
        seal(replica) { (replica) throws(WorkerError) in
            try replica.sealAll(
                truncating: pins.limit(of: replica.shard),
                now: environment.time.monotonicNanoseconds())
        }
    }

    private func seal(_ replica: Replica, _ body: (Replica) throws(WorkerError) -> Void) {
        do throws(WorkerError) {
            try body(replica)
        } catch {
            logger.error(
                "shard \(replica.shard.shard.number) of \(replica.shard.index): \(error)")
            noteFailure(error.isDiskFull)
            if error.isDiskFull { removeStrays(of: replica) }
        }
    }
}
