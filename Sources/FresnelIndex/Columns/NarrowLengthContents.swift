/// The field lengths of a new packed segment: as many bits each as make them the shortest, those of
/// longer texts beside them.
struct NarrowLengthContents {
    let width: Int
    let words: [UInt64]
    /// The rows with more tokens, ascending, and their tokens.
    let longRows: [UInt32]
    let longLengths: [UInt16]

    /// Bits of a row and its tokens beside the others.
    private static let longBits = 48

    init(_ lengths: [UInt16]) {
        let width = Self.width(for: lengths)
        let long = (1 << width) - 1
        let rows = lengths.indices.filter { Int(lengths[$0]) >= long }
        words = NarrowNumbers.words(lengths.map { UInt64(min(long, Int($0))) }, width: width)
        longRows = rows.map { UInt32($0) }
        longLengths = rows.map { lengths[$0] }
        self.width = width
    }

    /// The width that takes the fewest bits, 1...16; of equals the least.
    private static func width(for lengths: [UInt16]) -> Int {
        // A length of `bits` bits is long for every width below, and for that one if all are set.
        var counts = [Int](repeating: 0, count: 18)
        for length in lengths {
            let bits = UInt16.bitWidth - length.leadingZeroBitCount
            counts[Int(length) == (1 << bits) - 1 ? bits + 1 : bits] += 1
        }
        var best = (width: 16, bits: Int.max)
        for width in (1...16).reversed() {
            let long = counts[(width + 1)...].reduce(0, +)
            let bits = width * lengths.count + longBits * long
            if bits <= best.bits { best = (width, bits) }
        }
        return best.width
    }

    func write(to writer: inout SectionWriter) {
        writer.number(width)
        writer.array(words)
        writer.number(longRows.count)
        writer.array(longRows)
        writer.array(longLengths)
    }
}
