import Glibc

/// The order of byte strings: unsigned bytes from the front, a prefix before what it begins.
package enum ByteOrder {
    /// Below, equal to or above zero as `left` is below, equal to or above `right`.
    package static func compare(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Int {
        let shared = min(left.count, right.count)
        guard shared > 0 else { return left.count - right.count }
        let difference = unsafe left.withUnsafeBytes { leftBytes in
            unsafe right.withUnsafeBytes { rightBytes in
                // Both hold at least `shared` bytes, and as `shared` > 0 neither address is nil.
                guard let leftStart = leftBytes.baseAddress, let rightStart = rightBytes.baseAddress
                else { return Int32(0) }
                return unsafe memcmp(leftStart, rightStart, shared)
            }
        }
        return difference == 0 ? left.count - right.count : Int(difference)
    }

    /// The same of parts of two arrays.
    package static func compare(
        _ left: [UInt8], _ leftRange: Range<Int>, _ right: [UInt8], _ rightRange: Range<Int>
    ) -> Int {
        compare(left.span.extracting(leftRange), right.span.extracting(rightRange))
    }

    /// The first eight bytes as a number that orders like them; zeros where there are fewer.
    package static func leadingWord(of bytes: Span<UInt8>) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<min(8, bytes.count) {
            word |= UInt64(bytes[index]) &<< UInt64(56 &- 8 &* index)
        }
        return word
    }

    /// Whether `bytes` begins with `prefix`.
    package static func hasPrefix(_ bytes: Span<UInt8>, _ prefix: Span<UInt8>) -> Bool {
        bytes.count >= prefix.count
            && compare(bytes.extracting(first: prefix.count), prefix) == 0
    }
}
