import Foundation
import FresnelSystem

/// What the program remembers for the person at the terminal, in files that only they can read.
///
/// `$XDG_STATE_HOME/fresnel`, or `~/.local/state/fresnel`. Nothing depends on it: where it cannot
/// be written, nothing is remembered.
enum PersonalState {
    /// The path of a file of that name, its directory made; nil where there is no place for it.
    static func path(_ name: String) -> String? {
        let environment = ProcessInfo.processInfo.environment
        // By the XDG specification a relative path counts as none.
        let given = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? "\($0)/.local/state" : nil }
        guard let parent = given ?? home else { return nil }
        let directory = "\(parent)/fresnel"
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            return nil
        }
        return "\(directory)/\(name)"
    }

    /// Replaces a file by another content; false where that did not work.
    static func write(_ data: Data, to path: String) -> Bool {
        let new = "\(path).\(ProcessInfo.processInfo.processIdentifier)"
        let made = FileManager.default.createFile(
            atPath: new, contents: data, attributes: [.posixPermissions: 0o600])
        do {
            guard made else { return false }
            try DiskStorage().rename(new, to: path)
            return true
        } catch {
            // What could not be made need not be removed.
            try? FileManager.default.removeItem(atPath: new)
            return false
        }
    }
}
