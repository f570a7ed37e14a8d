import FresnelKernels
import FresnelSystem

/// The table of a new dictionary.
struct GramContents {
    private(set) var grams: [UInt32] = []
    private(set) var offsets: [UInt32] = [0]
    private(set) var blob: [UInt8] = []

    /// Whether lists name blocks of keys.
    let isPacked: Bool
    /// The blocks of the open list, as gaps.
    private var gaps: [UInt32] = []

    /// - Parameters:
    ///   - offsets: where each key begins, and where the last ends.
    ///   - keys: the keys, one behind the other.
    ///   - isPacked: whether lists name blocks of keys.
    init(_ keyOffsets: Span<UInt32>, _ keys: Span<UInt8>, isPacked: Bool) {
        self.isPacked = isPacked
        let blockLength = isPacked ? GramTable.packedBlockLength : 1
        var entries: [UInt64] = []
        entries.reserveCapacity(keys.count)
        var yieldPace = YieldPace()
        for rank in 0..<max(0, keyOffsets.count - 1) {
            yieldPace.step(every: 64)
            let (start, end) = (Int(keyOffsets[rank]), Int(keyOffsets[rank + 1]))
            guard start <= end, end <= keys.count, end - start >= GramTable.length else { continue }
            for offset in start...end - GramTable.length {
                entries.append(
                    UInt64(GramTable.gram(keys, at: offset)) << 32 | UInt64(rank / blockLength))
            }
        }
        // Arrays of megabytes: three of them would be memory that the system has to give first.
        var other = [UInt64](repeating: 0, count: entries.count)
        Self.sort(entries, shift: 32, into: &other, &yieldPace)
        Self.sort(other, shift: 44, into: &entries, &yieldPace)
        var former: (gram: UInt32, rank: UInt32)?
        for entry in entries {
            yieldPace.step(every: 256)
            let gram = UInt32(truncatingIfNeeded: entry >> 32)
            let rank = UInt32(truncatingIfNeeded: entry)
            if gram != former?.gram {
                if former != nil { close() }
                grams.append(gram)
                former = nil
            }
            guard rank != former?.rank else { continue }  // twice in one key or block
            gaps.append(rank - (former.map { $0.rank + 1 } ?? 0))
            former = (gram, rank)
        }
        if former != nil { close() }
        guard isPacked else { return }
        blob.append(contentsOf: repeatElement(0, count: BitRuns.padding))
        offsets[offsets.count - 1] = UInt32(truncatingIfNeeded: blob.count)
    }

    private mutating func close() {
        if isPacked {
            GapCodes.appendList(gaps, to: &blob)
        } else {
            for gap in gaps { LEB128Gaps.append(gap, to: &blob) }
        }
        gaps.removeAll(keepingCapacity: true)
        offsets.append(UInt32(truncatingIfNeeded: blob.count))
    }

    func write(to writer: inout SectionWriter) {
        writer.number(grams.count)
        if isPacked {
            FramedContents(grams.map { UInt64($0) }).write(to: &writer)
            FramedOffsetContents(offsets).write(to: &writer)
        } else {
            writer.array(grams)
            writer.array(offsets)
        }
        writer.number(blob.count)
        writer.array(blob)
    }

    /// Whether a table that was read is this very one.
    func isEqual(to table: GramTable) -> Bool {
        let bytes = table.blob
        guard [UInt8](copying: bytes.bytes) == blob, isPacked == (table.blockLength > 1) else {
            return false
        }
        switch table.grams {
        case .plain(let grams, let offsets):
            return grams.elements == self.grams && offsets.elements == self.offsets
        case .framed(let grams, let offsets):
            return FramedContents(self.grams.map { UInt64($0) }).isEqual(to: grams)
                && FramedOffsetContents(self.offsets).isEqual(to: offsets)
        }
    }

    /// One pass of a radix sort by twelve bits, stable, into an array as long.
    private static func sort(
        _ entries: [UInt64], shift: UInt64, into sorted: inout [UInt64],
        _ yieldPace: inout YieldPace
    ) {
        let ranges = stride(from: 0, to: entries.count, by: entriesBetweenSteps).map {
            $0..<min(entries.count, $0 + entriesBetweenSteps)
        }
        var places = [Int](repeating: 0, count: 4097)
        var next = places.mutableSpan
        for range in ranges {
            for entry in entries[range] { next[Int(entry &>> shift & 0xFFF) &+ 1] &+= 1 }
            yieldPace.step()
        }
        for digit in 0..<4096 { next[digit + 1] += next[digit] }
        var target = sorted.mutableSpan
        for range in ranges {
            for entry in entries[range] {
                let digit = Int(entry &>> shift & 0xFFF)
                target[next[digit]] = entry
                next[digit] &+= 1
            }
            yieldPace.step()
        }
    }

    /// Entries that are counted or moved in some ten microseconds.
    private static let entriesBetweenSteps = 8192
}
