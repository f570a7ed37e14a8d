/// Up to 128 strictly ascending numbers, stored as gaps in a `ValueBlock`.
///
/// The gap before a number is its distance from the smallest value that was possible there: the
/// number before it plus one, or `floor` for the first. A run of neighbours has gaps of zero and
/// takes one byte. The reader gives the same `floor`, which it knows from the block before.
package enum DeltaBlock {
    /// Appends `numbers`: at most 128, strictly ascending, all at least `floor`.
    ///
    /// - Throws: `notAscending` with the position of the first offender; nothing is written then.
    package static func encode(
        _ numbers: Span<UInt32>, floor: UInt32, into bytes: inout [UInt8]
    ) throws(KernelError) {
        precondition(numbers.count <= BitPacking.blockLength, "a block of \(numbers.count) numbers")
        var gaps = InlineArray<128, UInt32>(repeating: 0)
        var expected = UInt64(floor)
        for index in numbers.indices {
            let number = UInt64(numbers[index])
            guard number >= expected else { throw .notAscending(offset: index) }
            gaps[index] = UInt32(truncatingIfNeeded: number - expected)
            expected = number + 1
        }
        ValueBlock.encode(gaps.span.extracting(0..<numbers.count), into: &bytes)
    }

    /// Reads `count` numbers, 0...128, into the front of `numbers`, moves `offset` behind them.
    ///
    /// - Returns: the floor of the next block: the last number plus one, or `floor` for no numbers.
    ///   It is above `UInt32.max` after the largest number.
    /// - Throws: what `ValueBlock.decode` throws, or `notAscending`; `numbers` is undefined then.
    @discardableResult
    package static func decode(
        _ bytes: Span<UInt8>, at offset: inout Int, count: Int, floor: UInt32,
        into numbers: inout MutableSpan<UInt32>
    ) throws(KernelError) -> UInt64 {
        let start = offset
        let width = try ValueBlock.decode(bytes, at: &offset, count: count, into: &numbers)
        if width <= 24, count == BitPacking.blockLength {
            // The sum of 128 gaps below 2^24 is below 2^31: it can pass 2^32 once, never return.
            PrefixSum.block(&numbers, from: floor, step: 1)
            let last = UInt64(numbers[count - 1])
            guard last >= UInt64(floor) else { throw .notAscending(offset: start) }
            return last + 1
        }
        var expected = UInt64(floor)
        for index in 0..<count {
            let number = expected + UInt64(numbers[index])
            guard number <= UInt64(UInt32.max) else { throw .notAscending(offset: start) }
            numbers[index] = UInt32(truncatingIfNeeded: number)
            expected = number + 1
        }
        return expected
    }
}
