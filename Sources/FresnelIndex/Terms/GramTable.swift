import FresnelKernels
import FresnelSystem

// Substrings of words: for every three bytes that occur in a folded key, where the keys are that
// have them. A pattern is in the keys that have its rarest trigrams, which are few and are looked
// at. (R. Cox, "Regular expression matching with a trigram index", 2012; there over documents, here
// over the dictionary, which is a hundred times smaller.) Shorter patterns match a good part of a
// dictionary, so that a scan of it loses little.
//
// In a packed segment lists name blocks of keys, not keys: neighbours of a sorted dictionary begin
// alike, and so have most of their trigrams together. The keys of a block lie one behind the other
// and are scanned at once.

/// The trigrams of the folded keys of a dictionary.
struct GramTable: Sendable {
    /// The trigrams that occur, as numbers of three bytes, ascending.
    let grams: GramNumbers
    let blob: SharedBytes
    /// Keys of a block; 1 where lists name keys.
    let blockLength: Int

    /// The least length of a pattern that the table can narrow.
    static let length = 3
    /// Keys of a block in packed segments.
    static let packedBlockLength = 8

    /// The keys that may contain a pattern of at least three bytes, in ranges that ascend; all that
    /// do are among them.
    func candidates(
        containing needle: Span<UInt8>, _ pace: inout CheckPace
    ) throws(SearchStop) -> [UInt32] {
        var lists: [Range<Int>] = []
        for start in 0...needle.count - Self.length {
            guard let list = grams.list(of: Self.gram(needle, at: start), limit: blob.count) else {
                return []
            }
            if !lists.contains(list) { lists.append(list) }
        }
        lists.sort { $0.count < $1.count }
        guard let rarest = lists.first else { return [] }
        var found = try blocks(rarest, &pace)
        for list in lists.dropFirst() {
            // Reading a list costs less than looking at keys only while it is not much longer.
            guard found.count > 16, list.count < 16 * found.count else { break }
            found = SortedNumbers.intersection(found, try blocks(list, &pace))
        }
        return found
    }

    /// The first blocks of keys that have the rarest trigram of a pattern, ascending.
    func firstCandidates(containing needle: Span<UInt8>, atMost count: Int) -> [UInt32] {
        var rarest: Range<Int>?
        for start in 0...needle.count - Self.length {
            guard let list = grams.list(of: Self.gram(needle, at: start), limit: blob.count) else {
                return []
            }
            if list.count < rarest?.count ?? .max { rarest = list }
        }
        guard let rarest else { return [] }
        return blocks(rarest, atMost: count)
    }

    /// The keys of a block, of so many.
    func keys(ofBlock block: UInt32, of count: Int) -> Range<Int> {
        let start = min(count, Int(block) * blockLength)
        return start..<min(count, start + blockLength)
    }

    private func blocks(
        _ list: Range<Int>, _ pace: inout CheckPace
    ) throws(SearchStop) -> [UInt32] {
        try pace.step(list.count)
        return blocks(list, atMost: .max)
    }

    private func blocks(_ list: Range<Int>, atMost count: Int) -> [UInt32] {
        let blob = blob
        guard blockLength > 1 else {
            return LEB128Gaps.numbers(blob.bytes.extracting(list), atMost: count)
        }
        return GapCodes.list(blob.bytes, in: list, atMost: count)
    }

    @inline(__always)
    static func gram(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
        UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
    }
}

extension GramTable {
    /// The table of a segment; nil when it has none.
    init?(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        let kind = table.first(of: .blockGrams, else: .termGrams)
        guard table.bytes(of: Section(kind)) != nil else { return nil }
        var reader = try table.reader(of: Section(kind))
        let count = try reader.count()
        if kind == .blockGrams {
            grams = .framed(
                try FramedNumbers(&reader, count: count),
                try FramedOffsets(&reader, count: count + 1))
            blockLength = Self.packedBlockLength
        } else {
            grams = .plain(try reader.array(count: count), try reader.array(count: count + 1))
            blockLength = 1
        }
        let length = try reader.count()
        blob = try reader.blob(count: length)
        try reader.requireEnd()
    }
}

/// Trigrams and where the list of each begins, and the last ends.
enum GramNumbers: Sendable {
    case plain(PackedArray<UInt32>, PackedArray<UInt32>)
    case framed(FramedNumbers, FramedOffsets)

    /// Where the list of a trigram lies; nil for one that does not occur.
    func list(of gram: UInt32, limit: Int) -> Range<Int>? {
        switch self {
        case .plain(let grams, let offsets):
            let place = Self.place(of: gram, count: grams.count) { grams[$0] }
            return place.map { offsets.range($0, limit: limit) }
        case .framed(let grams, let offsets):
            let place = Self.place(of: gram, count: grams.count) {
                UInt32(truncatingIfNeeded: grams[$0])
            }
            return place.map { offsets.range($0, limit: limit) }
        }
    }

    @inline(__always)
    private static func place(of gram: UInt32, count: Int, _ at: (Int) -> UInt32) -> Int? {
        let place = Bisection.end(from: 0, to: count) { at($0) < gram }
        return place < count && at(place) == gram ? place : nil
    }
}
