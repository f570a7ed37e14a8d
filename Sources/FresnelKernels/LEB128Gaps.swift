/// Ascending numbers as LEB128 gaps: each the distance to the least number possible, which is the
/// number before plus one.
package enum LEB128Gaps {
    /// Appends one gap.
    package static func append(_ gap: UInt32, to bytes: inout [UInt8]) {
        var rest = gap
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The most bytes of one gap.
    package static let byteLimit = 5

    /// The same where there is room for one.
    @inlinable @inline(__always)
    package static func append(_ gap: UInt32, to bytes: inout OutputSpan<UInt8>) {
        var rest = gap
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// The numbers of some bytes, ascending, at most so many; damaged bytes give fewer or wrong
    /// ones.
    package static func numbers(_ bytes: Span<UInt8>, atMost count: Int = .max) -> [UInt32] {
        var numbers: [UInt32] = []
        numbers.reserveCapacity(min(bytes.count, count))
        var base: UInt32 = 0
        var value: UInt32 = 0
        var shift: UInt32 = 0
        for index in bytes.indices {
            let byte = bytes[index]
            value |= UInt32(byte & 0x7F) &<< shift
            guard byte < 0x80 else {
                shift &+= 7
                continue
            }
            base &+= value
            numbers.append(base)
            if numbers.count == count { break }
            base &+= 1
            value = 0
            shift = 0
        }
        return numbers
    }
}
