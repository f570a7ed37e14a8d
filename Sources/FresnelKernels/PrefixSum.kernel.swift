// Running sums of 128 numbers, four at a time: each vector is summed inside in two steps (Hillis &
// Steele 1986), and the last sum of one is added to the next.

/// Sums of the numbers up to each place.
package enum PrefixSum {
    /// Replaces each of 128 numbers by `base` and the sum of the numbers up to it, plus `step` for
    /// every number before it; sums wrap.
    ///
    /// There are 128 numbers at `numbers`.
    @inline(__always)
    static func block(_ numbers: UnsafeMutablePointer<UInt32>, from base: UInt32, step: UInt32) {
        let memory = UnsafeMutableRawPointer(numbers)
        let steps = SIMD4<UInt32>(repeating: step)
        var carry = SIMD4<UInt32>(repeating: base &- step)
        // Four vectors a turn, below 16 × 32 = 4 × 128 bytes.
        for place in stride(from: 0, to: 512, by: 64) {
            carry = unsafe vector(memory + place, steps, carry)
            carry = unsafe vector(memory + place + 16, steps, carry)
            carry = unsafe vector(memory + place + 32, steps, carry)
            carry = unsafe vector(memory + place + 48, steps, carry)
        }
    }

    /// Sums up four numbers behind what was carried, and gives what is to be carried on.
    @inline(__always)
    private static func vector(
        _ memory: UnsafeMutableRawPointer, _ steps: SIMD4<UInt32>, _ carry: SIMD4<UInt32>
    ) -> SIMD4<UInt32> {
        // Four numbers are there, as the caller says.
        var sums = unsafe memory.loadUnaligned(as: SIMD4<UInt32>.self)
        sums = sums &+ steps
        sums = sums &+ SIMD4(0, sums.x, sums.y, sums.z)
        sums = sums &+ SIMD4(0, 0, sums.x, sums.y)
        sums = sums &+ carry
        unsafe memory.storeBytes(of: sums, as: SIMD4<UInt32>.self)
        return SIMD4(repeating: sums.w)
    }

    /// The same for a whole block in a span.
    package static func block(_ numbers: inout MutableSpan<UInt32>, from base: UInt32, step: UInt32)
    {
        precondition(numbers.count >= 128, "a block of \(numbers.count) numbers")
        unsafe numbers.withUnsafeMutableBufferPointer { buffer in
            // Checked in the line before.
            guard let start = buffer.baseAddress else { return }
            unsafe block(start, from: base, step: step)
        }
    }
}
