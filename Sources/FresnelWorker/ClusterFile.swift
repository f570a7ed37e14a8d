import FresnelKernels

/// The file `cluster`: of which cluster a worker's directory is.
///
/// 16 hexadecimal digits of the cluster's identity, a line feed, `xxh3 ` with 16 of the XXH3-64 of
/// these digits, a line feed: `Documentation/file-formats.md`.
struct ClusterFile: Equatable {
    /// The file's name in a worker's directory.
    static let fileName = "cluster"

    let cluster: UInt64

    init(_ cluster: UInt64) { self.cluster = cluster }

    /// Reads a file; nil when it is damaged.
    init?(_ bytes: [UInt8]) {
        let digits = String(decoding: bytes.prefix(16), as: UTF8.self)
        guard let cluster = UInt64(digits, radix: 16) else { return nil }
        self.cluster = cluster
        guard bytes == encoded else { return nil }
    }

    var encoded: [UInt8] {
        let digits = Self.digits(of: cluster)
        return Array(
            "\(digits)\nxxh3 \(Self.digits(of: Hash.checksum(of: Array(digits.utf8))))\n".utf8)
    }

    private static func digits(of number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
