// The inner loops of bit sets. Lengths are compared once before each loop, which then runs over
// raw words without bounds checks, so that the compiler can use whole vectors.

/// Loops over 64-bit words.
package enum WordLoops {
    /// `target &= source`, word by word; both have the same length.
    package static func and(_ target: inout [UInt64], _ source: [UInt64]) {
        precondition(target.count == source.count, "\(target.count) and \(source.count) words")
        unsafe target.withUnsafeMutableBufferPointer { left in
            unsafe source.withUnsafeBufferPointer { right in
                for index in 0..<left.count { unsafe left[index] &= right[index] }
            }
        }
    }

    /// `target |= source`, word by word; both have the same length.
    package static func or(_ target: inout [UInt64], _ source: [UInt64]) {
        precondition(target.count == source.count, "\(target.count) and \(source.count) words")
        unsafe target.withUnsafeMutableBufferPointer { left in
            unsafe source.withUnsafeBufferPointer { right in
                for index in 0..<left.count { unsafe left[index] |= right[index] }
            }
        }
    }

    /// `target &= ~source`, word by word; both have the same length.
    package static func andNot(_ target: inout [UInt64], _ source: [UInt64]) {
        precondition(target.count == source.count, "\(target.count) and \(source.count) words")
        unsafe target.withUnsafeMutableBufferPointer { left in
            unsafe source.withUnsafeBufferPointer { right in
                for index in 0..<left.count { unsafe left[index] &= ~right[index] }
            }
        }
    }

    /// Sets the bits of all numbers below `count`; there are words for so many bits.
    static func insert(_ numbers: Span<UInt32>, below count: Int, into words: inout [UInt64]) {
        precondition(count <= words.count * 64, "\(count) bits in \(words.count) words")
        unsafe words.withUnsafeMutableBufferPointer { target in
            for index in numbers.indices {
                let number = Int(numbers[index])
                // Compared with the count, for which there are words.
                guard number < count else { continue }
                unsafe target[number &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: number & 63)
            }
        }
    }

    /// The number of set bits.
    package static func population(_ words: [UInt64]) -> Int {
        unsafe words.withUnsafeBufferPointer { buffer in
            var sum = 0
            for index in 0..<buffer.count { unsafe sum &+= buffer[index].nonzeroBitCount }
            return sum
        }
    }

    /// The number of bits set in both; both have the same length.
    package static func populationOfAnd(_ left: [UInt64], _ right: [UInt64]) -> Int {
        precondition(left.count == right.count, "\(left.count) and \(right.count) words")
        return unsafe left.withUnsafeBufferPointer { first in
            unsafe right.withUnsafeBufferPointer { second in
                var sum = 0
                for index in 0..<first.count {
                    unsafe sum &+= (first[index] & second[index]).nonzeroBitCount
                }
                return sum
            }
        }
    }
}
