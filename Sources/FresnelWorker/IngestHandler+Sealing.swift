import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging

// When to seal is for the writing thread to say, which knows what gathered. The files are written
// by the sealing thread, where there is one and the worker goes on; the journal, which they make
// superfluous, is cut by the writing thread again.

extension IngestHandler {
    /// Seals what is due, and lets the merging thread look at every replica.
    func seal(isClosing: Bool) {
        isDirty = false
        reopenPoisoned()
        for replica in replicas.values {
            merge(replica.index)
            do throws(WorkerError) {
                if !isClosing { try replica.mergePiledUp(now: now) }
            } catch {
                tell(error, of: replica)
            }
            guard replica.pace.isDue(at: instant, isClosing: isClosing) else { continue }
            guard isClosing || replica.sealsUnderWay == 0 else { continue }
            seal(replica, waiting: isClosing)
        }
    }

    /// Puts the segments of a replica at rest into files, in place of those they were merged of.
    func settle(_ replica: Replica) {
        guard replica.index.needsSealing else { return }
        seal(replica, waiting: false)
    }

    /// The sealing thread is done with a replica.
    func finishSealing(_ index: ReplicaIndex, _ failure: IndexError?) {
        // One that was closed meanwhile has no journal here any more.
        guard let replica = replicas.values.first(where: { $0.index === index }) else { return }
        replica.sealsUnderWay -= 1
        finishSealing(replica, failure)
    }

    /// - Parameter waits: whether to return only when it is done.
    private func seal(_ replica: Replica, waiting waits: Bool) {
        // What comes from now on is for the next time.
        replica.pace.noteSealed(at: instant)
        if !waits, let sealOutside, sealOutside(replica.index) {
            replica.sealsUnderWay += 1
            return
        }
        do throws(IndexError) {
            try replica.index.seal()
            finishSealing(replica, nil)
        } catch {
            finishSealing(replica, error)
        }
    }

    private func finishSealing(_ replica: Replica, _ failure: IndexError?) {
        guard failure == nil else {
            replica.pace.noteFailed()
            return tell(failure.map(WorkerError.index), of: replica)
        }
        do throws(WorkerError) {
            try replica.truncateJournal(limit: pins.limit(of: replica.shard))
        } catch {
            tell(error, of: replica)
        }
    }

    private func tell(_ error: WorkerError?, of replica: Replica) {
        guard let error else { return }
        logger.error("shard \(replica.shard.shard.number) of \(replica.shard.index): \(error)")
        noteFailure(error.isDiskFull)
        if error.isDiskFull { removeStrays(of: replica) }
    }

    private var instant: Int64 { environment.time.monotonicNanoseconds() }
}
