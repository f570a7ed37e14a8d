import Glibc

/// Files on the machine's disks.
package struct DiskStorage: Storage {
    /// Makes the storage; it has no state.
    package init() {}

    package func open(
        _ path: String, create: FileCreation
    ) throws(SystemError) -> any StorageFile {
        try DiskFile(path, create: create)
    }

    package func map(_ path: String) throws(SystemError) -> SharedBytes {
        SharedBytes(mapping: try MappedFile(path))
    }

    package func rename(_ path: String, to newPath: String) throws(SystemError) {
        try FileNames.rename(path, to: newPath)
    }

    package func remove(_ path: String) throws(SystemError) {
        try FileNames.remove(path)
    }

    package func makeDirectory(_ path: String) throws(SystemError) {
        guard try !FileNames.isDirectory(path) else { return }
        let parent = FilePath.directory(of: path)
        if parent != path { try makeDirectory(parent) }
        try FileNames.makeDirectory(path)
        try syncDirectory(parent)
    }

    package func syncDirectory(_ path: String) throws(SystemError) {
        let directory = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY)
        try directory.sync()
    }

    package func list(_ directory: String) throws(SystemError) -> [String] {
        try FileNames.list(directory).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    package func size(of path: String) throws(SystemError) -> Int? {
        try FileNames.size(of: path)
    }

    package func freeBytes(at path: String) throws(SystemError) -> UInt64 {
        try FileNames.freeBytes(at: path)
    }

    package func lock(_ path: String) throws(SystemError) -> any StorageLock {
        try FileLock(path)
    }
}
