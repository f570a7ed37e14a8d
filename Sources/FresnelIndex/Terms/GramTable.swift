import FresnelKernels
import FresnelSystem

// Substrings of words: for every three bytes that occur in a folded key, the ranks of the keys that
// have them, ascending, as LEB128 gaps. A pattern of three bytes is one list; a longer one is in
// the keys that have its rarest trigrams, which are few and are looked at. (R. Cox, "Regular
// expression matching with a trigram index", 2012; there over documents, here over the dictionary,
// which is a hundred times smaller.) Shorter patterns match a good part of a dictionary, so that a
// scan of it loses little.

/// The trigrams of the folded keys of a dictionary.
struct GramTable: Sendable {
    /// The trigrams that occur, as numbers of three bytes, ascending.
    let grams: PackedArray<UInt32>
    /// Where the ranks of each trigram begin, and where the last end.
    let offsets: PackedArray<UInt32>
    let blob: SharedBytes

    /// The least length of a pattern that the table can narrow.
    static let length = 3

    /// The ranks of keys that may contain a pattern of at least three bytes, ascending; all that do
    /// are among them.
    func candidates(
        containing needle: Span<UInt8>, _ pace: inout CheckPace
    ) throws(SearchStop) -> [UInt32] {
        var lists: [Range<Int>] = []
        for start in 0...needle.count - Self.length {
            let gram = Self.gram(needle, at: start)
            guard let place = place(of: gram) else { return [] }
            let list = offsets.range(place, limit: blob.count)
            if !lists.contains(list) { lists.append(list) }
        }
        lists.sort { $0.count < $1.count }
        guard let rarest = lists.first else { return [] }
        var found = try ranks(rarest, &pace)
        for list in lists.dropFirst() {
            // Reading a list costs less than looking at keys only while it is not much longer.
            guard found.count > 16, list.count < 16 * found.count else { break }
            found = SortedNumbers.intersection(found, try ranks(list, &pace))
        }
        return found
    }

    /// Candidates that are looked at before all of them are gathered.
    private static let firstCount = 48

    /// The first ranks of keys that have the rarest trigram of a pattern, ascending.
    func firstCandidates(containing needle: Span<UInt8>) -> [UInt32] {
        var rarest: Range<Int>?
        for start in 0...needle.count - Self.length {
            guard let place = place(of: Self.gram(needle, at: start)) else { return [] }
            let list = offsets.range(place, limit: blob.count)
            if list.count < rarest?.count ?? .max { rarest = list }
        }
        guard let rarest else { return [] }
        let blob = blob
        return LEB128Gaps.numbers(
            blob.bytes.extracting(rarest), atMost: Self.firstCount)
    }

    private func place(of gram: UInt32) -> Int? {
        var low = 0
        var high = grams.count
        while low < high {
            let middle = low + (high - low) / 2
            if grams[middle] < gram { low = middle + 1 } else { high = middle }
        }
        return low < grams.count && grams[low] == gram ? low : nil
    }

    private func ranks(
        _ list: Range<Int>, _ pace: inout CheckPace
    ) throws(SearchStop) -> [UInt32] {
        try pace.step(list.count)
        let blob = blob
        return LEB128Gaps.numbers(blob.bytes.extracting(list))
    }

    @inline(__always)
    static func gram(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
        UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
    }
}

extension GramTable {
    /// The table of a segment; nil when it has none.
    init?(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        guard table.bytes(of: Section(.termGrams)) != nil else { return nil }
        var reader = try table.reader(of: Section(.termGrams))
        let count = try reader.count()
        grams = try reader.array(count: count)
        offsets = try reader.array(count: count + 1)
        let length = try reader.count()
        blob = try reader.blob(count: length)
        try reader.requireEnd()
    }
}

/// The table of a new dictionary.
struct GramContents {
    private(set) var grams: [UInt32] = []
    private(set) var offsets: [UInt32] = [0]
    private(set) var blob: [UInt8] = []

    /// - Parameters:
    ///   - offsets: where each key begins, and where the last ends.
    ///   - keys: the keys, one behind the other.
    init(_ keyOffsets: Span<UInt32>, _ keys: Span<UInt8>) {
        var entries: [UInt64] = []
        entries.reserveCapacity(keys.count)
        for rank in 0..<max(0, keyOffsets.count - 1) {
            let (start, end) = (Int(keyOffsets[rank]), Int(keyOffsets[rank + 1]))
            guard start <= end, end <= keys.count, end - start >= GramTable.length else { continue }
            for offset in start...end - GramTable.length {
                entries.append(UInt64(GramTable.gram(keys, at: offset)) << 32 | UInt64(rank))
            }
        }
        entries = Self.sorted(Self.sorted(entries, shift: 32), shift: 44)
        var former: (gram: UInt32, rank: UInt32)?
        for entry in entries {
            let gram = UInt32(truncatingIfNeeded: entry >> 32)
            let rank = UInt32(truncatingIfNeeded: entry)
            if gram != former?.gram {
                if former != nil { close() }
                grams.append(gram)
                former = nil
            }
            guard rank != former?.rank else { continue }  // twice in one key
            LEB128Gaps.append(rank - (former.map { $0.rank + 1 } ?? 0), to: &blob)
            former = (gram, rank)
        }
        if former != nil { close() }
    }

    private mutating func close() { offsets.append(UInt32(truncatingIfNeeded: blob.count)) }

    /// One pass of a radix sort by twelve bits, stable.
    private static func sorted(_ entries: [UInt64], shift: UInt64) -> [UInt64] {
        var next = [Int](repeating: 0, count: 4097)
        for entry in entries { next[Int(entry &>> shift & 0xFFF) + 1] += 1 }
        for digit in 0..<4096 { next[digit + 1] += next[digit] }
        var sorted = [UInt64](repeating: 0, count: entries.count)
        for entry in entries {
            let digit = Int(entry &>> shift & 0xFFF)
            sorted[next[digit]] = entry
            next[digit] += 1
        }
        return sorted
    }
}
