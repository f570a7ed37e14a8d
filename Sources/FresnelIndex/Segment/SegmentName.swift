package import FresnelKernels

/// The name of a segment: the hash of its bytes, so that a file cannot lie about its contents.
package struct SegmentName: Hashable, Comparable, Sendable {
    /// XXH3 with 128 bits over the whole file.
    package let hash: Hash128

    /// Wraps a hash.
    package init(_ hash: Hash128) { self.hash = hash }

    /// Names bytes.
    package init(of bytes: Span<UInt8>) { hash = Hash.digest(of: bytes) }

    /// Reads a file name as `fileName` writes it, or nil.
    package init?(fileName: String) {
        guard fileName.hasSuffix(Self.suffix),
            let hash = Hash128(hexadecimal: String(fileName.dropLast(Self.suffix.count)))
        else { return nil }
        self.hash = hash
    }

    /// 32 hexadecimal digits and `.seg`.
    package var fileName: String { "\(hash)\(Self.suffix)" }

    private static let suffix = ".seg"

    /// The smaller hash is the lesser.
    package static func < (lhs: SegmentName, rhs: SegmentName) -> Bool { lhs.hash < rhs.hash }
}

extension SegmentName: CustomStringConvertible {
    /// The hexadecimal digits.
    package var description: String { hash.description }
}
