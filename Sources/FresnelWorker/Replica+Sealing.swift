import FresnelIndex
import FresnelJournal
import FresnelModel

extension Replica {
    /// Seals the memory into segment files once enough has gathered, and drops journal files that
    /// are no longer needed.
    ///
    /// - Parameters:
    ///   - limit: up to where the journal may be truncated; nil for no limit.
    ///   - now: monotonic nanoseconds.
    func seal(
        isClosing: Bool, truncating limit: SequenceNumber? = nil, now: Int64
    ) throws(WorkerError) {
        guard pace.isDue(at: now, isClosing: isClosing) else { return }
        try sealAll(truncating: limit, now: now)
    }

    /// Seals what is in memory, however little.
    func sealAll(
        truncating limit: SequenceNumber? = nil, now: Int64
    ) throws(WorkerError) {
        do throws(IndexError) {
            _ = try index.seal()
        } catch {
            throw .index(error)
        }
        do throws(JournalError) {
            _ = try journal.truncate(
                through: min(index.checkpoint, limit ?? index.checkpoint))
        } catch {
            throw .journal(error)
        }
        pace.noteSealed(at: now)
    }
}
