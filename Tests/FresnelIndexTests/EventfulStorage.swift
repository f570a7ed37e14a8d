import FresnelSystem
import Synchronization

/// A storage in which something happens before files and names change.
final class EventfulStorage: Storage {
    private let disk: MemoryStorage
    private let event = Mutex<(@Sendable () throws(SystemError) -> Void)?>(nil)

    init(_ disk: MemoryStorage) { self.disk = disk }

    /// What happens; what it throws, the change throws.
    func setEvent(_ body: (@Sendable () throws(SystemError) -> Void)?) {
        event.withLock { $0 = body }
    }

    private func happen() throws(SystemError) { try event.withLock { $0 }?() }

    func open(_ path: String, create: FileCreation) throws(SystemError) -> any StorageFile {
        try happen()
        return try disk.open(path, create: create)
    }

    func map(_ path: String) throws(SystemError) -> SharedBytes { try disk.map(path) }

    func rename(_ path: String, to newPath: String) throws(SystemError) {
        try happen()
        try disk.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(SystemError) {
        try happen()
        try disk.remove(path)
    }

    func makeDirectory(_ path: String) { disk.makeDirectory(path) }

    func syncDirectory(_ path: String) throws(SystemError) {
        try happen()
        try disk.syncDirectory(path)
    }

    func list(_ directory: String) throws(SystemError) -> [String] {
        try happen()
        return try disk.list(directory)
    }

    func size(of path: String) -> Int? { disk.size(of: path) }

    func freeBytes(at path: String) -> UInt64 { disk.freeBytes(at: path) }

    func lock(_ path: String) throws(SystemError) -> any StorageLock { try disk.lock(path) }
}
