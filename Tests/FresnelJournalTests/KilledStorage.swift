import FresnelSystem
import Synchronization

/// A storage whose process dies after some number of changes: the next one and everything after
/// it fails, and what lies on the disk stays as it is.
final class KilledStorage: Storage {
    private let disk: MemoryStorage
    private let changesLeft: Mutex<Int>

    init(_ disk: MemoryStorage, afterChanges changes: Int) {
        self.disk = disk
        changesLeft = Mutex(changes)
    }

    /// Whether the process is dead.
    var isKilled: Bool { changesLeft.withLock { $0 < 0 } }

    /// Counts a change.
    func change(_ path: String) throws(SystemError) {
        let isAlive = changesLeft.withLock { left in
            left = max(-1, left - 1)
            return left >= 0
        }
        guard isAlive else { throw .failed(call: "kill", path: path, reason: .inputOutput) }
    }

    func open(_ path: String, create: FileCreation) throws(SystemError) -> any StorageFile {
        if create != .never { try change(path) }
        return KilledFile(try disk.open(path, create: create), storage: self)
    }

    func map(_ path: String) throws(SystemError) -> SharedBytes { try disk.map(path) }

    func rename(_ path: String, to newPath: String) throws(SystemError) {
        try change(path)
        try disk.rename(path, to: newPath)
    }

    func remove(_ path: String) throws(SystemError) {
        try change(path)
        try disk.remove(path)
    }

    func makeDirectory(_ path: String) { disk.makeDirectory(path) }

    func syncDirectory(_ path: String) throws(SystemError) {
        try change(path)
        try disk.syncDirectory(path)
    }

    func list(_ directory: String) throws(SystemError) -> [String] { try disk.list(directory) }

    func size(of path: String) -> Int? { disk.size(of: path) }

    func freeBytes(at path: String) -> UInt64 { disk.freeBytes(at: path) }

    func lock(_ path: String) throws(SystemError) -> any StorageLock { try disk.lock(path) }
}

/// A file of it.
private final class KilledFile: StorageFile {
    private let file: any StorageFile
    private let storage: KilledStorage

    init(_ file: any StorageFile, storage: KilledStorage) {
        self.file = file
        self.storage = storage
    }

    var path: String { file.path }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        try storage.change(path)
        try file.append(bytes)
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try storage.change(path)
        try file.write(bytes, at: offset)
    }

    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try file.read(at: offset, count: count)
    }

    func size() throws(SystemError) -> Int { try file.size() }

    func truncate(to size: Int) throws(SystemError) {
        try storage.change(path)
        try file.truncate(to: size)
    }

    func sync() throws(SystemError) {
        try storage.change(path)
        try file.sync()
    }

    func close() { file.close() }
}
