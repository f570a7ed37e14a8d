// Frames of reference: 128 numbers are the least of them and, bit-packed, their distances from it,
// each as wide as the widest. Sequence numbers and expirations of neighbours are equal or near, so
// that most frames take no bits at all.

/// Numbers of 64 bits, packed, each to be had alone.
struct FramedNumbers: Sendable {
    let count: Int
    /// The least number of each frame.
    let bases: PackedArray<UInt64>
    /// The first word of each frame, and behind the last; a frame has two words for each bit of
    /// width.
    let starts: PackedArray<UInt32>
    let words: PackedArray<UInt64>

    static let frameLength = 128

    /// No numbers.
    init() {
        count = 0
        (bases, starts, words) = (PackedArray(), PackedArray(), PackedArray())
    }

    static func frameCount(_ count: Int) -> Int { (count + frameLength - 1) / frameLength }

    init(_ reader: inout SectionReader, count: Int) throws(SegmentError) {
        self.count = count
        let frames = Self.frameCount(count)
        bases = try reader.array(count: frames)
        starts = try reader.array(count: frames + 1)
        let wordCount = try reader.count()
        words = try reader.array(count: wordCount)
    }

    /// One number; `index` is in 0..<`count`.
    subscript(index: Int) -> UInt64 {
        precondition(index >= 0 && index < count, "number \(index) of \(count)")
        let frame = index / Self.frameLength
        let place = starts.range(frame, limit: words.count)
        let width = place.count / 2
        guard width > 0 else { return bases[frame] }
        guard width <= 64 else { return 0 }  // damaged
        let bit = (index & (Self.frameLength - 1)) * width
        let word = place.lowerBound + bit >> 6
        let shift = UInt64(bit & 63)
        var value = words[word] >> shift
        if Int(shift) + width > 64 { value |= words[word + 1] << (64 - shift) }
        if width < 64 { value &= (1 << UInt64(width)) - 1 }
        return bases[frame] &+ value
    }

    /// A number and the next; `index` + 1 is below `count`.
    @inline(__always)
    func pair(_ index: Int) -> (UInt64, UInt64) {
        let place = index & (Self.frameLength - 1)
        // Mostly both lie in one frame, and in the same word or the next.
        guard place + 1 < Self.frameLength, index >= 0, index + 1 < count else {
            return (self[index], self[index + 1])
        }
        let frame = index / Self.frameLength
        let range = starts.range(frame, limit: words.count)
        let width = range.count / 2
        let base = bases[frame]
        guard width > 0 else { return (base, base) }
        guard width <= 32 else { return (self[index], self[index + 1]) }
        let bit = place * width
        let word = range.lowerBound + bit >> 6
        let shift = UInt64(bit & 63)
        var value = words[word] >> shift
        if Int(shift) + 2 * width > 64 { value |= words[word + 1] << (64 - shift) }
        let mask: UInt64 = (1 &<< UInt64(width)) &- 1
        return (base &+ value & mask, base &+ (value &>> UInt64(width)) & mask)
    }
}

/// A permutation of places in frames: what is framed is how far each is from its own place, which
/// is the same for neighbours where documents stand in runs.
struct FramedPlaces: Sendable {
    let numbers: FramedNumbers

    /// Keeps distances above zero.
    private static let base: UInt64 = 1 << 32

    /// The place at a place.
    @inline(__always)
    subscript(index: Int) -> UInt32 {
        UInt32(truncatingIfNeeded: numbers[index] &- Self.base &+ UInt64(index))
    }

    /// Frames for a permutation.
    static func contents(of places: [UInt32]) -> FramedContents {
        FramedContents(places.enumerated().map { base + UInt64($1) - UInt64($0) })
    }
}

/// The frames of new numbers.
struct FramedContents {
    private(set) var bases: [UInt64] = []
    private(set) var starts: [UInt32] = [0]
    private(set) var words: [UInt64] = []

    init(_ numbers: [UInt64]) {
        let length = FramedNumbers.frameLength
        for start in stride(from: 0, to: numbers.count, by: length) {
            append(numbers[start..<min(numbers.count, start + length)])
        }
    }

    private mutating func append(_ numbers: ArraySlice<UInt64>) {
        let base = numbers.min() ?? 0
        let span = (numbers.max() ?? 0) - base
        let width = UInt64.bitWidth - span.leadingZeroBitCount
        let first = words.count
        words.append(contentsOf: repeatElement(0, count: 2 * width))
        for (place, number) in numbers.enumerated() where width > 0 {
            let (value, bit) = (number - base, place * width)
            let (word, shift) = (first + bit >> 6, UInt64(bit & 63))
            words[word] |= value << shift
            if Int(shift) + width > 64 { words[word + 1] |= value >> (64 - shift) }
        }
        bases.append(base)
        starts.append(UInt32(words.count))
    }

    /// Whether numbers that were read have these very frames.
    func isEqual(to numbers: FramedNumbers) -> Bool {
        bases.count == numbers.bases.count && words.count == numbers.words.count
            && bases.indices.allSatisfy { bases[$0] == numbers.bases[$0] }
            && starts.indices.allSatisfy { starts[$0] == numbers.starts[$0] }
            && words.indices.allSatisfy { words[$0] == numbers.words[$0] }
    }

    func write(to writer: inout SectionWriter) {
        writer.array(bases)
        writer.array(starts)
        writer.number(words.count)
        writer.array(words)
    }
}
