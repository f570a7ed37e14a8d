package import FresnelModel
package import FresnelSystem

/// Why a journal cannot be read or written.
package enum JournalError: Error, Hashable, Sendable {
    /// The storage refused; nothing in the journal changed.
    case storage(SystemError)
    /// Records were not written; the journal ends at `last` as before and can be used on.
    case notWritten(records: Int, last: SequenceNumber, cause: SystemError)
    /// Records may or may not be on disk; the writer refuses everything from now on.
    case notSynced(directory: String, last: SequenceNumber, cause: SystemError)
    /// The writer was given up after an earlier `notSynced`.
    case poisoned(directory: String)
    /// Bytes are damaged although valid records follow, or in a file that is not the last.
    case damaged(file: String, offset: Int, JournalDamage)
    /// A record or a file does not continue the one before it.
    case gap(file: String, offset: Int, expected: SequenceNumber, found: SequenceNumber)
    /// A file belongs to another shard.
    case foreign(file: String, expected: JournalIdentity, found: JournalIdentity)
    /// A file was written by another version of the program.
    case unsupportedVersion(file: String, version: UInt32)
    /// What was asked for has been truncated away.
    case notHeld(directory: String, after: SequenceNumber, oldest: SequenceNumber)
    /// The journal ends before what the segments hold: it lost records that were durable.
    case behind(
        directory: String, last: SequenceNumber, checkpoint: SequenceNumber, unreadableBytes: Int)
    /// The record to append does not follow the last one.
    case outOfOrder(sequence: SequenceNumber, previous: SequenceNumber, last: SequenceNumber)
    /// The body to append is too long.
    case bodyTooLarge(bytes: Int, limit: Int)
}

/// What is wrong with bytes of a journal.
package enum JournalDamage: String, Hashable, Sendable {
    /// The file's header is cut or changed.
    case header
    /// The header names another first record than the file's name or its first record.
    case name
    /// No record begins where one must.
    case marker
    /// A record's contents do not give its checksum.
    case checksum
    /// A record ends beyond the end of the file.
    case length
}

extension JournalError: CustomStringConvertible {
    /// What happened, to which file, what to do.
    package var description: String {
        switch self {
        case .storage(let cause):
            "the journal's storage failed: \(cause)"
        case .notWritten(let records, let last, let cause):
            """
            \(records) records were not written, the journal still ends at sequence \
            \(last.value): \(cause); send them again afterwards
            """
        case .notSynced(let directory, let last, let cause):
            """
            the journal in \(directory) could not be synced after sequence \(last.value): \
            \(cause); check the disk, then restart the worker, which recovers the journal
            """
        case .poisoned(let directory):
            """
            the journal in \(directory) refuses to go on after a failed sync; \
            check the disk, then restart the worker, which recovers the journal
            """
        case .damaged, .gap, .foreign, .unsupportedVersion:
            damageDescription
        case .notHeld(let directory, let after, let oldest):
            """
            the journal in \(directory) begins after sequence \(oldest.value), its segments hold \
            everything up to \(after.value): the journal file between them is missing. Nothing was \
            changed; put that file back, or restore the whole shard directory from a backup or \
            from another replica
            """
        case .behind(let directory, let last, let checkpoint, let unreadableBytes):
            """
            the journal in \(directory) ends at \(last.value), followed by \(unreadableBytes) \
            unreadable bytes, but its segments hold everything up to \(checkpoint.value): files or \
            synced bytes are missing. Nothing was changed; restore the journal or the whole \
            directory, then check the disk
            """
        case .outOfOrder(let sequence, let previous, let last):
            """
            record \(sequence.value) follows \(previous.value), but the journal ends at \
            \(last.value); restore the replica from a backup
            """
        case .bodyTooLarge(let bytes, let limit):
            "a record of \(bytes) bytes exceeds the limit of \(limit); send smaller batches"
        }
    }

    /// What is left to do when there is no backup.
    private static let wayOut =
        "remove it, start the worker once with --replace-lost and index again"

    private var damageDescription: String {
        switch self {
        case .damaged(let file, let offset, let damage):
            """
            journal file \(file) is damaged at byte \(offset) (\(damage.rawValue)) and was \
            left as it is; restore the shard's directory from a backup, or \(Self.wayOut)
            """
        case .gap(let file, let offset, let expected, let found):
            """
            journal file \(file) at byte \(offset) continues sequence \(found.value) where \
            \(expected.value) came before: records are missing; restore the shard's \
            directory from a backup, or \(Self.wayOut)
            """
        case .foreign(let file, let expected, let found):
            """
            journal file \(file) belongs to shard \(found.shard.number) of \
            \(found.indexHash == expected.indexHash ? "this index" : "another index"), not to \
            shard \(expected.shard.number); move it, with all of that shard, to where that shard \
            lies: it may be the only copy
            """
        case .unsupportedVersion(let file, let version):
            """
            journal file \(file) has format version \(version), this program reads \
            \(JournalFormat.version); start the version that wrote it
            """
        default:
            "the journal failed"
        }
    }
}

extension JournalError {
    /// Whether the cause is a full disk or quota: deletions and reads go on, writes wait for room.
    package var isDiskFull: Bool {
        switch self {
        case .storage(let cause), .notWritten(_, _, let cause), .notSynced(_, _, let cause):
            cause.isDiskFull
        case .poisoned, .damaged, .gap, .foreign, .unsupportedVersion, .notHeld, .behind,
            .outOfOrder, .bodyTooLarge:
            false
        }
    }
}
