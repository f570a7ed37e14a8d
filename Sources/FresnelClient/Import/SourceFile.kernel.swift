import Glibc

/// A file or stream that is read once, from front to end; closed with its owner.
struct SourceFile: ~Copyable {
    private let descriptor: Int32
    private let path: String
    private let isOwned: Bool

    /// Opens a file for reading only.
    init(opening path: String) throws(SearchError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw SearchError(.invalidArgument, "\"\(path)\" is not the name of a file")
        }
        let opened = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { throw Self.failure("cannot be opened", path, errno) }
        descriptor = opened
        self.path = path
        isOwned = true
    }

    /// The standard input; stays open.
    init() {
        descriptor = STDIN_FILENO
        path = "the standard input"
        isOwned = false
    }

    deinit {
        // Nothing was written, so nothing can be lost by a failing close.
        if isOwned { _ = Glibc.close(descriptor) }
    }

    /// Size in bytes and time of the last change in nanoseconds since 1970; nil of what is no
    /// ordinary file and cannot be read again, as a pipe.
    ///
    /// Only an ordinary file is opened, to see that it can be: whoever writes into a pipe would
    /// lose his reader.
    static func state(of path: String) throws(SearchError) -> (size: Int, modified: Int)? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw Self.failure("cannot be opened", path, errno)
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        return try SourceFile(opening: path).state()
    }

    private borrowing func state() throws(SearchError) -> (size: Int, modified: Int) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw Self.failure("cannot be examined", path, errno)
        }
        let modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        return (Int(status.st_size), modified)
    }

    /// The next bytes, at most `limit`; empty at the end.
    borrowing func read(upTo limit: Int) throws(SearchError) -> [UInt8] {
        while true {
            var count = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
                // The kernel fills at most `limit` bytes and says how many.
                count = unsafe Glibc.read(descriptor, buffer.baseAddress, limit)
                filled = max(0, count)
            }
            if count >= 0 { return bytes }
            let number = errno
            guard number == EINTR else { throw Self.failure("cannot be read", path, number) }
        }
    }

    private static func failure(_ what: String, _ path: String, _ number: Int32) -> SearchError {
        let reason =
            switch number {
            case ENOENT: "there is no such file"
            case EACCES, EPERM: "the permission is missing"
            case EISDIR: "it is a directory; name the files in it"
            case EIO: "the disk failed"
            case EBADF: "it is not open for reading"
            default: "error number \(number) of the system"
            }
        return SearchError(.invalidArgument, "\(path) \(what): \(reason)")
    }
}
