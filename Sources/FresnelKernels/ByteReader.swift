/// Reads an array of bytes, or a part of one, from front to back.
///
/// It keeps the array, so it can be stored; each call is that of `SpanReader`, which reads borrowed
/// bytes and says what each one accepts.
package struct ByteReader: Sendable {
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

    /// How many bytes are left.
    package var remaining: Int { end - offset }

    /// Throws unless everything has been read.
    package func requireEnd() throws(KernelError) {
        guard remaining == 0 else {
            throw .trailingBytes(offset: offset, count: remaining)
        }
    }

    /// Passes over `count` bytes.
    package mutating func skip(_ count: Int) throws(KernelError) {
        try read { (reader) throws(KernelError) in try reader.skip(count) }
    }

    /// Reads one byte.
    package mutating func readUInt8() throws(KernelError) -> UInt8 {
        try read { (reader) throws(KernelError) in try reader.readUInt8() }
    }

    /// Reads two bytes.
    package mutating func readUInt16() throws(KernelError) -> UInt16 {
        try read { (reader) throws(KernelError) in try reader.readUInt16() }
    }

    /// Reads four bytes.
    package mutating func readUInt32() throws(KernelError) -> UInt32 {
        try read { (reader) throws(KernelError) in try reader.readUInt32() }
    }

    /// Reads eight bytes.
    package mutating func readUInt64() throws(KernelError) -> UInt64 {
        try read { (reader) throws(KernelError) in try reader.readUInt64() }
    }

    /// Reads eight bytes as a signed number.
    package mutating func readInt64() throws(KernelError) -> Int64 {
        try read { (reader) throws(KernelError) in try reader.readInt64() }
    }

    /// Reads the bit pattern of a double; any pattern is a double, also NaN.
    package mutating func readDouble() throws(KernelError) -> Double {
        try read { (reader) throws(KernelError) in try reader.readDouble() }
    }

    /// Reads a LEB128 integer of 1...10 bytes.
    package mutating func readVarint() throws(KernelError) -> UInt64 {
        try read { (reader) throws(KernelError) in try reader.readVarint() }
    }

    /// Reads a LEB128 integer that must fit 32 bits.
    package mutating func readVarint32() throws(KernelError) -> UInt32 {
        try read { (reader) throws(KernelError) in try reader.readVarint32() }
    }

    /// Reads a zigzag LEB128 integer.
    package mutating func readZigzag() throws(KernelError) -> Int64 {
        try read { (reader) throws(KernelError) in try reader.readZigzag() }
    }

    /// Reads a number of things to come, each at least `bytesEach` bytes long.
    package mutating func readCount(limit: Int, bytesEach: Int = 1) throws(KernelError) -> Int {
        try read { (reader) throws(KernelError) in
            try reader.readCount(limit: limit, bytesEach: bytesEach)
        }
    }

    /// Reads `count` bytes.
    package mutating func readBytes(count: Int) throws(KernelError) -> [UInt8] {
        try read { (reader) throws(KernelError) in try reader.readBytes(count: count) }
    }

    /// Reads a LEB128 length of at most `limit` and as many bytes.
    package mutating func readBytes(limit: Int) throws(KernelError) -> [UInt8] {
        try read { (reader) throws(KernelError) in try reader.readBytes(limit: limit) }
    }

    /// Reads a LEB128 length of at most `limit` and as many bytes of UTF-8.
    package mutating func readString(limit: Int) throws(KernelError) -> String {
        try read { (reader) throws(KernelError) in try reader.readString(limit: limit) }
    }

    /// A copy of a part of `bytes`, wherever reading stands.
    package func copy(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    /// The text of a part of `bytes`, wherever reading stands, or nil when it is not UTF-8.
    package func text(_ range: Range<Int>) -> String? {
        // Not UTF-8 is the caller's error to make.
        guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else {
            return nil
        }
        return String(copying: text)
    }

    /// Lends the rest to a `SpanReader` and moves on as far as that went.
    @inline(__always)
    private mutating func read<Answer>(
        _ body: (inout SpanReader) throws(KernelError) -> Answer
    ) throws(KernelError) -> Answer {
        var reader = SpanReader(bytes.span, from: offset, to: end)
        let answer = try body(&reader)
        offset = reader.offset
        return answer
    }
}
