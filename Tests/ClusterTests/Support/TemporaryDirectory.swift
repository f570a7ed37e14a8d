import Foundation
import Synchronization

/// A directory for one test; removed afterwards.
struct TemporaryDirectory: Sendable {
    let path: String

    private static let counter = Atomic<Int>(0)

    private init() throws {
        let number = Self.counter.add(1, ordering: .relaxed).newValue
        let process = ProcessInfo.processInfo.processIdentifier
        path = FileManager.default.temporaryDirectory.path + "/fresnel-test-\(process)-\(number)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// Lends a new directory to `body`.
    static func with<Answer>(
        _ body: (TemporaryDirectory) async throws -> Answer
    ) async throws -> Answer {
        let directory = try TemporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory.path) }
        return try await body(directory)
    }

    /// Writes a file into it.
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }
}
