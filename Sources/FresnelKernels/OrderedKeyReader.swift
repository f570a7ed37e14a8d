/// Reads the numbers at the front of a sort key back, for the scores shown beside hits.
package struct OrderedKeyReader: Sendable {
    private var reader: ByteReader

    /// Reads a key from its first part.
    package init(_ key: OrderedKey) { reader = ByteReader(key.bytes) }

    /// Reads the next part as a number, nil when it is missing.
    ///
    /// - Throws: `truncated` or `invalidByte` when the key does not have a number there.
    package mutating func readNumber(descending: Bool) throws(KernelError) -> Double? {
        try readBits(descending: descending).map(OrderedKey.number(fromSortableBits:))
    }

    /// Reads the next part as a whole number, nil when it is missing.
    package mutating func readInteger(descending: Bool) throws(KernelError) -> UInt64? {
        try readBits(descending: descending)
    }

    /// Reads the next part as the bytes of an ascending string, nil when it is missing.
    ///
    /// - Throws: `truncated` or `invalidByte` when the key does not have a string there.
    package mutating func readString() throws(KernelError) -> [UInt8]? {
        guard try isPresent() else { return nil }
        var bytes: [UInt8] = []
        while true {
            let byte = try reader.readUInt8()
            bytes.append(byte)
            guard byte == 0 else { continue }
            let start = reader.offset
            switch try reader.readUInt8() {
            case 0xFF: break
            case 0:
                bytes.removeLast()
                return bytes
            case let other: throw .invalidByte(offset: start, value: other)
            }
        }
    }

    private mutating func readBits(descending: Bool) throws(KernelError) -> UInt64? {
        guard try isPresent() else { return nil }
        let bits = try reader.readUInt64().byteSwapped
        return descending ? ~bits : bits
    }

    private mutating func isPresent() throws(KernelError) -> Bool {
        let start = reader.offset
        switch try reader.readUInt8() {
        case OrderedKey.missing: return false
        case OrderedKey.present: return true
        case let other: throw .invalidByte(offset: start, value: other)
        }
    }
}
