package import FresnelModel
import FresnelSystem

// Opening a journal after whatever happened. Nothing is changed before the last file, and the one
// before it where needed, have been read and judged; damage stops here with everything untouched.
// Then: a last file without a whole record is removed, a torn tail is cut off, and what is left of
// the last file is written over itself and synced. That rewriting looks idle but is not: after a
// failed sync the kernel shows bytes from memory that the disk never got and believes to be clean.
// Only writing them again makes it write them out. Older files were synced before a newer was made.

/// What opening a journal found.
package struct JournalRecovery: Hashable, Sendable {
    /// The last record's sequence number; without records, where the journal starts.
    package let last: SequenceNumber
    /// What was cut off.
    package let tornTail: TornTail?
    /// The number of files left.
    package let files: Int
}

/// The last file of a journal, ready for more records.
struct RecoveredFile {
    let entry: JournalDirectory.Entry
    let file: any StorageFile
    let salt: UInt64
    let length: Int
    let last: SequenceNumber
}

/// The steps of recovery.
enum JournalRecoverer {
    struct Outcome {
        var active: RecoveredFile?
        var entries: [JournalDirectory.Entry]
        var tornTail: TornTail?
    }

    static func recover(
        _ location: JournalLocation, storage: any Storage
    ) throws(JournalError) -> Outcome {
        var entries = try JournalDirectory(location.directory, in: storage).entries
        var outcome = Outcome(active: nil, entries: entries, tornTail: nil)
        guard let newest = entries.popLast() else { return outcome }
        var cursor = try scan(newest, of: location, isLastFile: true, storage: storage)
        outcome.tornTail = cursor.tornTail
        if cursor.cursor.recordCount == 0 {
            // Judge the file before this one first: when it is damaged, nothing is removed.
            let older = entries.last
            let olderCursor = try older.map { (older) throws(JournalError) in
                try scan(older, of: location, isLastFile: false, storage: storage)
            }
            try remove(newest, from: location, storage: storage)
            outcome.entries = entries
            guard let older, let olderCursor else { return outcome }
            cursor = olderCursor
            outcome.active = try rewrite(cursor.cursor, entry: older, storage: storage)
            return outcome
        }
        outcome.active = try rewrite(cursor.cursor, entry: newest, storage: storage)
        return outcome
    }

    /// Reads a file to its end.
    static func scan(
        _ entry: JournalDirectory.Entry, of location: JournalLocation, isLastFile: Bool,
        storage: any Storage
    ) throws(JournalError) -> (cursor: JournalFileCursor, tornTail: TornTail?) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try storage.read(entry.path)
        } catch {
            throw .storage(error)
        }
        var cursor = try JournalFileCursor(
            entry, bytes: bytes, identity: location.identity, isLastFile: isLastFile)
        while true {
            switch try cursor.next() {
            case .record: continue
            case .end: return (cursor, nil)
            case .tornTail(let tail): return (cursor, tail)
            }
        }
    }

    /// Cuts the file behind its last record, and makes what is left durable whatever came before.
    private static func rewrite(
        _ cursor: JournalFileCursor, entry: JournalDirectory.Entry, storage: any Storage
    ) throws(JournalError) -> RecoveredFile? {
        guard let header = cursor.header else { return nil }
        do throws(SystemError) {
            let file = try storage.open(entry.path, create: .never)
            if cursor.offset < cursor.bytes.count { try file.truncate(to: cursor.offset) }
            try file.write(Array(cursor.bytes[..<cursor.offset]), at: 0)
            try file.sync()
            try storage.syncDirectory(FilePath.directory(of: entry.path))
            return RecoveredFile(
                entry: entry, file: file, salt: header.salt, length: cursor.offset,
                last: cursor.last)
        } catch {
            throw .storage(error)
        }
    }

    private static func remove(
        _ entry: JournalDirectory.Entry, from location: JournalLocation, storage: any Storage
    ) throws(JournalError) {
        do throws(SystemError) {
            try storage.remove(entry.path)
            try storage.syncDirectory(location.directory)
        } catch {
            throw .storage(error)
        }
    }
}
