import Synchronization

/// Files in memory on a disk that can fill up, fail and lose power, for tests and simulation.
///
/// `crash(seed:)` is the power failure: what was not synced is lost, kept or torn at random, and
/// every open file is closed. Names not synced with `syncDirectory` may be lost too.
package final class MemoryStorage: Storage {
    let disk = Mutex(MemoryDisk())

    /// Makes an empty disk without a size limit.
    package init() {}

    /// Limits what all files together may hold, in bytes; nil is no limit.
    package func setCapacity(_ bytes: Int?) {
        disk.withLock { $0.capacity = bytes }
    }

    /// Arranges for something to go wrong; several faults of one kind happen one after the other.
    package func inject(_ fault: StorageFault) {
        disk.withLock { $0.faults.append(fault) }
    }

    /// Loses power and starts again.
    package func crash(seed: UInt64) {
        disk.withLock { disk in
            var generator = SeededGenerator(seed: seed)
            disk.crash(using: &generator)
        }
    }

    /// Puts a durable file there, for tests that bring their own damage.
    package func place(_ contents: [UInt8], at path: String) {
        disk.withLock { $0.place(contents, at: path) }
    }

    package func open(
        _ path: String, create: FileCreation
    ) throws(SystemError) -> any StorageFile {
        try disk.withLock { (disk) throws(SystemError) in
            let number = try disk.open(path, create: create)
            return MemoryStorageFile(
                path: path, number: number, era: disk.era, isReadOnly: create == .readOnly,
                storage: self)
        }
    }

    package func map(_ path: String) throws(SystemError) -> SharedBytes {
        try SharedBytes(
            disk.withLock { (disk) throws(SystemError) in try disk.contents(of: path) })
    }

    package func rename(_ path: String, to newPath: String) throws(SystemError) {
        try disk.withLock { (disk) throws(SystemError) in
            try disk.rename(path, to: newPath)
        }
    }

    package func remove(_ path: String) throws(SystemError) {
        try disk.withLock { (disk) throws(SystemError) in try disk.remove(path) }
    }

    package func makeDirectory(_ path: String) {
        disk.withLock { $0.makeDirectory(path) }
    }

    package func syncDirectory(_ path: String) throws(SystemError) {
        try disk.withLock { (disk) throws(SystemError) in try disk.syncDirectory(path) }
    }

    package func list(_ directory: String) throws(SystemError) -> [String] {
        try disk.withLock { (disk) throws(SystemError) in try disk.list(directory) }
    }

    package func size(of path: String) -> Int? {
        disk.withLock { $0.size(of: path) }
    }

    package func freeBytes(at path: String) -> UInt64 {
        disk.withLock { $0.freeBytes }
    }

    package func lock(_ path: String) throws(SystemError) -> any StorageLock {
        try disk.withLock { (disk) throws(SystemError) in
            guard disk.locks.insert(path).inserted else {
                throw SystemError.locked(path: path, holder: nil)
            }
            return MemoryLock(path: path, era: disk.era, storage: self)
        }
    }
}

/// A lock that ends with its object, or with a crash.
private final class MemoryLock: StorageLock {
    private let path: String
    private let era: Int
    private let storage: MemoryStorage

    init(path: String, era: Int, storage: MemoryStorage) {
        self.path = path
        self.era = era
        self.storage = storage
    }

    deinit {
        storage.disk.withLock { disk in
            if disk.era == era { disk.locks.remove(path) }
        }
    }
}
