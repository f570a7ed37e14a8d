/// A fixed number of bits, for sets of document numbers.
///
/// Bits from `count` to the end of the last word are always zero.
package struct Bitset: Hashable, Sendable {
    /// The number of bits.
    package let count: Int
    /// The bits, 64 to a word, lowest bit first.
    package internal(set) var words: [UInt64]

    /// Makes `count` bits, all clear or all set.
    package init(count: Int, filled: Bool = false) {
        precondition(count >= 0, "a set of \(count) bits")
        self.count = count
        words = [UInt64](repeating: filled ? .max : 0, count: (count + 63) / 64)
        clearPadding()
    }

    /// Takes words another set gave; missing words are zero, surplus bits are dropped.
    package init(words: [UInt64], count: Int) {
        self.init(count: count)
        for index in 0..<min(words.count, self.words.count) { self.words[index] = words[index] }
        clearPadding()
    }

    /// Whether a bit is set; a bit outside is not.
    package func contains(_ bit: Int) -> Bool {
        guard bit >= 0, bit < count else { return false }
        return words[bit >> 6] & (1 &<< UInt64(bit & 63)) != 0
    }

    /// Sets a bit of 0..<`count`.
    package mutating func insert(_ bit: Int) {
        precondition(bit >= 0 && bit < count, "bit \(bit) of \(count)")
        words[bit >> 6] |= 1 &<< UInt64(bit & 63)
    }

    /// Clears a bit of 0..<`count`.
    package mutating func remove(_ bit: Int) {
        precondition(bit >= 0 && bit < count, "bit \(bit) of \(count)")
        words[bit >> 6] &= ~(1 &<< UInt64(bit & 63))
    }

    /// Sets every bit of a range inside 0..<`count`.
    package mutating func insert(_ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
        guard !range.isEmpty else { return }
        let first = range.lowerBound >> 6
        let last = (range.upperBound - 1) >> 6
        let head = UInt64.max &<< UInt64(range.lowerBound & 63)
        let tail = UInt64.max &>> UInt64(63 - (range.upperBound - 1) & 63)
        guard first < last else {
            words[first] |= head & tail
            return
        }
        words[first] |= head
        for index in first + 1..<last { words[index] = .max }
        words[last] |= tail
    }

    /// Sets every number of a list; numbers outside are refused.
    package mutating func insert(_ numbers: Span<UInt32>) {
        for index in numbers.indices {
            precondition(numbers[index] < count, "bit \(numbers[index]) of \(count)")
        }
        WordLoops.insert(numbers, below: count, into: &words)
    }

    /// Sets every number of a list that lies inside.
    package mutating func insertInside(_ numbers: Span<UInt32>) {
        WordLoops.insert(numbers, below: count, into: &words)
    }

    /// Keeps the bits that `other` has too; both have the same count.
    package mutating func formIntersection(_ other: Bitset) {
        requireSameCount(other)
        WordLoops.and(&words, other.words)
    }

    /// Adds the bits of `other`; both have the same count.
    package mutating func formUnion(_ other: Bitset) {
        requireSameCount(other)
        WordLoops.or(&words, other.words)
    }

    /// Takes the bits of `other` away; both have the same count.
    package mutating func subtract(_ other: Bitset) {
        requireSameCount(other)
        WordLoops.andNot(&words, other.words)
    }

    private func requireSameCount(_ other: Bitset) {
        precondition(count == other.count, "sets of \(count) and \(other.count) bits")
    }

    private mutating func clearPadding() {
        guard count & 63 != 0, let last = words.indices.last else { return }
        words[last] &= (1 &<< UInt64(count & 63)) - 1
    }
}
