import Glibc
import Synchronization

/// A file on disk.
///
/// Writes go to explicit offsets; the object alone knows where the end is.
final class DiskFile: StorageFile {
    private struct State: ~Copyable {
        var descriptor: FileDescriptor?
        var end: Int
        var isPoisoned = false
    }

    let path: String
    private let state: Mutex<State>

    init(_ path: String, create: FileCreation) throws(SystemError) {
        let flags =
            switch create {
            case .never: O_RDWR
            case .readOnly: O_RDONLY
            case .ifMissing: O_RDWR | O_CREAT
            case .always: O_RDWR | O_CREAT | O_EXCL
            }
        let descriptor = try FileDescriptor(opening: path, flags: flags)
        let end = try descriptor.size()
        self.path = path
        state = Mutex(State(descriptor: descriptor, end: end))
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            guard state.descriptor != nil else { throw SystemError.closed(path: path) }
            try state.descriptor?.write(bytes, at: state.end)
            state.end += bytes.count
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            guard state.descriptor != nil else { throw SystemError.closed(path: path) }
            precondition(offset <= state.end, "write at \(offset) of \(state.end) in \(path)")
            try state.descriptor?.write(bytes, at: offset)
            state.end = max(state.end, offset + bytes.count)
        }
    }

    func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        try state.withLock { (state) throws(SystemError) in
            guard let bytes = try state.descriptor?.read(at: offset, count: count) else {
                throw SystemError.closed(path: path)
            }
            return bytes
        }
    }

    func size() throws(SystemError) -> Int {
        try state.withLock { (state) throws(SystemError) in
            guard let size = try state.descriptor?.size() else {
                throw SystemError.closed(path: path)
            }
            return size
        }
    }

    func truncate(to size: Int) throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            guard state.descriptor != nil else { throw SystemError.closed(path: path) }
            try state.descriptor?.truncate(to: size)
            state.end = size
        }
    }

    func sync() throws(SystemError) {
        try state.withLock { (state) throws(SystemError) in
            guard !state.isPoisoned else { throw SystemError.poisoned(path: path) }
            guard state.descriptor != nil else { throw SystemError.closed(path: path) }
            do throws(SystemError) {
                try state.descriptor?.sync()
            } catch {
                state.isPoisoned = true
                throw error
            }
        }
    }

    func close() {
        state.withLock { $0.descriptor = nil }
    }
}
