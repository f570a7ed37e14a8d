import Synchronization

/// An open file of a `MemoryStorage`.
final class MemoryStorageFile: StorageFile {
    private struct State {
        var isClosed = false
        var isPoisoned = false
    }

    let path: String
    private let number: Int
    /// Files opened before a crash are closed by it.
    private let era: Int
    private let isReadOnly: Bool
    private let storage: MemoryStorage
    private let state = Mutex(State())

    init(path: String, number: Int, era: Int, isReadOnly: Bool, storage: MemoryStorage) {
        self.path = path
        self.number = number
        self.era = era
        self.isReadOnly = isReadOnly
        self.storage = storage
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        try requireWritable("write")
        try withFile { (disk, number) throws(SystemError) in
            let end = disk.files[number]?.content.count ?? 0
            try disk.write(bytes, to: number, at: end, path: path)
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try requireWritable("write")
        try withFile { (disk, number) throws(SystemError) in
            let end = disk.files[number]?.content.count ?? 0
            precondition(offset <= end, "write at \(offset) of \(end) in \(path)")
            try disk.write(bytes, to: number, at: offset, path: path)
        }
    }

    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try withFile { (disk, number) throws(SystemError) in
            if let reason = disk.takeReadFault() {
                throw SystemError.failed(call: "read", path: path, reason: reason)
            }
            let content = disk.files[number]?.content ?? []
            guard offset + count <= content.count else {
                let missing = offset + count - max(offset, content.count)
                throw SystemError.endOfFile(path: path, offset: offset, missing: missing)
            }
            return Array(content[offset..<offset + count])
        }
    }

    func size() throws(SystemError) -> Int {
        try withFile { (disk, number) in disk.files[number]?.content.count ?? 0 }
    }

    func truncate(to size: Int) throws(SystemError) {
        try requireWritable("truncate")
        try withFile { (disk, number) in disk.files[number]?.truncate(to: size) }
    }

    func sync() throws(SystemError) {
        guard !state.withLock(\.isPoisoned) else { throw .poisoned(path: path) }
        try withFile { (disk, number) throws(SystemError) in
            if let reason = disk.takeSyncFault() {
                disk.files[number]?.dropDirt()
                state.withLock { $0.isPoisoned = true }
                throw SystemError.failed(call: "fsync", path: path, reason: reason)
            }
            disk.files[number]?.sync()
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
    }

    private func requireWritable(_ call: String) throws(SystemError) {
        guard !isReadOnly else { throw .failed(call: call, path: path, reason: .badStream) }
    }

    private func withFile<Answer: Sendable>(
        _ body: (inout MemoryDisk, Int) throws(SystemError) -> Answer
    ) throws(SystemError) -> Answer {
        guard !state.withLock(\.isClosed) else { throw .closed(path: path) }
        return try storage.disk.withLock { (disk) throws(SystemError) in
            guard disk.era == era else { throw SystemError.closed(path: path) }
            return try body(&disk, number)
        }
    }
}
