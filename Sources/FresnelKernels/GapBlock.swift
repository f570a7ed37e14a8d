/// Up to 128 strictly ascending numbers as gaps, in the forms of packed segments.
///
/// Exactly 128: one byte with the width, 16 × width bytes (`BitPacking`); where few gaps are
/// wider, 64 is added to the byte, a byte with their number follows it, and behind the packed bytes
/// stand the place of each and what is above the width, a byte each. Fewer than 128: a byte whose
/// lowest two bits choose an order, then the gaps as codes of it (`GapCodes`).
package enum GapBlock {
    /// In the first byte of a full block: some gaps are wider.
    package static let patched: UInt8 = 0x40

    /// The gap before each number: its distance from the least that was possible there.
    ///
    /// - Parameters:
    ///   - numbers: strictly ascending, all at least `floor`.
    ///   - floor: the least the first could be.
    package static func gaps(_ numbers: Span<UInt32>, floor: UInt32) -> [UInt32] {
        var gaps: [UInt32] = []
        gaps.reserveCapacity(numbers.count)
        var least = floor
        for index in numbers.indices {
            precondition(numbers[index] >= least, "\(numbers[index]) is behind \(least)")
            gaps.append(numbers[index] - least)
            least = numbers[index] &+ 1
        }
        return gaps
    }

    /// Appends 128 gaps.
    package static func appendFull(_ gaps: [UInt32], to bytes: inout [UInt8]) {
        let width = width(for: gaps)
        let mask = UInt32.max >> UInt32(32 - width)
        let wide = gaps.indices.filter { gaps[$0] > mask }
        bytes.append(UInt8(width) | (wide.isEmpty ? 0 : patched))
        if !wide.isEmpty { bytes.append(UInt8(wide.count)) }
        let narrow = gaps.map { $0 & mask }
        BitPacking.pack(narrow.span, width: width, into: &bytes)
        for place in wide { bytes.append(UInt8(place)) }
        for place in wide { bytes.append(UInt8(truncatingIfNeeded: gaps[place] >> UInt32(width))) }
    }

    /// The width that makes 128 gaps the shortest; of equals the greatest, which is read quickest.
    private static func width(for gaps: [UInt32]) -> Int {
        let widths = gaps.map { 32 - $0.leadingZeroBitCount }
        let greatest = widths.max() ?? 0
        var best = (width: greatest, count: 16 * greatest)
        for width in stride(from: greatest - 1, through: max(0, greatest - 8), by: -1)
        where width <= 24 {
            let wide = widths.count { $0 > width }
            let count = 16 * width + 1 + 2 * wide
            if count < best.count { best = (width, count) }
        }
        return best.width
    }
}
