// Numbers of which each takes as many bits as the greatest needs, from the lowest bit on, and a
// word behind them: two words from the one where a number begins are always there.

/// Numbers of one width, each to be had alone.
@safe
struct NarrowNumbers: @unchecked Sendable {
    // Sendable because what the address points to never changes and lives as long as the array.

    let count: Int
    /// Bits of a number, 0...64.
    let width: Int
    let words: PackedArray<UInt64>
    /// What `words` hold.
    private let address: UnsafePointer<UInt64>?

    /// No numbers.
    init() {
        (count, width, words) = (0, 0, PackedArray())
        unsafe address = nil
    }

    init(_ reader: inout SectionReader, count: Int, width: Int) throws(SegmentError) {
        guard count >= 0, count <= SegmentFormat.sectionBytes, (0...64).contains(width) else {
            throw reader.broken("a number has at most 64 bits")
        }
        self.count = count
        self.width = width
        words = try reader.array(count: Self.wordCount(count, width))
        unsafe address = words.count > 0 ? words.unsafeElements : nil
    }

    private static func wordCount(_ count: Int, _ width: Int) -> Int {
        width == 0 ? 0 : (count * width + 63) / 64 + 1
    }

    /// Bits that a number fits.
    static func width(of number: UInt64) -> Int { UInt64.bitWidth - number.leadingZeroBitCount }

    /// One number; `index` is in 0..<`count`.
    @inline(__always)
    subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count, "number \(index) of \(count)")
        guard let address = unsafe address else { return 0 }
        let bit = index &* width
        let shift = UInt64(truncatingIfNeeded: bit & 63)
        // The number ends in this word or in the next, which is there for the last one too.
        let word = unsafe address + bit &>> 6
        var value = unsafe word[0] &>> shift
        if Int(truncatingIfNeeded: shift) &+ width > 64 {
            value |= unsafe word[1] &<< (64 &- shift)
        }
        return width == 64 ? value : value & (1 &<< UInt64(truncatingIfNeeded: width) &- 1)
    }

    /// The memory of all numbers, in which eight bytes are behind the last; for kernels, valid
    /// while this value is.
    @unsafe
    var unsafeBytes: UnsafeRawPointer? { unsafe address.map { unsafe UnsafeRawPointer($0) } }

    /// The words of new numbers, each of which fits the width.
    static func words(_ numbers: [UInt64], width: Int) -> [UInt64] {
        var words = [UInt64](repeating: 0, count: wordCount(numbers.count, width))
        guard width > 0 else { return words }
        for (place, number) in numbers.enumerated() {
            let bit = place * width
            let shift = UInt64(bit & 63)
            words[bit >> 6] |= number &<< shift
            if Int(shift) + width > 64 { words[bit >> 6 + 1] |= number &>> (64 - shift) }
        }
        return words
    }

    /// Whether numbers that were read have these very words.
    func isEqual(to expected: [UInt64]) -> Bool {
        words.count == expected.count && expected.indices.allSatisfy { words[$0] == expected[$0] }
    }
}
