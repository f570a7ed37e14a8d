import Foundation

/// Reads whole files.
package enum TextLines {
    package static func read(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: path)))
    }

    package static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    package static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
    }

    /// Kilobytes that the kernel counts for this process under a name of `/proc/self/status`.
    package static func kilobytes(_ name: String) -> Int {
        // Another kernel has no such file: then nothing is known.
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        else { return 0 }
        for line in status.split(separator: "\n") where line.hasPrefix(name + ":") {
            return Int(line.filter(\.isNumber)) ?? 0
        }
        return 0
    }
}
