import FresnelCluster
import FresnelKernels

/// The file `worker-name`: under which name the broker placed what a directory holds.
///
/// The name, a line feed, `xxh3 ` with 16 hexadecimal digits (XXH3-64 of the name), a line feed:
/// `Documentation/file-formats.md`. Files of before version 0.1 hold the name alone.
struct WorkerNameFile: Equatable {
    /// The file's name in a worker's directory.
    static let fileName = "worker-name"

    let name: String
    /// Whether the file had a checksum.
    let isProved: Bool

    init(_ name: String) {
        self.name = name
        isProved = true
    }

    /// Reads a file; nil when it is damaged, or holds no worker's name.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let name = String(decoding: lines[0], as: UTF8.self)
        guard WorkerTable.isValid(name: name) else { return nil }
        self.name = name
        isProved = lines.count > 1
        guard !isProved || bytes == encoded else { return nil }
    }

    var encoded: [UInt8] {
        let digits = String(Hash.checksum(of: Array(name.utf8)), radix: 16)
        let padding = String(repeating: "0", count: 16 - digits.count)
        return Array("\(name)\nxxh3 \(padding)\(digits)\n".utf8)
    }
}
