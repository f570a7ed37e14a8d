/// Up to 128 numbers in the shortest of our forms.
///
/// Exactly 128 numbers: one byte of width, then 16 × width packed bytes (`BitPacking`). Fewer, the
/// tail of a list: one LEB128 integer each. The count is known to the reader, not stored.
package enum ValueBlock {
    /// Appends `values`, at most 128.
    package static func encode(_ values: Span<UInt32>, into bytes: inout [UInt8]) {
        precondition(values.count <= BitPacking.blockLength, "a block of \(values.count) numbers")
        if values.count == BitPacking.blockLength {
            let width = BitPacking.width(of: values)
            bytes.append(UInt8(width))
            BitPacking.pack(values, width: width, into: &bytes)
            return
        }
        for index in values.indices {
            var rest = values[index]
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            bytes.append(UInt8(truncatingIfNeeded: rest))
        }
    }

    /// Reads `count` numbers, 0...128, into the front of `values` and moves `offset` behind them.
    ///
    /// - Returns: bits per number for a full block, 32 for a tail; a bound for what was read.
    /// - Throws: `truncated`, `oversizedInteger` or `invalidByte`; `offset` is unmoved then.
    @discardableResult
    package static func decode(
        _ bytes: Span<UInt8>, at offset: inout Int, count: Int,
        into values: inout MutableSpan<UInt32>
    ) throws(KernelError) -> Int {
        precondition(count >= 0 && count <= BitPacking.blockLength, "a block of \(count) numbers")
        precondition(values.count >= count, "room for \(values.count) of \(count) numbers")
        guard offset >= 0 else { throw .truncated(offset: 0, needed: 1) }
        guard count == BitPacking.blockLength else {
            try decodeTail(bytes, at: &offset, count: count, into: &values)
            return 32
        }
        guard offset < bytes.count else { throw .truncated(offset: bytes.count, needed: 1) }
        let width = Int(bytes[offset])
        try BitPacking.unpack(bytes, at: offset + 1, width: width, into: &values)
        offset += 1 + BitPacking.byteCount(width: width)
        return width
    }

    private static func decodeTail(
        _ bytes: Span<UInt8>, at offset: inout Int, count: Int,
        into values: inout MutableSpan<UInt32>
    ) throws(KernelError) {
        var position = offset
        for index in 0..<count {
            let start = position
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while true {
                guard position < bytes.count else {
                    throw .truncated(offset: bytes.count, needed: 1)
                }
                let next = bytes[position]
                position &+= 1
                value |= UInt64(next & 0x7F) &<< shift
                guard value <= UInt64(UInt32.max), shift <= 28 else {
                    throw .oversizedInteger(offset: start)
                }
                if next < 0x80 { break }
                shift &+= 7
            }
            values[index] = UInt32(truncatingIfNeeded: value)
        }
        offset = position
    }
}
