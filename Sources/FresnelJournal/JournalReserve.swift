package import FresnelSystem

/// A file beside a journal that only keeps room: given up when the disk is full, so that deletions,
/// which make room, can still be journaled.
///
/// Best effort: where a file system shares or compresses blocks, zeros may keep nothing.
package struct JournalReserve: Sendable {
    /// The file's name in the journal's directory.
    package static let fileName = "reserve"

    private let path: String
    /// What is kept; 0 for nothing.
    package let bytes: Int
    private let storage: any Storage

    /// - Parameter bytes: what is kept; 0 for no reserve at all.
    package init(in directory: String, bytes: Int, storage: any Storage) {
        path = FilePath.join(directory, Self.fileName)
        self.bytes = bytes
        self.storage = storage
    }

    /// Whether room is kept, or none is to be.
    package func isThere() throws(SystemError) -> Bool {
        if bytes == 0 { return true }
        return try storage.size(of: path) == bytes
    }

    /// Makes the file when it is missing and the disk has room for it twice; durable when this
    /// returns true.
    ///
    /// - Returns: whether it is there.
    package func restore() throws(SystemError) -> Bool {
        guard try !isThere() else { return true }
        if try storage.size(of: path) != nil { try storage.remove(path) }
        let directory = FilePath.directory(of: path)
        guard try storage.freeBytes(at: directory) >= 2 * UInt64(bytes) else { return false }
        do throws(SystemError) {
            try storage.replaceFile(path, with: [UInt8](repeating: 0, count: bytes))
        } catch {
            guard error.isDiskFull else { throw error }
            return false
        }
        return true
    }

    /// Gives the room up.
    ///
    /// - Returns: whether there was any.
    package func release() throws(SystemError) -> Bool {
        guard bytes > 0, try storage.size(of: path) != nil else { return false }
        try storage.remove(path)
        return true
    }
}
