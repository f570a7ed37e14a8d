// Files as the journal, the segments and the cluster state need them: on disk in production, in
// memory with a failing disk in tests. What counts as durable is written at each verb, because
// that is what every recovery is built on: contents after `StorageFile.sync`, names (files made,
// renamed, removed) after `syncDirectory`.

/// A place for files.
package protocol Storage: Sendable {
    /// Opens a file for reading and appending, or with `.readOnly` for reading alone.
    ///
    /// - Throws: ENOENT when it is missing and `create` is `.never` or `.readOnly`, EEXIST when it
    ///   is there and `create` is `.always`. What writes to a file that is only read throws EBADF.
    func open(_ path: String, create: FileCreation) throws(SystemError) -> any StorageFile

    /// Opens a file's bytes, which never change afterwards, for reading; a memory map on disk.
    func map(_ path: String) throws(SystemError) -> SharedBytes

    /// Gives a file another name in the same file system, replacing what was there; or a directory
    /// with all in it a name that is free.
    func rename(_ path: String, to newPath: String) throws(SystemError)

    /// Removes a file, or an empty directory.
    func remove(_ path: String) throws(SystemError)

    /// Makes a directory and those above it; no error when it exists.
    func makeDirectory(_ path: String) throws(SystemError)

    /// Makes the names in a directory durable.
    func syncDirectory(_ path: String) throws(SystemError)

    /// The names in a directory, sorted by bytes, without `.` and `..`.
    func list(_ directory: String) throws(SystemError) -> [String]

    /// The size of a file in bytes, or nil when it is missing.
    func size(of path: String) throws(SystemError) -> Int?

    /// How many bytes may still be written below a path.
    func freeBytes(at path: String) throws(SystemError) -> UInt64

    /// Takes a lock that no other process (or other caller) can hold; released with the object.
    func lock(_ path: String) throws(SystemError) -> any StorageLock
}

/// What opening does to the file.
package enum FileCreation: Hashable, Sendable {
    /// The file must be there.
    case never
    /// The file must be there, and is only read: it may be on a disk that takes no writes.
    case readOnly
    /// The file is made when it is missing.
    case ifMissing
    /// The file must not be there.
    case always
}

/// A held lock; it ends with the last reference.
package protocol StorageLock: AnyObject, Sendable {}

extension Storage {
    /// A whole file.
    package func read(_ path: String) throws(SystemError) -> [UInt8] {
        let file = try open(path, create: .readOnly)
        defer { file.close() }
        return try file.read(at: 0, count: try file.size())
    }

    /// Whether there is a directory of this name.
    package func isDirectory(_ path: String) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try list(path)
            return true
        } catch {
            guard error.isMissingFile || error.isNoDirectory else { throw error }
            return false
        }
    }

    /// Removes a directory, the directories named in it, and all files in these; nothing when it is
    /// missing.
    ///
    /// - Parameter folders: names of directories that may be in it.
    package func removeDirectory(_ path: String, with folders: [String]) throws(SystemError) {
        for folder in folders {
            let folder = FilePath.join(path, folder)
            if try isDirectory(folder) { try removeDirectory(folder, with: []) }
        }
        guard try isDirectory(path) else { return }
        for name in try list(path) { try remove(FilePath.join(path, name)) }
        try remove(path)
        try syncDirectory(FilePath.directory(of: path))
    }

    /// Puts a file under a name at once, replacing what was there.
    ///
    /// After it returns the new contents are durable; after a crash before that, the file is
    /// either the old one or the new one. The new one is built beside it as `<path>.new`. Large
    /// contents are synced piece by piece: a file system may let whoever syncs another file
    /// meanwhile, as a journal, wait until all that was written before is on the disk.
    package func replaceFile(_ path: String, with contents: [UInt8]) throws(SystemError) {
        try replaceFile(path, count: contents.count) { Array(contents[$0]) }
    }

    /// The same with bytes that others share; copies a piece of them at a time.
    package func replaceFile(_ path: String, with contents: SharedBytes) throws(SystemError) {
        try replaceFile(path, count: contents.count) { contents.copy(of: $0) }
    }

    private func replaceFile(
        _ path: String, count: Int, piece: (Range<Int>) -> [UInt8]
    ) throws(SystemError) {
        let temporary = path + ".new"
        do throws(SystemError) {
            if try size(of: temporary) != nil { try remove(temporary) }
            let file = try open(temporary, create: .always)
            defer { file.close() }
            for start in stride(from: 0, to: count, by: writtenBytes) {
                let end = min(count, start + writtenBytes)
                try file.append(piece(start..<end))
                if end == count || end.isMultiple(of: syncedBytes) { try file.sync() }
            }
            if count == 0 { try file.sync() }
            try rename(temporary, to: path)
        } catch {
            // The first error is the one to tell; a left-over is removed by the next attempt.
            try? remove(temporary)
            throw error
        }
        try syncDirectory(FilePath.directory(of: path))
    }
}

/// Bytes of a large file that are written at once: as many as stay in a processor's own cache.
private let writtenBytes = 256 << 10
/// Bytes of a large file that are then synced; a multiple of `writtenBytes`.
private let syncedBytes = 4 << 20
