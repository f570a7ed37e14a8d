import Glibc

/// The reason the operating system gives for a failure (`errno`).
package struct ErrorNumber: Hashable, Sendable {
    /// The number, specific to the platform.
    package let code: Int32

    /// Wraps a number.
    package init(_ code: Int32) { self.code = code }

    /// The last failure of this thread.
    static var current: ErrorNumber { ErrorNumber(errno) }

    /// The disk is full.
    package static let noSpace = ErrorNumber(ENOSPC)
    /// The user's share of the disk is full.
    package static let quotaExceeded = ErrorNumber(EDQUOT)
    /// The device failed.
    package static let inputOutput = ErrorNumber(EIO)
    /// There is no such file.
    package static let noEntry = ErrorNumber(ENOENT)
    /// A file stands where a directory was meant.
    package static let notDirectory = ErrorNumber(ENOTDIR)
    /// There is such a file already.
    package static let exists = ErrorNumber(EEXIST)
    /// The directory has files.
    package static let notEmpty = ErrorNumber(ENOTEMPTY)
    /// A stream or file is not open, or not for this.
    package static let badStream = ErrorNumber(EBADF)
    /// An argument makes no sense.
    package static let invalidArgument = ErrorNumber(EINVAL)
}

extension ErrorNumber {
    /// The symbol, as manual pages name it.
    package var name: String { Self.table[code]?.name ?? "errno \(code)" }

    /// What it means and what to do, in half a sentence.
    package var advice: String {
        Self.table[code]?.advice ?? "see the manual page of the call"
    }

    private static let table: [Int32: (name: String, advice: String)] = [
        ENOSPC: ("ENOSPC", "the disk is full; free space or move the directory"),
        EDQUOT: ("EDQUOT", "the disk quota is used up; raise it or free space"),
        EIO: ("EIO", "the device reports an error; check the disk and the kernel's messages"),
        ENOENT: ("ENOENT", "there is no such file or directory; check the path"),
        EEXIST: ("EEXIST", "it exists already; choose another name"),
        EACCES: ("EACCES", "permission denied; check owner and mode of the path"),
        EPERM: ("EPERM", "not permitted; check owner and attributes of the path"),
        EROFS: ("EROFS", "the file system is read-only; remount it writable"),
        EMFILE: ("EMFILE", "too many open files; raise the limit (ulimit -n)"),
        ENFILE: ("ENFILE", "the machine has too many open files; raise fs.file-max"),
        ENOMEM: ("ENOMEM", "out of memory or memory maps; raise vm.max_map_count"),
        ENOTDIR: ("ENOTDIR", "a part of the path is not a directory; check the path"),
        EBADF: ("EBADF", "it is not open, or not for this; open it anew"),
        EISDIR: (
            "EISDIR",
            "a directory is there where a file is meant; name a file, or move the directory away "
                + "and put the file back"
        ),
        ENOTEMPTY: ("ENOTEMPTY", "the directory is not empty; remove its files first"),
        ENAMETOOLONG: ("ENAMETOOLONG", "the path is too long; use a shorter directory"),
        EPIPE: ("EPIPE", "whoever read it went away; start it again with its reader"),
        EINVAL: ("EINVAL", "the system does not accept an argument; check the path"),
        EFBIG: ("EFBIG", "the file would be too large; raise the limit (ulimit -f)"),
        EBUSY: ("EBUSY", "it is in use; find who uses it"),
        EXDEV: ("EXDEV", "the paths are on different file systems; use one"),
        ESTALE: ("ESTALE", "the network file system lost it; mount it again"),
        ETXTBSY: ("ETXTBSY", "it is being executed; stop that program"),
    ]
}
