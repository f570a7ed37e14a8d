import Glibc

/// A lock on a file, held by one process at a time, which writes its number into it.
///
/// It is the open file that is locked (flock(2)), so the lock ends with the process however that
/// dies; the file stays, and its number is only a hint for people.
package final class FileLock: StorageLock {
    private let descriptor: FileDescriptor

    /// Takes the lock or throws at once, naming the holder; makes the file when it is missing.
    package init(_ path: String) throws(SystemError) {
        let opened = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT)
        let number = opened.number
        guard retryingInterruptions({ Int(flock(number, LOCK_EX | LOCK_NB)) }) == 0 else {
            let reason = ErrorNumber.current
            guard reason.code == EWOULDBLOCK else {
                throw .failed(call: "flock", path: path, reason: reason)
            }
            throw .locked(path: path, holder: Self.holder(in: opened))
        }
        guard try Self.isLock(opened) else { throw .noLock(path: path) }
        try opened.truncate(to: 0)
        try opened.write(Array("\(getpid())\n".utf8), at: 0)
        descriptor = opened
    }

    /// Whether a file holds nothing but a number of a process, as locks do, or nothing at all: what
    /// another program keeps under such a name is not overwritten.
    private static func isLock(_ file: borrowing FileDescriptor) throws(SystemError) -> Bool {
        let size = try file.size()
        guard size <= 16 else { return false }
        let bytes = try file.read(at: 0, count: size)
        return bytes.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "\n")
        }
    }

    private static func holder(in file: borrowing FileDescriptor) -> Int32? {
        // The number is only a backoff: any failure to read it leaves the holder unnamed.
        guard let size = try? file.size(), let bytes = try? file.read(at: 0, count: min(size, 16)),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        return Int32(text.prefix { $0.isNumber })
    }
}
