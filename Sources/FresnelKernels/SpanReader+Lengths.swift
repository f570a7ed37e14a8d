extension SpanReader {
    /// Reads a LEB128 integer of 1...10 bytes.
    ///
    /// - Throws: `oversizedInteger` for more than 64 bits; padded forms (`80 00`) are accepted.
    package mutating func readVarint() throws(KernelError) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var place = start
        while place < end {
            let next = bytes[place]
            place &+= 1
            guard shift < 63 || next <= 1 else { throw .oversizedInteger(offset: start) }
            value |= UInt64(next & 0x7F) &<< shift
            if next < 0x80 {
                position = place
                return value
            }
            shift &+= 7
        }
        throw .truncated(offset: end, needed: 1)
    }

    /// Reads a LEB128 integer that must fit 32 bits.
    package mutating func readVarint32() throws(KernelError) -> UInt32 {
        let start = offset
        let value = try readVarint()
        guard let narrow = UInt32(exactly: value) else {
            position = start
            throw .oversizedInteger(offset: start)
        }
        return narrow
    }

    /// Reads a zigzag LEB128 integer: 0, -1, 1, -2 … were written as 0, 1, 2, 3 ….
    package mutating func readZigzag() throws(KernelError) -> Int64 {
        let value = try readVarint()
        return Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1)))
    }

    /// Reads a number of things to come, each at least `bytesEach` bytes long.
    ///
    /// A count that the remaining bytes cannot hold is refused before anything is allocated for it.
    package mutating func readCount(limit: Int, bytesEach: Int = 1) throws(KernelError) -> Int {
        let start = offset
        let count = try readLength(limit: limit)
        let (bytes, overflow) = count.multipliedReportingOverflow(by: bytesEach)
        guard !overflow, bytes <= remaining else {
            defer { position = start }
            throw .truncated(offset: end, needed: overflow ? Int.max : bytes - remaining)
        }
        return count
    }

    /// Reads `count` bytes.
    package mutating func readBytes(count: Int) throws(KernelError) -> [UInt8] {
        try require(count)
        let copied = [UInt8](copying: bytes.extracting(offset..<offset + count))
        position += count
        return copied
    }

    /// Reads a LEB128 length of at most `limit` and as many bytes.
    package mutating func readBytes(limit: Int) throws(KernelError) -> [UInt8] {
        let start = offset
        let length = try readLength(limit: limit)
        guard length <= remaining else {
            defer { position = start }
            throw .truncated(offset: end, needed: length - remaining)
        }
        return try readBytes(count: length)
    }

    /// Reads a LEB128 length of at most `limit` and as many bytes of UTF-8.
    package mutating func readString(limit: Int) throws(KernelError) -> String {
        let start = offset
        let length = try readLength(limit: limit)
        guard length <= remaining else {
            defer { position = start }
            throw .truncated(offset: end, needed: length - remaining)
        }
        let text: UTF8Span
        do {
            text = try UTF8Span(validating: bytes.extracting(offset..<offset + length))
        } catch {
            defer { position = start }
            throw .invalidText(offset: offset)
        }
        position += length
        return String(copying: text)
    }

    private mutating func readLength(limit: Int) throws(KernelError) -> Int {
        let start = offset
        let value = try readVarint()
        guard let length = Int(exactly: value), length <= limit else {
            position = start
            throw .overLimit(offset: start, length: value, limit: limit)
        }
        return length
    }
}
