import Foundation

/// Where this command was started.
enum WorkingDirectory {
    /// An absolute path.
    static var path: String { FileManager.default.currentDirectoryPath }
}
