import FresnelKernels

// The occurrences of a simple list of a packed segment are numbers of two kinds: how often the term
// stands in each document, less one, and the positions, the first of a document as it is, each
// other as its distance from the least it could be. Both are bit-packed with the width of the
// greatest, so a position is read alone, and where all documents have the term once there are no
// numbers of the first kind. Who only counts reads no position.
//
// A full block has, behind its documents: one byte with the width of the numbers less one, these
// (`BitPacking`); one byte with the width of positions, these. A shorter block has both widths in
// its first byte, above the choice of the documents' order: two bits and four, all set where five
// more bits say it, behind the documents; then the numbers less one and the positions, bit by bit.

/// Where the positions of a block are.
@safe
struct PositionRun: Sendable {
    /// Where the first begins.
    let bit: Int
    /// Bits of each.
    let width: Int

    /// The most occurrences of a simple list in one document.
    static let countLimit = 1 << 16
    private static let countWidth = 16
    private static let positionWidth = 31
    /// Stands in the first byte of a short block for widths that do not fit it.
    private static let wideCount = 3
    private static let widePosition = 15

    /// Finds the positions of a block, and how many those of the documents up to each are.
    ///
    /// - Parameters:
    ///   - bytes: all blocks.
    ///   - start: where the block begins.
    ///   - bit: behind its documents.
    ///   - count: its documents.
    ///   - ends: has room for 128 numbers.
    /// - Returns: nil where the block is damaged; `ends` is undefined then.
    init?(
        _ bytes: Span<UInt8>, from start: Int, at bit: Int, count: Int,
        ends: inout MutableSpan<UInt32>
    ) {
        let found =
            count == BitPacking.blockLength
            ? Self.full(bytes, at: bit, &ends)
            : Self.short(bytes, from: start, at: bit, count: count, &ends)
        guard let found, count > 0 else { return nil }
        guard found.width <= Self.positionWidth else { return nil }
        // Counts of at most 2^16 add up to less than 2^24. The last position is read with the
        // seven bytes behind its first.
        let end = found.bit + Int(ends[count - 1]) * found.width
        guard end <= (bytes.count - BitRuns.padding) * 8 else { return nil }
        self.init(bit: found.bit, width: found.width)
    }

    init(bit: Int, width: Int) {
        self.bit = bit
        self.width = width
    }

    /// How many positions one document of a full block has, read alone; 0 where it is damaged.
    ///
    /// - Parameters:
    ///   - bytes: all blocks.
    ///   - bit: behind the documents of the block.
    ///   - index: which document, 0..<128.
    static func count(_ bytes: Span<UInt8>, at bit: Int, index: Int) -> Int {
        let offset = bit / 8
        guard offset < bytes.count, bytes[offset] <= countWidth,
            let more = BitPacking.number(
                bytes, at: offset + 1, width: Int(bytes[offset]), index: index)
        else { return 0 }
        return Int(more) + 1
    }

    /// The same of a shorter block, which begins at `start`.
    static func shortCount(
        _ bytes: Span<UInt8>, from start: Int, at bit: Int, index: Int
    ) -> Int {
        var bit = bit
        guard let (countWidth, _) = shortWidths(bytes, from: start, at: &bit) else { return 0 }
        bit += index * countWidth
        guard countWidth > 0 else { return 1 }
        return number(bytes, &bit, width: countWidth).map { Int($0) + 1 } ?? 0
    }

    /// The positions of one document of a full block, found alone: the run, and which of it; nil
    /// where the block is damaged.
    ///
    /// - Parameters:
    ///   - bytes: all blocks.
    ///   - bit: behind the documents of the block.
    ///   - index: which document, 0..<128.
    static func positions(
        _ bytes: Span<UInt8>, at bit: Int, index: Int
    ) -> (run: PositionRun, places: Range<Int>)? {
        let offset = bit / 8
        guard offset < bytes.count, bytes[offset] <= countWidth else { return nil }
        let countWidth = Int(bytes[offset])
        let behind = offset + 1 + BitPacking.byteCount(width: countWidth)
        guard behind < bytes.count,
            let before = BitPacking.sum(
                bytes, at: offset + 1, width: countWidth, first: index),
            let more = BitPacking.number(
                bytes, at: offset + 1, width: countWidth, index: index)
        else { return nil }
        let run = PositionRun(bit: (behind + 1) * 8, width: Int(bytes[behind]))
        let places = Int(before) + index..<Int(before) + index + Int(more) + 1
        // As in `init`: a position is read with the seven bytes behind its first.
        let end = run.bit + places.upperBound * run.width
        guard run.width <= positionWidth, end <= (bytes.count - BitRuns.padding) * 8 else {
            return nil
        }
        return (run, places)
    }

    private static func full(
        _ bytes: Span<UInt8>, at bit: Int, _ ends: inout MutableSpan<UInt32>
    ) -> (bit: Int, width: Int)? {
        var offset = bit / 8
        guard offset < bytes.count, bytes[offset] <= countWidth,
            // Checksums are checked when a file is opened: nothing else reports damage here.
            (try? ValueBlock.decode(
                bytes, at: &offset, count: BitPacking.blockLength, into: &ends)) != nil,
            offset < bytes.count
        else { return nil }
        PrefixSum.block(&ends, from: 1, step: 1)
        return ((offset + 1) * 8, Int(bytes[offset]))
    }

    private static func short(
        _ bytes: Span<UInt8>, from start: Int, at bit: Int, count: Int,
        _ ends: inout MutableSpan<UInt32>
    ) -> (bit: Int, width: Int)? {
        var bit = bit
        guard let (countWidth, width) = shortWidths(bytes, from: start, at: &bit) else {
            return nil
        }
        var end: UInt32 = 0
        for place in 0..<count {
            if countWidth > 0 {
                guard let more = number(bytes, &bit, width: countWidth) else { return nil }
                end += UInt32(more)
            }
            end += 1
            ends[place] = end
        }
        return (bit, width)
    }

    /// The widths of a short block, of which `bit` stands behind the documents, and then behind
    /// what says them.
    private static func shortWidths(
        _ bytes: Span<UInt8>, from start: Int, at bit: inout Int
    ) -> (count: Int, position: Int)? {
        guard start < bytes.count else { return nil }
        var countWidth = Int(bytes[start] >> 2 & 3)
        var width = Int(bytes[start] >> 4)
        if countWidth == wideCount { countWidth = number(bytes, &bit, width: 5) ?? .max }
        if width == widePosition { width = number(bytes, &bit, width: 5) ?? .max }
        // Also where the bits that say them are not there.
        return countWidth <= Self.countWidth && width <= positionWidth
            ? (countWidth, width) : nil
    }

    private static func number(_ bytes: Span<UInt8>, _ bit: inout Int, width: Int) -> Int? {
        let number = BitRuns.number(bytes, at: bit, width: width)
        bit += width
        return number.map { Int($0) }
    }

    /// One number of the run, which `bytes` hold with seven bytes behind its first.
    @inline(__always)
    @unsafe
    func number(_ bytes: UnsafeRawPointer, _ index: Int) -> UInt32 {
        let bit = bit &+ index &* width
        // As the caller promises: `init` has found the last position inside.
        let word = unsafe bytes.loadUnaligned(fromByteOffset: bit &>> 3, as: UInt64.self)
        let mask: UInt64 = 1 &<< UInt64(truncatingIfNeeded: width) &- 1
        return UInt32(
            truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: bit & 7) & mask)
    }
}

extension PositionRun {
    /// Numbers of a new block.
    struct Contents {
        /// Occurrences of each document, less one.
        private var counts: [UInt32] = []
        /// Positions, each but the first of a document as its distance from the least possible.
        private var positions: [UInt32] = []

        /// Adds the positions of the next document, ascending, at least one.
        mutating func append(_ positions: some Collection<UInt32>) {
            counts.append(UInt32(positions.count - 1))
            var least: UInt32 = 0
            for position in positions {
                self.positions.append(position - least)
                least = position + 1
            }
        }

        /// Begins a new block, in the same memory.
        mutating func removeAll() {
            counts.removeAll(keepingCapacity: true)
            positions.removeAll(keepingCapacity: true)
        }

        private var widths: (count: Int, position: Int) {
            (BitPacking.width(of: counts.span), BitPacking.width(of: positions.span))
        }

        /// The upper six bits of a short block's first byte.
        var head: UInt8 {
            UInt8(min(widths.count, wideCount)) << 2 | UInt8(min(widths.position, widePosition))
                << 4
        }

        /// Appends those of a block of 128 documents.
        func appendFull(to blob: inout [UInt8]) {
            ValueBlock.encode(counts.span, into: &blob)
            blob.append(UInt8(widths.position))
            var run = BitRunWriter()
            for position in positions { run.append(UInt64(position), width: widths.position) }
            blob += run.bytes
        }

        /// Appends those of a shorter block behind its documents.
        func append(to run: inout BitRunWriter) {
            let (count, position) = widths
            if count >= wideCount { run.append(UInt64(count), width: 5) }
            if position >= widePosition { run.append(UInt64(position), width: 5) }
            for number in counts { run.append(UInt64(number), width: count) }
            for number in positions { run.append(UInt64(number), width: position) }
        }
    }
}
