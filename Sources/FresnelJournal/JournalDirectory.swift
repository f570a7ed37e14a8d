import FresnelModel
import FresnelSystem

/// The files of a journal by name.
struct JournalDirectory {
    /// One file, known by its name alone.
    struct Entry: Hashable {
        let path: String
        let first: SequenceNumber
    }

    /// Oldest first.
    let entries: [Entry]

    /// Lists a directory; other names are ignored, a missing directory is empty.
    init(_ directory: String, in storage: any Storage) throws(JournalError) {
        do throws(SystemError) {
            entries = try storage.list(directory).compactMap { name in
                Self.first(inName: name).map { first in
                    Entry(path: FilePath.join(directory, name), first: first)
                }
            }
        } catch {
            guard error.isMissingFile else { throw .storage(error) }
            entries = []
        }
    }

    /// The name of the file that begins with a sequence number; names sort as numbers do.
    static func name(first: SequenceNumber) -> String {
        let digits = String(first.value)
        return "journal-" + String(repeating: "0", count: 20 - digits.count) + digits + ".fj"
    }

    /// The length of every name.
    static let nameLength = 31

    static func first(inName name: String) -> SequenceNumber? {
        guard name.hasPrefix("journal-"), name.hasSuffix(".fj"), name.utf8.count == nameLength
        else { return nil }
        return UInt64(name.dropFirst(8).dropLast(3)).map(SequenceNumber.init)
    }
}
