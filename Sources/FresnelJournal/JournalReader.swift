package import FresnelModel
package import FresnelSystem

/// Reads a journal's records in order, one file in memory at a time.
///
/// Works beside a live writer: it sees what was written when it opened each file. A torn tail at
/// the very end is then a record being written, not a defect.
package struct JournalReader {
    private let location: JournalLocation
    private let storage: any Storage
    private let after: SequenceNumber
    private var waiting: ArraySlice<JournalDirectory.Entry>
    private var cursor: JournalFileCursor?
    /// The sequence number of the last record passed; before the first, that of the one before it.
    private var last: SequenceNumber?
    /// How the journal ends, once `next` has returned nil.
    package private(set) var ending: JournalEnding?

    /// Prepares to read the records with sequence numbers above `after`.
    package init(
        _ location: JournalLocation, storage: any Storage, after: SequenceNumber = .zero
    ) throws(JournalError) {
        self.location = location
        self.storage = storage
        self.after = after
        let entries = try JournalDirectory(location.directory, in: storage).entries
        let start = entries.lastIndex { $0.first <= after } ?? entries.startIndex
        waiting = entries[start...]
        try openNext()
        if let oldest = last, cursor?.header != nil, oldest > after, start == entries.startIndex {
            throw .notHeld(directory: location.directory, after: after, oldest: oldest)
        }
    }

    /// The next record, or nil at the end.
    ///
    /// - Throws: `damaged`, `gap` and the like; what was returned before is good.
    package mutating func next() throws(JournalError) -> JournalRecord? {
        while ending == nil {
            guard let step = try cursor?.next() else {
                ending = .clean
                return nil
            }
            last = cursor?.last
            switch step {
            case .record(let record):
                if record.sequence > after { return record }
            case .tornTail(let tail):
                ending = .tornTail(tail)
            case .end:
                try openNext()
            }
        }
        return nil
    }

    private mutating func openNext() throws(JournalError) {
        guard let entry = waiting.popFirst() else {
            cursor = nil
            return
        }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try storage.read(entry.path)
        } catch {
            throw .storage(error)
        }
        let opened = try JournalFileCursor(
            entry, bytes: bytes, identity: location.identity, isLastFile: waiting.isEmpty,
            continuing: last)
        cursor = opened
        last = opened.last
    }
}
