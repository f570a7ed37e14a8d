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
                if !isClosing { try replica.mergePiledUp(expiredBy: dropBound.expiredBy) }
            } catch {
                tell(error, of: replica)
                if error.isDamage { reopen(replica.shard) }
            }
        }
        sealDue(isClosing: isClosing)
    }

    /// Takes in what the sealing thread did, and has it seal what is due; seals here what it has
    /// not done when the worker ends, or when more gathered meanwhile than memory shall take.
    func sealDue(isClosing: Bool = false) {
        for replica in replicas.values {
            collect(replica)
            let isUnderWay = replica.sealOrder != nil
            let isDue = replica.pace.isDue(at: instant, isClosing: isClosing)
            if isClosing {
                if isDue || isUnderWay { sealHere(replica) }
            } else if isUnderWay {
                if replica.pace.isFarBehind(at: instant) { sealHere(replica) }
            } else if isDue, !handOver(replica) {
                sealHere(replica)
            }
        }
    }

    /// Puts the segments of a replica at rest into files, in place of those they were merged of.
    func settle(_ replica: Replica) {
        guard replica.index.needsSealing else { return }
        replica.pace.noteOwed()
        sealDue()
    }

    /// Takes in what came of a seal that the sealing thread is done with.
    private func collect(_ replica: Replica) {
        guard let order = replica.sealOrder else { return }
        switch order.progress {
        case .underWay: return
        case .done: finishSealing(replica, nil)
        case .failed(let error): finishSealing(replica, error)
        }
        replica.sealOrder = nil
    }

    /// Whether the sealing thread takes a replica.
    private func handOver(_ replica: Replica) -> Bool {
        let order = SealOrder(replica.index)
        guard let sealOutside, sealOutside(order) else { return false }
        replica.sealOrder = order
        // What comes from now on is for the next time.
        replica.pace.noteBegun()
        return true
    }

    /// Seals on this thread; where the sealing thread is at it, after that.
    private func sealHere(_ replica: Replica) {
        replica.pace.noteBegun()
        do throws(IndexError) {
            try replica.index.seal()
            finishSealing(replica, nil)
        } catch {
            finishSealing(replica, error)
        }
    }

    private func finishSealing(_ replica: Replica, _ failure: IndexError?) {
        do throws(WorkerError) {
            if let failure { throw .index(failure) }
            try replica.truncateJournal(
                limit: pins.limit(of: replica.shard), sparesNothing: isDiskFull)
            replica.pace.noteDone(at: instant)
            // At rest it gives back what the segments took in memory.
            merge(replica.index)
        } catch {
            replica.pace.noteFailed(
                at: instant, unsealedBytes: replica.index.unsealedBytes)
            // A journal that is given up is opened again by the next turn.
            isDirty = isDirty || replica.isPoisoned
            tell(error, of: replica)
        }
    }

    private func tell(_ error: WorkerError, of replica: Replica) {
        logger.error("shard \(replica.shard.shard.number) of \(replica.shard.index): \(error)")
        noteFailure(error.isDiskFull)
        if error.isDiskFull { removeStrays(of: replica) }
    }

    var instant: Int64 { environment.time.monotonicNanoseconds() }
}
