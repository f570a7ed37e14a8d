/// Reads an array of bytes, or a part of one, from front to back.
///
/// It keeps the array, so it can be stored; `SpanReader` reads borrowed bytes without owning them.
package struct ByteReader: ByteDecoding, Sendable {
    /// All bytes, also those before and after the part that is read.
    package let bytes: [UInt8]
    /// The offset of the next byte in `bytes`.
    package private(set) var offset: Int
    /// The offset in `bytes` where reading ends.
    package let end: Int

    /// Reads all of `bytes`.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        offset = 0
        end = bytes.count
    }

    /// Reads a part of `bytes`.
    ///
    /// - Throws: `truncated` when the part leaves the array.
    package init(_ bytes: [UInt8], in range: Range<Int>) throws(KernelError) {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else {
            let missing = Swift.max(1, range.upperBound - bytes.count)
            throw .truncated(offset: bytes.count, needed: missing)
        }
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    package mutating func advance(by count: Int) {
        precondition(count >= 0 && count <= end - offset, "advance by \(count) of \(remaining)")
        offset += count
    }

    package func byte(at offset: Int) -> UInt8 { bytes[offset] }

    package func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    package func text(_ range: Range<Int>) -> String? {
        String(validating: bytes[range], as: UTF8.self)
    }
}
