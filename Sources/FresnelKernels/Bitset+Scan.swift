extension Bitset {
    /// How many bits are set.
    package var population: Int { WordLoops.population(words) }

    /// Whether no bit is set.
    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// The first set bit at or after `bit`, or nil.
    package func next(from bit: Int) -> Int? {
        let start = max(0, bit)
        guard start < count else { return nil }
        var index = start >> 6
        var word = words[index] & (UInt64.max &<< UInt64(start & 63))
        while word == 0 {
            index += 1
            guard index < words.count else { return nil }
            word = words[index]
        }
        return index << 6 + word.trailingZeroBitCount
    }

    /// The set bits at or after `bit`, ascending, at most `limit`, as document numbers.
    package func numbers(from bit: Int, atMost limit: Int) -> [UInt32] {
        let start = max(0, bit)
        guard start < count, limit > 0 else { return [] }
        return [UInt32](capacity: min(limit, count - start)) { numbers in
            let words = words.span
            var index = start >> 6
            var word = words[index] & (UInt64.max &<< UInt64(start & 63))
            while true {
                while word != 0 {
                    guard !numbers.isFull else { return }
                    numbers.append(
                        UInt32(truncatingIfNeeded: index &<< 6 &+ word.trailingZeroBitCount))
                    word &= word &- 1
                }
                index &+= 1
                guard index < words.count else { return }
                word = words[index]
            }
        }
    }

    /// Calls `body` with each set bit, ascending.
    @inlinable
    package func forEach<Failure: Error>(_ body: (Int) throws(Failure) -> Void) throws(Failure) {
        for index in words.indices {
            var word = words[index]
            while word != 0 {
                try body(index &<< 6 &+ word.trailingZeroBitCount)
                word &= word &- 1
            }
        }
    }

    /// Appends each set bit, ascending, to a list of document numbers.
    package func append(to numbers: inout [UInt32]) {
        forEach { numbers.append(UInt32(truncatingIfNeeded: $0)) }
    }
}
