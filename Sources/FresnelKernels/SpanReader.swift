/// Reads borrowed bytes from front to back.
package struct SpanReader: ByteDecoding, ~Escapable {
    /// The bytes that are read.
    package let bytes: Span<UInt8>
    /// The offset of the next byte.
    package private(set) var offset: Int

    /// Reads all of `bytes`.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        offset = 0
    }

    /// The number of bytes.
    package var end: Int { bytes.count }

    package mutating func advance(by count: Int) {
        precondition(count >= 0 && count <= end - offset, "advance by \(count) of \(remaining)")
        offset += count
    }

    package func byte(at offset: Int) -> UInt8 { bytes[offset] }

    package func copy(_ range: Range<Int>) -> [UInt8] {
        [UInt8](copying: bytes.extracting(range))
    }

    package func text(_ range: Range<Int>) -> String? {
        guard let text = try? UTF8Span(validating: bytes.extracting(range)) else { return nil }
        return String(copying: text)
    }
}
