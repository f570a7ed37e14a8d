import FresnelIndex
import FresnelJournal
import FresnelModel

extension Replica {
    /// Drops journal files that are no longer needed.
    ///
    /// - Parameters:
    ///   - limit: up to where the journal may be truncated; nil for no limit.
    ///   - sparesNothing: whether the file that is written to goes, too, where all of it is sealed:
    ///     it may be the largest on a disk without room.
    func truncateJournal(limit: SequenceNumber?, sparesNothing: Bool) throws(WorkerError) {
        let checkpoint = min(index.checkpoint, limit ?? index.checkpoint)
        do throws(JournalError) {
            _ = try journal.truncate(through: checkpoint)
            if sparesNothing { _ = try journal.truncateWhole(through: checkpoint) }
        } catch {
            throw .journal(error)
        }
    }
}
