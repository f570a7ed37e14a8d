// Offsets of many short things ascend nearly evenly: how far each is from where it would be if all
// were equally long differs little between neighbours. A term's key of nine bytes has an offset of
// about nine bits so, where it had thirty-two.

/// Ascending offsets, each as its distance from an even course, in frames.
struct FramedOffsets: Sendable {
    let numbers: FramedNumbers
    /// How far one offset is from the next on the even course, in 256ths.
    let slope: UInt64

    /// Keeps distances above zero.
    fileprivate static let base: UInt64 = 1 << 32

    /// No offsets.
    init() { (numbers, slope) = (FramedNumbers(), 0) }

    init(_ reader: inout SectionReader, count: Int) throws(SegmentError) {
        slope = try reader.number()
        numbers = try FramedNumbers(&reader, count: count)
    }

    /// The number of offsets.
    var count: Int { numbers.count }

    /// One offset; `index` is in 0..<`count`.
    @inline(__always)
    subscript(index: Int) -> UInt32 { offset(numbers[index], at: index) }

    /// The part `self[index] ..< self[index + 1]` of something `limit` long; empty where they do
    /// not ascend or pass the limit, as in a damaged file.
    @inline(__always)
    func range(_ index: Int, limit: Int) -> Range<Int> {
        let (first, second) = numbers.pair(index)
        let start = Int(offset(first, at: index))
        let end = Int(offset(second, at: index &+ 1))
        return start <= end && end <= limit ? start..<end : 0..<0
    }

    @inline(__always)
    private func offset(_ number: UInt64, at index: Int) -> UInt32 {
        let even = Self.even(UInt64(truncatingIfNeeded: index), slope)
        return UInt32(truncatingIfNeeded: number &- Self.base &+ even)
    }

    /// Where an offset would be on the even course.
    @inline(__always)
    fileprivate static func even(_ index: UInt64, _ slope: UInt64) -> UInt64 {
        (index &* slope) &>> 8
    }
}

/// The frames of new offsets.
struct FramedOffsetContents {
    private let slope: UInt64
    private let frames: FramedContents

    init(_ offsets: [UInt32]) {
        let last = UInt64(offsets.last ?? 0)
        let slope = (last << 8) / UInt64(max(1, offsets.count - 1))
        frames = FramedContents(
            offsets.indices.map { index in
                FramedOffsets.base + UInt64(offsets[index])
                    - FramedOffsets.even(UInt64(index), slope)
            })
        self.slope = slope
    }

    /// Whether offsets that were read have these very frames.
    func isEqual(to offsets: FramedOffsets) -> Bool {
        slope == offsets.slope && frames.isEqual(to: offsets.numbers)
    }

    func write(to writer: inout SectionWriter) {
        writer.number(slope)
        frames.write(to: &writer)
    }
}
