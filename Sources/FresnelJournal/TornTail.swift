/// The unfinished end of a journal's last file: what was being written when the power went.
///
/// It was never acknowledged, unless the disk lost what it had promised to keep: `cause` of
/// `checksum` with all bytes present deserves a look at the disk.
package struct TornTail: Hashable, Sendable {
    /// The path of the file.
    package let file: String
    /// Where the last whole record ends; 0 when the file's header is not whole.
    package let offset: Int
    /// How many bytes follow.
    package let bytes: Int
    /// What is wrong with them.
    package let cause: JournalDamage
}

extension TornTail: CustomStringConvertible {
    /// One line for the operator.
    package var description: String {
        """
        \(bytes) bytes of an unfinished record at byte \(offset) of journal file \(file) \
        (\(cause.rawValue))
        """
    }
}

/// How the reading of a journal ended.
package enum JournalEnding: Hashable, Sendable {
    /// Behind the last record.
    case clean
    /// At an unfinished record, which recovery cuts off; a live journal can show one for a moment.
    case tornTail(TornTail)
}
