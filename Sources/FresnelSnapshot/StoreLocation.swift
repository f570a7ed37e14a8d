/// Where a store is: a directory, or a bucket with a prefix.
package struct StoreLocation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// An absolute path, the same for everybody who uses the store.
        case directory(String)
        /// A bucket, and what stands before every name: empty, or without a `/` at its ends.
        case bucket(String, prefix: String)
    }

    package let kind: Kind

    /// The text, as it was given.
    package let text: String

    /// Reads `/path`, `file:///path` or `s3://bucket/prefix`.
    ///
    /// - Parameter text: at most 1024 bytes.
    /// - Throws: `invalidLocation` with the rule that it breaks.
    package init(_ text: String) throws(SnapshotError) {
        self.text = text
        guard text.utf8.count <= 1024, !text.unicodeScalars.contains(where: { $0.value < 32 })
        else { throw .invalidLocation(text, reason: "it is too long, or has control characters") }
        if let rest = Self.rest(of: text, behind: "s3://") {
            kind = try Self.bucket(rest, text)
            return
        }
        let path = Self.rest(of: text, behind: "file://") ?? text
        guard path.hasPrefix("/") else {
            throw .invalidLocation(
                text, reason: "give an absolute path, or s3://BUCKET/PREFIX")
        }
        guard !path.split(separator: "/").contains("..") else {
            throw .invalidLocation(text, reason: "write the path without ..")
        }
        kind = .directory(path)
    }

    private static func rest(of text: String, behind prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }

    private static func bucket(_ rest: String, _ text: String) throws(SnapshotError) -> Kind {
        let parts = rest.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        guard let bucket = parts.first, (3...63).contains(bucket.utf8.count),
            bucket.utf8.allSatisfy({ isSmall($0) || $0 == 45 || $0 == 46 }),
            let first = bucket.utf8.first, isSmall(first)
        else {
            throw .invalidLocation(
                text, reason: "a bucket's name is 3 to 63 of a-z 0-9 . - behind s3://")
        }
        let prefix = parts.dropFirst()
        guard prefix.allSatisfy({ $0.utf8.allSatisfy(isPlain) && $0 != ".." && $0 != "." }) else {
            throw .invalidLocation(
                text, reason: "a prefix is made of A-Z a-z 0-9 . _ - and / here")
        }
        return .bucket(bucket, prefix: prefix.joined(separator: "/"))
    }

    private static func isSmall(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        isSmall(byte) || (65...90).contains(byte) || [45, 46, 95].contains(byte)
    }
}

extension StoreLocation: CustomStringConvertible {
    /// The text, as it was given.
    package var description: String { text }
}
