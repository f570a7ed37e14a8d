// Frames of reference: 128 numbers are the least of them and, bit-packed, their distances from it,
// each as wide as the widest. Sequence numbers and expirations of neighbours are equal or near, so
// that most frames take no bits at all.

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
