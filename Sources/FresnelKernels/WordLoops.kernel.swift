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
        unsafe words.withUnsafeBytes { bytes in
            population(bytes.count / 8) { place in
                // Below the count of words, as `population` says.
                unsafe bytes.loadUnaligned(fromByteOffset: 8 &* place, as: Four.self)
            } word: { place in
                unsafe bytes.loadUnaligned(fromByteOffset: 8 &* place, as: UInt64.self)
            }
        }
    }

    private typealias Four = SIMD4<UInt64>

    /// Counts the bits of so many words.
    ///
    /// Source: Harley & Seal, in Warren, "Hacker's Delight", §5-1. Eight vectors are added bit by
    /// bit, and only what carries over is counted; machines need no instruction for it.
    ///
    /// - Parameters:
    ///   - four: four words from a place on; asked only where they are inside.
    ///   - word: one word.
    @inline(__always)
    private static func population(
        _ count: Int, four: (Int) -> Four, word: (Int) -> UInt64
    ) -> Int {
        var (ones, twos, fours) = (Four.zero, Four.zero, Four.zero)
        var eights = Four.zero
        var place = 0
        while place &+ 32 <= count {
            let (one, a) = added(ones, four(place), four(place &+ 4))
            let (two, b) = added(one, four(place &+ 8), four(place &+ 12))
            let (three, c) = added(two, four(place &+ 16), four(place &+ 20))
            let (last, d) = added(three, four(place &+ 24), four(place &+ 28))
            let (pair, e) = added(twos, a, b)
            let (pairs, f) = added(pair, c, d)
            let (quads, carry) = added(fours, e, f)
            (ones, twos, fours) = (last, pairs, quads)
            eights = eights &+ carry.nonzeroBitCount
            place &+= 32
        }
        let sums =
            eights &<< 3 &+ fours.nonzeroBitCount &<< 2 &+ twos.nonzeroBitCount &<< 1
            &+ ones.nonzeroBitCount
        var sum = Int(truncatingIfNeeded: sums.wrappedSum())
        while place < count {
            sum &+= word(place).nonzeroBitCount
            place &+= 1
        }
        return sum
    }

    /// The sums without and the carries of three bits each.
    @inline(__always)
    private static func added(_ a: Four, _ b: Four, _ c: Four) -> (sum: Four, carry: Four) {
        let half = a ^ b
        return (half ^ c, a & b | half & c)
    }
}
