import FresnelCluster
import FresnelKernels
import FresnelSystem

/// The file `worker-identity`: 128 bits of chance that tell a worker's directory from every other.
///
/// 32 hexadecimal digits, a line feed, `xxh3 ` with 16 hexadecimal digits (XXH3-64 of the first
/// 32), a line feed: `Documentation/file-formats.md`.
struct WorkerIdentityFile: Equatable {
    /// The file's name in a worker's directory.
    static let fileName = "worker-identity"

    let identity: DirectoryIdentity

    init(_ identity: DirectoryIdentity) { self.identity = identity }

    /// Reads a file; nil when it is damaged.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(
            separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        guard lines[0].count == 32,
            let high = UInt64(String(decoding: lines[0].prefix(16), as: UTF8.self), radix: 16),
            let low = UInt64(String(decoding: lines[0].suffix(16), as: UTF8.self), radix: 16)
        else { return nil }
        identity = DirectoryIdentity(high: high, low: low)
        guard bytes == encoded, identity != .unknown else { return nil }
    }

    var encoded: [UInt8] {
        let digits = Self.digits(identity.high) + Self.digits(identity.low)
        return Array("\(digits)\nxxh3 \(Self.digits(Hash.checksum(of: Array(digits.utf8))))\n".utf8)
    }

    private static func digits(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension WorkerDirectory {
    /// The directory's identity: the kept one, or a new one that is kept from now on.
    ///
    /// Where it cannot be read or kept, the process has one for itself alone: it proves less to
    /// the broker than it could, and works.
    func identity(chance: any RandomSource) -> DirectoryIdentity {
        let file = FilePath.join(path, WorkerIdentityFile.fileName)
        // A damaged or unreadable one proves nothing any more; a new one takes its place.
        if let bytes = try? storage.read(file), let kept = WorkerIdentityFile(bytes) {
            return kept.identity
        }
        let drawn = DirectoryIdentity(high: chance.next() | 1, low: chance.next())
        // A full disk keeps nobody from starting: the next start writes it, then.
        try? storage.replaceFile(file, with: WorkerIdentityFile(drawn).encoded)
        return drawn
    }
}
