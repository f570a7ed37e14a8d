package import FresnelModel
import FresnelSystem

// Opening a journal after whatever happened. Nothing is changed before the last file, and the one
// before it where needed, have been read and judged (RecoveryPlan.swift), and before what would be
// left is known to reach the checkpoint of the segments; else everything stays untouched. Then: the
// bytes of a torn tail are copied beside the file (TornTailKeeper.swift), a last file without a
// whole record is removed, a torn tail is cut off, and what is left of the last file is written
// over itself and synced. That rewriting looks idle but is not: after a
// failed sync the kernel shows bytes from memory that the disk never got and believes to be clean.
// Only writing them again makes it write them out. Older files were synced before a newer was made.

/// What opening a journal found.
package struct JournalRecovery: Hashable, Sendable {
    /// The last record's sequence number; without records, where the journal starts.
    package let last: SequenceNumber
    /// What was cut off behind that record.
    package let tornTail: TornTail?
    /// The file that now holds the bytes that were cut off; nil when there were none.
    package let keptTail: String?
    /// Files with earlier tails that went to make room for this one.
    package let droppedTails: [String]
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
        var recovery: JournalRecovery
    }

    /// Decides, compares with the checkpoint, and only then changes files.
    static func recover(
        _ location: JournalLocation, checkpoint: SequenceNumber, storage: any Storage
    ) throws(JournalError) -> Outcome {
        let plan = try RecoveryPlan(location, storage: storage)
        try plan.require(checkpoint, of: location)
        do throws(SystemError) {
            let kept = try keep(plan, storage: storage)
            if let removed = plan.removed {
                try storage.remove(removed.path)
                try storage.syncDirectory(location.directory)
            }
            var active: RecoveredFile?
            if let cursor = plan.active, let entry = plan.kept.last {
                active = try rewrite(cursor, entry: entry, storage: storage)
            }
            let recovery = JournalRecovery(
                last: active?.last ?? checkpoint, tornTail: plan.tornTail, keptTail: kept?.path,
                droppedTails: kept?.dropped ?? [], files: plan.kept.count)
            return Outcome(active: active, entries: plan.kept, recovery: recovery)
        } catch {
            throw .storage(error)
        }
    }

    private static func keep(
        _ plan: RecoveryPlan, storage: any Storage
    ) throws(SystemError) -> (path: String, dropped: [String])? {
        guard let tail = plan.tornTail, !plan.tornBytes.isEmpty else { return nil }
        do throws(SystemError) {
            return try TornTailKeeper(besides: tail.file, storage: storage).keep(plan.tornBytes)
        } catch {
            // What a full disk interrupted was never acknowledged; a copy of it would keep the
            // shard closed until somebody makes room, and answer nobody why.
            guard error.isDiskFull, tail.cause == .length else { throw error }
            return nil
        }
    }

    /// Cuts the file behind its last record, and makes what is left durable whatever came before.
    private static func rewrite(
        _ cursor: JournalFileCursor, entry: JournalDirectory.Entry, storage: any Storage
    ) throws(SystemError) -> RecoveredFile? {
        guard let header = cursor.header else { return nil }
        let file = try storage.open(entry.path, create: .never)
        if cursor.offset < cursor.bytes.count { try file.truncate(to: cursor.offset) }
        try file.write(Array(cursor.bytes[..<cursor.offset]), at: 0)
        try file.sync()
        try storage.syncDirectory(FilePath.directory(of: entry.path))
        return RecoveredFile(
            entry: entry, file: file, salt: header.salt, length: cursor.offset, last: cursor.last)
    }
}
