import Glibc

// Finding a short byte string in a long one: compare the needle's first and last byte with sixteen
// places at once, and look closer only where both agree. (W. Muła, "SIMD-friendly algorithms for
// substring searching", 2016.) For text this beats cleverer automata up to dozens of bytes.

/// Substring search over bytes.
package enum ByteSearch {
    /// Whether some byte is 0.
    package static func hasZero(_ bytes: Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return false }
            // As many bytes as there are.
            return unsafe memchr(start, 0, buffer.count) != nil
        }
    }

    /// Whether every byte is below 128.
    package static func isASCII(_ bytes: Span<UInt8>) -> Bool {
        var sum: UInt8 = 0
        for index in bytes.indices { sum |= bytes[index] }
        return sum < 0x80
    }

    /// The first offset at or after `start` where `needle` occurs, or nil; an empty needle occurs
    /// at every offset up to the end.
    package static func firstOffset(
        of needle: Span<UInt8>, in haystack: Span<UInt8>, from start: Int = 0
    ) -> Int? {
        let first = max(0, start)
        guard needle.count <= haystack.count, first <= haystack.count - needle.count else {
            return nil
        }
        guard needle.count > 0 else { return first }
        return unsafe haystack.withUnsafeBytes { text in
            unsafe needle.withUnsafeBytes { pattern in
                unsafe scan(text, for: pattern, from: first)
            }
        }
    }

    /// Here `pattern` is neither empty nor longer than `text`, and `start` leaves room for it.
    private static func scan(
        _ text: UnsafeRawBufferPointer, for pattern: UnsafeRawBufferPointer, from start: Int
    ) -> Int? {
        guard let base = text.baseAddress else { return nil }
        let reach = pattern.count - 1
        let lastStart = text.count - pattern.count
        let head = SIMD16<UInt8>(repeating: unsafe pattern[0])
        let tail = SIMD16<UInt8>(repeating: unsafe pattern[reach])
        var position = start
        // Invariant: position + reach + 16 <= text.count, so both loads stay inside.
        while position &+ 15 <= lastStart {
            let heads = unsafe base.loadUnaligned(
                fromByteOffset: position, as: SIMD16<UInt8>.self)
            let tails = unsafe base.loadUnaligned(
                fromByteOffset: position &+ reach, as: SIMD16<UInt8>.self)
            // 0xFF where both bytes agree, taken as two words to find the places without a loop.
            let agreement = (heads .== head) .& (tails .== tail)
            let words = unsafe unsafeBitCast(agreement, to: SIMD2<UInt64>.self)
            if words[0] | words[1] != 0 {
                for half in 0..<2 {
                    var rest = words[half].littleEndian
                    while rest != 0 {
                        let lane = rest.trailingZeroBitCount &>> 3
                        let place = position &+ half &* 8 &+ lane
                        if unsafe matches(text, pattern, at: place) { return place }
                        rest &= ~(0xFF &<< UInt64(8 &* lane))
                    }
                }
            }
            position &+= 16
        }
        while position <= lastStart {
            if unsafe matches(text, pattern, at: position) { return position }
            position &+= 1
        }
        return nil
    }

    /// `at + pattern.count` is at most `text.count`.
    @inline(__always)
    private static func matches(
        _ text: UnsafeRawBufferPointer, _ pattern: UnsafeRawBufferPointer, at offset: Int
    ) -> Bool {
        for index in 0..<pattern.count where unsafe text[offset &+ index] != pattern[index] {
            return false
        }
        return true
    }
}
