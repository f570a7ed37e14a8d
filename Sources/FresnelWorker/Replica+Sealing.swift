import FresnelIndex
import FresnelJournal
import FresnelModel

extension Replica {
    /// Drops journal files that are no longer needed.
    ///
    /// - Parameter limit: up to where the journal may be truncated; nil for no limit.
    func truncateJournal(limit: SequenceNumber?) throws(WorkerError) {
        let checkpoint = index.checkpoint
        do throws(JournalError) {
            _ = try journal.truncate(through: min(checkpoint, limit ?? checkpoint))
        } catch {
            throw .journal(error)
        }
    }
}
