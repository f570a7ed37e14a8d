import Foundation

/// All files of the project that people write, without what is built or ignored.
struct Project: Sendable {
    let files: [TextFile]
    /// Paths of what is no text: pictures, to which documents may lead.
    var others: Set<String> = []

    /// Read once for all tests.
    static let current = Result { try read() }

    /// The project that this test belongs to, also when it is reached through a link.
    static let root = URL(filePath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Folders whose contents are somebody's product or nobody's.
    private static let skippedFolders: Set<String> = [
        ".git", ".swiftpm", "fresnel-data", "fresnel-demo", "__pycache__",
    ]

    /// Endings of files that hold data and follow rules of their own.
    static let dataEndings: Set<String> = ["ndjson", "jsonl", "json", "csv", "hex", "txt"]

    private static func read() throws -> Project {
        var files: [TextFile] = []
        var others: Set<String> = []
        var folders = [""]
        while let folder = folders.popLast() {
            let entries = try FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: [.isDirectoryKey])
            for entry in entries {
                let name = entry.lastPathComponent
                let path = folder.isEmpty ? name : "\(folder)/\(name)"
                if try entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true {
                    let isSkipped = skippedFolders.contains(name) || name.hasPrefix(".build")
                    if !isSkipped { folders.append(path) }
                } else if name != "Package.resolved" {
                    if let text = String(bytes: try Data(contentsOf: entry), encoding: .utf8) {
                        files.append(TextFile(path: path, text: text))
                    } else {
                        others.insert(path)
                    }
                }
            }
        }
        return Project(files: files.sorted { $0.path < $1.path }, others: others)
    }

    /// Whether there is a file or folder of this name.
    func contains(_ path: String) -> Bool {
        others.contains(path) || files.contains { $0.path == path || $0.path.hasPrefix(path + "/") }
    }

    /// The rooms: folders of `Sources`.
    var rooms: Set<String> {
        Set(files.lazy.filter { $0.path.hasPrefix("Sources/") }.map(\.room))
    }
}
