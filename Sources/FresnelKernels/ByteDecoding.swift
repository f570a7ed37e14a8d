// Reading foreign bytes. Every read checks its bounds once, throws what is missing and where, and
// moves on only when it succeeded. No input traps; nothing is allocated before its length has been
// compared with what is there. Integers are little endian; doubles travel as their bit patterns.

/// Bytes that are read from front to back.
package protocol ByteDecoding: ~Copyable, ~Escapable {
    /// The offset of the next byte.
    var offset: Int { get }
    /// The offset where the bytes end.
    var end: Int { get }
    /// Moves `count` bytes on; `count` is 0...`end - offset`.
    mutating func advance(by count: Int)
    /// The byte at an offset that lies in 0..<`end`.
    func byte(at offset: Int) -> UInt8
    /// A copy of the bytes of a range that lies in 0..<`end`.
    func copy(_ range: Range<Int>) -> [UInt8]
    /// The text of a range that lies in 0..<`end`, or nil when it is not UTF-8.
    func text(_ range: Range<Int>) -> String?
}

extension ByteDecoding where Self: ~Copyable & ~Escapable {
    /// How many bytes are left.
    @inlinable
    package var remaining: Int { end - offset }

    /// Throws unless `count` bytes are left; a negative count never fits.
    @inlinable
    package func require(_ count: Int) throws(KernelError) {
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
    @inlinable
    package mutating func skip(_ count: Int) throws(KernelError) {
        try require(count)
        advance(by: count)
    }

    /// Reads one byte.
    @inlinable
    package mutating func readUInt8() throws(KernelError) -> UInt8 {
        try require(1)
        let value = byte(at: offset)
        advance(by: 1)
        return value
    }

    /// Reads two bytes.
    @inlinable
    package mutating func readUInt16() throws(KernelError) -> UInt16 {
        UInt16(truncatingIfNeeded: try readLittleEndian(2))
    }

    /// Reads four bytes.
    @inlinable
    package mutating func readUInt32() throws(KernelError) -> UInt32 {
        UInt32(truncatingIfNeeded: try readLittleEndian(4))
    }

    /// Reads eight bytes.
    @inlinable
    package mutating func readUInt64() throws(KernelError) -> UInt64 {
        try readLittleEndian(8)
    }

    /// Reads eight bytes as a signed number.
    @inlinable
    package mutating func readInt64() throws(KernelError) -> Int64 {
        Int64(bitPattern: try readLittleEndian(8))
    }

    /// Reads the bit pattern of a double; any pattern is a double, also NaN.
    @inlinable
    package mutating func readDouble() throws(KernelError) -> Double {
        Double(bitPattern: try readLittleEndian(8))
    }

    @inlinable
    package mutating func readLittleEndian(_ count: Int) throws(KernelError) -> UInt64 {
        try require(count)
        var value: UInt64 = 0
        for position in 0..<count {
            value |= UInt64(byte(at: offset &+ position)) &<< UInt64(8 &* position)
        }
        advance(by: count)
        return value
    }
}
