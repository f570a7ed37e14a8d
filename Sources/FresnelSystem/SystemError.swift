/// What the operating system refused, to which file, and why.
package enum SystemError: Error, Hashable, Sendable {
    /// A call failed.
    case failed(call: String, path: String, reason: ErrorNumber)
    /// Another process holds the lock; its number is nil when the file does not tell.
    case locked(path: String, holder: Int32?)
    /// A file that is no lock is where one should be.
    case noLock(path: String)
    /// A read ended `missing` bytes early.
    case endOfFile(path: String, offset: Int, missing: Int)
    /// An earlier sync of this open file failed; what it holds may never reach the disk.
    case poisoned(path: String)
    /// The file was closed before this call.
    case closed(path: String)
}

extension SystemError {
    /// Whether the disk or a quota is full.
    package var isDiskFull: Bool {
        guard case .failed(_, _, let reason) = self else { return false }
        return reason == .noSpace || reason == .quotaExceeded
    }

    /// Whether there is no such file.
    package var isMissingFile: Bool {
        guard case .failed(_, _, let reason) = self else { return false }
        return reason == .noEntry
    }

    /// Whether a file stands where a directory was looked for.
    package var isNoDirectory: Bool {
        guard case .failed(_, _, let reason) = self else { return false }
        return reason == .notDirectory
    }
}

extension SystemError: CustomStringConvertible {
    /// The call, the file, the reason and what to do.
    package var description: String {
        switch self {
        case .failed(let call, let path, let reason):
            "\(call) of \(path) failed: \(reason.name), \(reason.advice)"
        case .locked(let path, let holder?):
            "\(path) is locked by process \(holder); stop it, or use another directory"
        case .locked(let path, nil):
            "\(path) is locked by another process; stop it, or use another directory"
        case .noLock(let path):
            """
            \(path) is there and is no lock of Fresnel; nothing was changed: move it, or use \
            another directory or path
            """
        case .endOfFile(let path, let offset, let missing):
            "\(path) ends \(missing) bytes too early for a read at \(offset); it was cut short"
        case .poisoned(let path):
            """
            \(path) could not be synced to disk earlier and is no longer trusted; \
            check the disk, then open it again
            """
        case .closed(let path):
            "\(path) was used after it was closed; this is a defect, please report it"
        }
    }
}
