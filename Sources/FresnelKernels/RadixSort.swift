/// A stable sort of numbers by unsigned keys, byte by byte from the lowest.
///
/// It is the LSD radix sort of Knuth, The Art of Computer Programming, volume 3, section 5.2.5.
/// Bytes that all keys share are passed over: whole numbers as doubles have few others.
package enum RadixSort {
    /// A number and what it is sorted by.
    package struct Entry: BitwiseCopyable, Hashable, Sendable {
        package var key: UInt64
        package var value: UInt32

        @inlinable @inline(__always)
        package init(key: UInt64, value: UInt32) {
            self.key = key
            self.value = value
        }
    }

    /// Sorts entries by key; those of equal keys stay in their order.
    package static func sort(_ entries: inout [Entry]) {
        let counts = histograms(entries)
        var other = [Entry](repeating: Entry(key: 0, value: 0), count: entries.count)
        for digit in 0..<8 where !isShared(digit, counts, of: entries.count) {
            var next = starts(digit, counts)
            move(entries, by: UInt64(digit) << 3, &next, to: &other)
            swap(&entries, &other)
        }
    }

    /// How often each byte occurs at each of the eight places.
    private static func histograms(_ entries: [Entry]) -> [UInt32] {
        var counts = [UInt32](repeating: 0, count: 8 << 8)
        var target = counts.mutableSpan
        for entry in entries {
            var rest = entry.key
            for digit in 0..<8 {
                target[digit << 8 | Int(rest & 0xFF)] &+= 1
                rest >>= 8
            }
        }
        return counts
    }

    private static func isShared(_ digit: Int, _ counts: [UInt32], of count: Int) -> Bool {
        counts[digit << 8..<(digit + 1) << 8].contains { Int($0) == count }
    }

    /// Where the entries with each byte begin.
    private static func starts(_ digit: Int, _ counts: [UInt32]) -> InlineArray<256, UInt32> {
        var starts = InlineArray<256, UInt32>(repeating: 0)
        var sum: UInt32 = 0
        for byte in 0..<256 {
            starts[byte] = sum
            sum &+= counts[digit << 8 | byte]
        }
        return starts
    }

    private static func move(
        _ entries: [Entry], by shift: UInt64, _ next: inout InlineArray<256, UInt32>,
        to other: inout [Entry]
    ) {
        var target = other.mutableSpan
        for entry in entries {
            let byte = Int(entry.key &>> shift & 0xFF)
            target[Int(next[byte])] = entry
            next[byte] &+= 1
        }
    }
}
