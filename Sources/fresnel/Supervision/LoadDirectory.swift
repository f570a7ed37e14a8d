import Foundation
import FresnelSystem
import Glibc

/// A temporary directory of a load, removed with it; if the load is killed, or ended while it
/// removes it, by the next one that makes a directory.
///
/// A lock in it is held for as long as the load's process lives. Who can take the lock of another
/// directory knows that nobody is left who would remove that.
enum LoadDirectory {
    private static let prefix = "fresnel-load-"
    private static let lockName = "lock"
    /// An empty directory is that of a load which is about to begin for no longer, in seconds.
    private static let emptySecondsMost = 60.0

    /// Makes one, lends its path to `body`, and removes it in any case.
    static func with<Answer>(
        _ body: (_ path: String) async throws -> Answer
    ) async throws -> Answer {
        let temporary = FileManager.default.temporaryDirectory
        removeAbandoned(in: temporary.path)
        let directory = temporary.appendingPathComponent("\(prefix)\(UUID().uuidString.prefix(8))")
        let path = directory.path
        defer { remove(path) }
        let lock: FileLock
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true)
            // Taken under another name: a lock that others see is held already.
            lock = try FileLock("\(path)/new-\(lockName)")
            try FileManager.default.moveItem(
                atPath: "\(path)/new-\(lockName)", toPath: "\(path)/\(lockName)")
        } catch {
            let reason = (error as? SystemError)?.description ?? error.localizedDescription
            throw CommandError.failed("\(path) cannot be made: \(reason)")
        }
        let answer = try await body(path)
        withExtendedLifetime(lock) {}
        return answer
    }

    /// Removes the directories of loads that ended without doing so.
    private static func removeAbandoned(in temporary: String) {
        // A directory that cannot be read has nothing that could be removed.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        for name in names where name.hasPrefix(prefix) {
            let path = "\(temporary)/\(name)"
            // One that has gone meanwhile is not looked at.
            guard let status = try? FileManager.default.attributesOfItem(atPath: path),
                status[.type] as? FileAttributeType == .typeDirectory,
                (status[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid()
            else { continue }
            // One without a lock is being made, or was all but removed; the latter is empty.
            if let changed = status[.modificationDate] as? Date,
                changed.timeIntervalSinceNow < -emptySecondsMost,
                // What cannot be read is not ours to remove.
                let names = try? FileManager.default.contentsOfDirectory(atPath: path),
                names.isEmpty
            {
                // Another load may have been faster.
                try? FileManager.default.removeItem(atPath: path)
                continue
            }
            guard FileManager.default.fileExists(atPath: "\(path)/\(lockName)"),
                // Its load lives.
                let lock = try? FileLock("\(path)/\(lockName)")
            else { continue }
            remove(path)
            withExtendedLifetime(lock) {}
        }
    }

    /// Removes a directory, its lock last: one that was removed in part is the next load's to
    /// remove.
    private static func remove(_ path: String) {
        // One that has gone has nothing to remove.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name != lockName {
            // What cannot be removed keeps the directory, and its lock with it.
            guard (try? FileManager.default.removeItem(atPath: "\(path)/\(name)")) != nil else {
                return
            }
        }
        // The same.
        try? FileManager.default.removeItem(atPath: path)
    }
}
