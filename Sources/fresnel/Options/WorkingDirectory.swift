import Foundation

/// Where this command was started.
enum WorkingDirectory {
    /// An absolute path.
    static var path: String { FileManager.default.currentDirectoryPath }

    /// A path from the root, without links as far as it is there.
    static func resolve(_ path: String) -> String {
        var place = URL(fileURLWithPath: path).standardizedFileURL
        var missing: [String] = []
        while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
            missing.insert(place.lastPathComponent, at: 0)
            place.deleteLastPathComponent()
        }
        return missing.reduce(place.resolvingSymlinksInPath()) { $0.appendingPathComponent($1) }
            .path
    }
}
