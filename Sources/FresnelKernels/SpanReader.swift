// Reading foreign bytes. Every read checks its bounds once, throws what is missing and where, and
// moves on only when it succeeded. No input traps; nothing is allocated before its length has been
// compared with what is there. Integers are little endian; doubles travel as their bit patterns.

/// Reads borrowed bytes from front to back.
package struct SpanReader: ~Escapable {
    /// The bytes that are read.
    package let bytes: Span<UInt8>
    /// The offset where reading ends.
    package let end: Int
    var position: Int

    /// Reads all of `bytes`.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>) {
        self.init(bytes, from: 0, to: bytes.count)
    }

    /// Reads the part from `start` to `end`, which lies inside `bytes`.
    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
        precondition(start >= 0 && start <= end && end <= bytes.count, "\(start)..<\(end)")
        self.bytes = bytes
        self.end = end
        position = start
    }

    /// The offset of the next byte.
    package var offset: Int { position }

    /// How many bytes are left.
    package var remaining: Int { end &- position }

    /// Throws unless `count` bytes are left; a negative count never fits.
    @inline(__always)
    func require(_ count: Int) throws(KernelError) {
        guard count <= remaining else {
            throw .truncated(offset: end, needed: count - remaining)
        }
        guard count >= 0 else {
            throw .overLimit(offset: offset, length: UInt64(bitPattern: Int64(count)), limit: 0)
        }
    }

    /// Throws unless everything has been read.
    package func requireEnd() throws(KernelError) {
        guard remaining == 0 else {
            throw .trailingBytes(offset: offset, count: remaining)
        }
    }

    /// Passes over `count` bytes.
    package mutating func skip(_ count: Int) throws(KernelError) {
        try require(count)
        position &+= count
    }

    /// Reads one byte.
    package mutating func readUInt8() throws(KernelError) -> UInt8 {
        try require(1)
        defer { position &+= 1 }
        return bytes[position]
    }

    /// Reads two bytes.
    package mutating func readUInt16() throws(KernelError) -> UInt16 {
        UInt16(truncatingIfNeeded: try readLittleEndian(2))
    }

    /// Reads four bytes.
    package mutating func readUInt32() throws(KernelError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readLittleEndian(4))
    }

    /// Reads eight bytes.
    package mutating func readUInt64() throws(KernelError) -> UInt64 {
        try readLittleEndian(8)
    }

    /// Reads eight bytes as a signed number.
    package mutating func readInt64() throws(KernelError) -> Int64 {
        Int64(bitPattern: try readLittleEndian(8))
    }

    /// Reads the bit pattern of a double; any pattern is a double, also NaN.
    package mutating func readDouble() throws(KernelError) -> Double {
        Double(bitPattern: try readLittleEndian(8))
    }

    @inline(__always)
    private mutating func readLittleEndian(_ count: Int) throws(KernelError) -> UInt64 {
        try require(count)
        var value: UInt64 = 0
        for index in 0..<count {
            value |= UInt64(bytes[position &+ index]) &<< UInt64(8 &* index)
        }
        position &+= count
        return value
    }
}
