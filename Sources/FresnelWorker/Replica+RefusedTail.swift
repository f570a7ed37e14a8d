import FresnelIndex
import FresnelJournal
import FresnelModel

// After a failed sync nobody knows whether the disk has the records. The broker was told that they
// are refused, and all replicas must be of one mind about that: so the journal is cut where it was
// durable, before it takes anything else. Only who dies in between may have them, and says so when
// it registers.

/// What may stand in a journal although it was refused.
struct RefusedTail: Sendable {
    /// The replica that it belongs to: a copy that took its place has a journal of its own.
    let identity: ReplicaIdentity
    /// The last part that was durable when a sync failed.
    let durable: SequenceNumber
}

extension Replica {
    /// Where its journal is durable.
    var refusedTail: RefusedTail {
        RefusedTail(identity: index.identity, durable: journal.syncedSequence)
    }

    /// Forgets what was refused, before anything of it is applied.
    func cut(_ tail: RefusedTail) throws(WorkerError) {
        guard tail.identity == index.identity else { return }
        do throws(JournalError) {
            try journal.discard(after: tail.durable)
        } catch {
            throw .journal(error)
        }
    }
}
