extension ByteDecoding where Self: ~Copyable & ~Escapable {
    /// Reads a LEB128 integer of 1...10 bytes.
    ///
    /// - Throws: `oversizedInteger` for more than 64 bits; padded forms (`80 00`) are accepted.
    @inlinable
    package mutating func readVarint() throws(KernelError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var position = start
        while position < end {
            let next = byte(at: position)
            position &+= 1
            guard shift < 63 || next <= 1 else { throw .oversizedInteger(offset: start) }
            value |= UInt64(next & 0x7F) &<< shift
            if next < 0x80 {
                advance(by: position - start)
                return value
            }
            shift &+= 7
        }
        throw .truncated(offset: end, needed: 1)
    }

    /// Reads a LEB128 integer that must fit 32 bits.
    @inlinable
    package mutating func readVarint32() throws(KernelError) -> UInt32 {
        let start = offset
        let value = try readVarint()
        guard let narrow = UInt32(exactly: value) else { throw .oversizedInteger(offset: start) }
        return narrow
    }

    /// Reads a zigzag LEB128 integer: 0, -1, 1, -2 … were written as 0, 1, 2, 3 ….
    @inlinable
    package mutating func readZigzag() throws(KernelError) -> Int64 {
        let value = try readVarint()
        return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
    }

    /// Reads a number of things to come, each at least `bytesEach` bytes long.
    ///
    /// A count that the remaining bytes cannot hold is refused before anything is allocated for it.
    package mutating func readCount(limit: Int, bytesEach: Int = 1) throws(KernelError) -> Int {
        let start = offset
        let value = try readVarint()
        guard let count = Int(exactly: value), count <= limit else {
            throw .overLimit(offset: start, length: value, limit: limit)
        }
        let (bytes, overflow) = count.multipliedReportingOverflow(by: bytesEach)
        guard !overflow, bytes <= remaining else {
            throw .truncated(offset: end, needed: overflow ? Int.max : bytes - remaining)
        }
        return count
    }

    /// Reads `count` bytes.
    package mutating func readBytes(count: Int) throws(KernelError) -> [UInt8] {
        try require(count)
        let bytes = copy(offset..<offset + count)
        advance(by: count)
        return bytes
    }

    /// Reads a LEB128 length of at most `limit` and as many bytes.
    package mutating func readBytes(limit: Int) throws(KernelError) -> [UInt8] {
        try readBytes(count: try readLength(limit: limit))
    }

    /// Reads a LEB128 length of at most `limit` and as many bytes of UTF-8.
    package mutating func readString(limit: Int) throws(KernelError) -> String {
        let length = try readLength(limit: limit)
        try require(length)
        guard let string = text(offset..<offset + length) else {
            throw .invalidText(offset: offset)
        }
        advance(by: length)
        return string
    }

    private mutating func readLength(limit: Int) throws(KernelError) -> Int {
        let start = offset
        let value = try readVarint()
        guard let length = Int(exactly: value), length <= limit else {
            throw .overLimit(offset: start, length: value, limit: limit)
        }
        return length
    }
}
