import Foundation
import FresnelSystem
import Glibc

/// A temporary directory of a load, removed with it; if the load is killed, by the next one.
///
/// A lock in it is held for as long as the load's process lives. Who can take the lock of another
/// directory knows that nobody is left who would remove that.
enum LoadDirectory {
    private static let prefix = "fresnel-load-"
    private static let lockName = "lock"

    /// Makes one, lends its path to `body`, and removes it in any case.
    static func with<Answer>(
        _ body: (_ path: String) async throws -> Answer
    ) async throws -> Answer {
        let temporary = FileManager.default.temporaryDirectory
        removeAbandoned(in: temporary.path)
        let directory = temporary.appendingPathComponent("\(prefix)\(UUID().uuidString.prefix(8))")
        let path = directory.path
        // What cannot be removed stays in the directory for temporary files.
        defer { try? FileManager.default.removeItem(atPath: path) }
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
                (status[.ownerAccountID] as? NSNumber)?.uint32Value == geteuid(),
                FileManager.default.fileExists(atPath: "\(path)/\(lockName)"),
                // Its load lives.
                let lock = try? FileLock("\(path)/\(lockName)")
            else { continue }
            // What cannot be removed is tried again by the next load.
            try? FileManager.default.removeItem(atPath: path)
            withExtendedLifetime(lock) {}
        }
    }
}
