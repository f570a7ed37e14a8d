import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelSystem

extension Replica {
    /// Applies what the journal has behind the index's checkpoint.
    ///
    /// However long the journal is, no more of it is in memory than while it was written.
    func replay(_ environment: Environment, _ isStopping: () -> Bool) throws(WorkerError) {
        guard journal.lastSequence > index.checkpoint else { return }
        var reader: JournalReader
        do throws(JournalError) {
            reader = try JournalReader(
                location, storage: environment.storage, after: index.checkpoint)
        } catch {
            throw .journal(error)
        }
        while true {
            if isStopping() { throw .stopped }
            let parts = try nextParts(of: &reader)
            guard !parts.isEmpty else { return }
            for (part, result) in zip(parts, index.apply(parts.map(\.input))) {
                guard case .gap(let last) = result else { continue }
                throw .record(
                    sequence: part.sequence.value,
                    reason: "the record does not follow \(last.value), where the index is")
            }
            try mergePiledUp(expiredBy: nil)
            sealFarBehind(at: environment.time.monotonicNanoseconds())
        }
    }

    private func sealFarBehind(at now: Int64) {
        guard pace.isFarBehind(at: now) else { return }
        pace.noteBegun()
        do throws(IndexError) {
            try index.seal()
            pace.noteDone(at: now)
        } catch {
            // The replica opens without files as well; once open it seals again, and tells why not.
            pace.noteFailed(at: now)
        }
    }

    /// The next parts of the journal, as many as are worth one segment; none at its end.
    private func nextParts(of reader: inout JournalReader) throws(WorkerError) -> [WritePart] {
        var parts: [WritePart] = []
        var bytes = 0
        while parts.count < Self.replayedParts, bytes < Self.replayedBytes,
            let record = try next(of: &reader)
        {
            parts.append(try WritePart(record))
            bytes += record.body.count
            pace.note(bytes: record.body.count)
        }
        return parts
    }

    /// Parts of the journal that are read before they are applied, at most.
    private static let replayedParts = 24
    /// Bytes of them from which on no further one is read.
    private static let replayedBytes = 4 << 20

    private func next(of reader: inout JournalReader) throws(WorkerError) -> JournalRecord? {
        do throws(JournalError) {
            return try reader.next()
        } catch {
            throw .journal(error)
        }
    }
}
