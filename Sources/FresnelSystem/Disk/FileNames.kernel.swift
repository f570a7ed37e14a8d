import Glibc

/// Calls of the operating system that take names rather than open files.
enum FileNames {
    static func rename(_ path: String, to newPath: String) throws(SystemError) {
        try requirePath(path, call: "rename")
        try requirePath(newPath, call: "rename")
        guard unsafe Glibc.rename(path, newPath) == 0 else {
            throw .failed(call: "rename", path: path, reason: .current)
        }
    }

    static func remove(_ path: String) throws(SystemError) {
        try requirePath(path, call: "remove")
        guard unsafe Glibc.remove(path) == 0 else {
            throw .failed(call: "remove", path: path, reason: .current)
        }
    }

    /// Makes one directory; an existing one is no error.
    static func makeDirectory(_ path: String) throws(SystemError) {
        try requirePath(path, call: "mkdir")
        guard unsafe mkdir(path, 0o755) != 0 else { return }
        let reason = ErrorNumber.current
        guard reason == .exists else {
            throw .failed(call: "mkdir", path: path, reason: reason)
        }
        guard try isDirectory(path) else {
            throw .failed(call: "mkdir", path: path, reason: .notDirectory)
        }
    }

    static func isDirectory(_ path: String) throws(SystemError) -> Bool {
        guard let status = try status(of: path) else { return false }
        return status.st_mode & S_IFMT == S_IFDIR
    }

    /// Size in bytes, or nil when there is no such file.
    static func size(of path: String) throws(SystemError) -> Int? {
        try status(of: path).map { Int($0.st_size) }
    }

    /// Names in the order the file system gives them.
    static func list(_ directory: String) throws(SystemError) -> [String] {
        try requirePath(directory, call: "list")
        guard let stream = unsafe opendir(directory) else {
            throw .failed(call: "list", path: directory, reason: .current)
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(stream) {
            // `d_name` is a C string inside the entry, which lives until the next `readdir`.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
                unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe String(cString: $0)
                }
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .failed(call: "list", path: directory, reason: .current) }
        return names
    }

    static func freeBytes(at path: String) throws(SystemError) -> UInt64 {
        try requirePath(path, call: "statvfs")
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else {
            throw .failed(call: "statvfs", path: path, reason: .current)
        }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }

    private static func status(of path: String) throws(SystemError) -> stat? {
        try requirePath(path, call: "stat")
        var status = stat()
        guard unsafe stat(path, &status) != 0 else { return status }
        let reason = ErrorNumber.current
        guard reason == .noEntry else {
            throw .failed(call: "stat", path: path, reason: reason)
        }
        return nil
    }

    /// C would end the path at its first zero byte and name another file.
    private static func requirePath(_ path: String, call: String) throws(SystemError) {
        guard !path.utf8.contains(0) else {
            throw .failed(call: call, path: path, reason: .invalidArgument)
        }
    }
}
