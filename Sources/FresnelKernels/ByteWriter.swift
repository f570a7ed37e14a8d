/// Builds bytes from front to back, the counterpart of `ByteReader`.
///
/// Integers are little endian, lengths LEB128, doubles bit patterns.
package struct ByteWriter: Sendable {
    /// What has been written so far.
    package var bytes: [UInt8]

    /// Starts empty, with room for `capacity` bytes.
    package init(capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// How many bytes have been written.
    package var count: Int { bytes.count }

    /// Writes one byte.
    package mutating func write(_ value: UInt8) { bytes.append(value) }

    /// Writes two bytes.
    package mutating func write(_ value: UInt16) {
        writeLittleEndian(UInt64(value), count: 2)
    }

    /// Writes four bytes.
    package mutating func write(_ value: UInt32) {
        writeLittleEndian(UInt64(value), count: 4)
    }

    /// Writes eight bytes.
    package mutating func write(_ value: UInt64) {
        writeLittleEndian(value, count: 8)
    }

    /// Writes eight bytes of a signed number.
    package mutating func write(_ value: Int64) {
        writeLittleEndian(UInt64(bitPattern: value), count: 8)
    }

    /// Writes the bit pattern of a double.
    package mutating func write(_ value: Double) {
        writeLittleEndian(value.bitPattern, count: 8)
    }

    /// Writes a LEB128 integer of 1...10 bytes.
    package mutating func writeVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a zigzag LEB128 integer: small magnitudes of either sign are short.
    package mutating func writeZigzag(_ value: Int64) {
        writeVarint(UInt64(bitPattern: (value &<< 1) ^ (value &>> 63)))
    }

    /// Writes bytes without their length.
    package mutating func writeRaw(_ value: [UInt8]) { bytes.append(contentsOf: value) }

    /// Writes borrowed bytes without their length.
    package mutating func writeRaw(_ value: Span<UInt8>) { bytes.append(copying: value) }

    /// Writes zeros until the count is a multiple of `alignment`, a power of two.
    package mutating func pad(to alignment: Int) {
        precondition(alignment > 0 && alignment & (alignment - 1) == 0, "align to \(alignment)")
        let missing = (alignment - bytes.count & (alignment - 1)) & (alignment - 1)
        bytes.append(contentsOf: repeatElement(0, count: missing))
    }

    /// Puts eight bytes over earlier ones, for a checksum or length known only later.
    package mutating func overwrite(_ value: UInt64, at offset: Int) {
        precondition(offset >= 0 && offset + 8 <= bytes.count, "overwrite at \(offset)")
        for position in 0..<8 {
            bytes[offset + position] = UInt8(truncatingIfNeeded: value >> UInt64(8 * position))
        }
    }

    private mutating func writeLittleEndian(_ value: UInt64, count: Int) {
        for position in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: value &>> UInt64(8 &* position)))
        }
    }
}
