import Glibc

/// An open file of the operating system, closed with its owner.
struct FileDescriptor: ~Copyable {
    let number: Int32
    let path: String

    /// Opens a path; flags as in open(2), close-on-exec is added.
    init(opening path: String, flags: Int32, mode: mode_t = 0o644) throws(SystemError) {
        guard !path.utf8.contains(0) else {
            throw .failed(call: "open", path: path, reason: .invalidArgument)
        }
        let opened = retryingInterruptions { unsafe Glibc.open(path, flags | O_CLOEXEC, mode) }
        guard opened >= 0 else {
            throw .failed(call: "open", path: path, reason: .current)
        }
        number = Int32(opened)
        self.path = path
    }

    deinit {
        // Nothing can be done about a failing close: what matters was synced before.
        _ = Glibc.close(number)
    }

    /// Writes all bytes at an offset; a full disk can leave the first of them written.
    borrowing func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let done = unsafe bytes.withUnsafeBytes { buffer in
                // `written` is below `buffer.count`, so the address is inside.
                retryingInterruptions {
                    unsafe pwrite(
                        number, buffer.baseAddress.map { unsafe $0 + written },
                        buffer.count - written, off_t(offset + written))
                }
            }
            guard done > 0 else {
                // A write of zero bytes has no errno; only a full device answers so.
                let reason: ErrorNumber = done == 0 ? .noSpace : .current
                throw .failed(call: "write", path: path, reason: reason)
            }
            written += done
        }
    }

    /// Reads exactly `count` bytes at an offset.
    borrowing func read(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let done = unsafe bytes.withUnsafeMutableBytes { buffer in
                retryingInterruptions {
                    unsafe pread(
                        number, buffer.baseAddress.map { unsafe $0 + filled },
                        buffer.count - filled, off_t(offset + filled))
                }
            }
            guard done >= 0 else { throw .failed(call: "read", path: path, reason: .current) }
            guard done > 0 else {
                throw .endOfFile(path: path, offset: offset, missing: count - filled)
            }
            filled += done
        }
        return bytes
    }

    /// Up to `limit` bytes from the front, for files without a size (`/proc`).
    borrowing func readSome(limit: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        let done = unsafe bytes.withUnsafeMutableBytes { buffer in
            retryingInterruptions { unsafe pread(number, buffer.baseAddress, buffer.count, 0) }
        }
        guard done >= 0 else { throw .failed(call: "read", path: path, reason: .current) }
        return Array(bytes.prefix(done))
    }

    /// The size in bytes.
    borrowing func size() throws(SystemError) -> Int {
        var status = stat()
        guard unsafe fstat(number, &status) == 0 else {
            throw .failed(call: "stat", path: path, reason: .current)
        }
        return Int(status.st_size)
    }

    /// Cuts or extends to a size.
    borrowing func truncate(to size: Int) throws(SystemError) {
        guard retryingInterruptions({ Int(ftruncate(number, off_t(size))) }) == 0 else {
            throw .failed(call: "truncate", path: path, reason: .current)
        }
    }

    /// Makes contents and size durable; never repeated when it fails (see `StorageFile.sync`).
    borrowing func sync() throws(SystemError) {
        guard fsync(number) == 0 else {
            throw .failed(call: "fsync", path: path, reason: .current)
        }
    }
}

/// Repeats a call that a signal interrupted.
func retryingInterruptions<Count: BinaryInteger>(_ call: () -> Count) -> Count {
    while true {
        let answer = call()
        if answer >= 0 || errno != EINTR { return answer }
    }
}
