import FresnelSystem

// Most terms occur in few documents. What a list of at most 128 documents needs besides its block
// is one byte for their number, one for its attributes, and where the block begins; blocks have a
// table only where a list has several. A term then costs 6 bytes beside its postings, not 24.

/// Where the posting lists of a packed segment are.
final class PackedListTable: Sendable {
    /// Different combinations of attributes.
    let masks: PackedArray<UInt64>
    /// The documents of each list, at most 128, or `long`.
    let counts: PackedArray<UInt8>
    /// The place of each list's attributes in `masks`, and whether the list `isSimple`.
    let codes: PackedArray<UInt8>
    /// Where the block of each list begins; of a long list its place among those.
    ///
    /// Empty where `framed` is used.
    private let starts: PackedArray<UInt32>
    /// Where each list begins, and where the last ends; nil where `starts` are used.
    let framed: FramedOffsets?
    /// The long lists, ascending; empty where `starts` name them.
    let longPlaces: PackedArray<UInt32>
    /// The lists whose attributes no code names, ascending, and those.
    private let otherPlaces: PackedArray<UInt32>
    private let otherMasks: PackedArray<UInt64>
    /// The documents of each long list.
    let longCounts: PackedArray<UInt32>
    /// The first block of each long list, and behind the last.
    let longBlocks: PackedArray<UInt32>

    /// Stands for more documents than one block has.
    static let long: UInt8 = 255
    /// In a code: the attributes stand in `otherMasks`.
    static let other: UInt8 = 0x7F
    /// In a code: the list is of one attribute and has no element but the first.
    static let simple: UInt8 = 0x80
    /// Combinations of attributes that codes can name.
    static let maskLimit = Int(other)

    init(
        _ reader: inout SectionReader, count: Int, isFramed: Bool
    ) throws(SegmentError) {
        let maskCount = try reader.count(limit: Self.maskLimit)
        masks = try reader.array(count: maskCount)
        counts = try reader.array(count: count)
        codes = try reader.array(count: count)
        starts = try reader.array(count: isFramed ? 0 : count)
        framed = isFramed ? try FramedOffsets(&reader, count: count + 1) : nil
        let otherCount = try reader.count(limit: count)
        otherPlaces = try reader.array(count: otherCount)
        otherMasks = try reader.array(count: otherCount)
        let longCount = try reader.count(limit: count)
        longPlaces = try reader.array(count: isFramed ? longCount : 0)
        longCounts = try reader.array(count: longCount)
        longBlocks = try reader.array(count: longCount + 1)
    }

    /// The attributes of a list; none where its code is damaged.
    func mask(_ place: Int) -> UInt64 {
        let code = codes[place] & ~Self.simple
        guard code != Self.other else { return otherMask(place) }
        return Int(code) < masks.count ? masks[Int(code)] : 0
    }

    private func otherMask(_ place: Int) -> UInt64 {
        Self.index(of: place, in: otherPlaces).map { otherMasks[$0] } ?? 0
    }

    /// The index of a list among some, ascending; nil when it is none of them.
    private static func index(of place: Int, in places: PackedArray<UInt32>) -> Int? {
        let places = places.span
        var (low, high) = (0, places.count)
        while low < high {
            let middle = low + (high - low) / 2
            if Int(places[middle]) < place { low = middle + 1 } else { high = middle }
        }
        return low < places.count && Int(places[low]) == place ? low : nil
    }

    /// Where the block of a list begins that is not long.
    func start(_ place: Int) -> Int { Int(framed?[place] ?? starts[place]) }

    /// The index of a long list among those; nil where it is damaged.
    private func longIndex(_ place: Int) -> Int? {
        guard framed == nil else { return Self.index(of: place, in: longPlaces) }
        let index = Int(starts[place])
        return index < longCounts.count ? index : nil
    }

    /// The attribute of a simple list; nil for others.
    func simpleAttribute(_ place: Int) -> AttributeOrdinal? {
        guard codes[place] & Self.simple != 0 else { return nil }
        return AttributeOrdinal(mask(place).trailingZeroBitCount)
    }

    /// The documents of a list.
    func documentCount(_ place: Int) -> Int {
        guard counts[place] == Self.long else { return Int(counts[place]) }
        return longIndex(place).map { Int(longCounts[$0]) } ?? 0
    }

    /// The blocks of a long list; nil for a list of one block, which begins at `starts`.
    func blocks(_ place: Int, limit: Int) -> Range<Int>? {
        guard counts[place] == Self.long else { return nil }
        return longIndex(place).map { longBlocks.range($0, limit: limit) } ?? 0..<0
    }
}

/// The same of a new segment.
struct PackedListContents {
    private(set) var masks: [UInt64] = []
    private(set) var counts: [UInt8] = []
    private(set) var codes: [UInt8] = []
    private(set) var starts: [UInt32] = []
    private(set) var otherPlaces: [UInt32] = []
    private(set) var otherMasks: [UInt64] = []
    private(set) var longPlaces: [UInt32] = []
    private(set) var longCounts: [UInt32] = []
    private(set) var longBlocks: [UInt32] = [0]
    private(set) var lastDocuments: [UInt32] = []
    private(set) var blockOffsets: [UInt32] = []

    init(_ lists: PostingWriter) {
        var places: [UInt64: UInt8] = [:]
        for (list, count) in lists.documentCounts.enumerated() {
            let mask = lists.masks[list]
            if places[mask] == nil, masks.count < PackedListTable.maskLimit {
                places[mask] = UInt8(masks.count)
                masks.append(mask)
            }
            if places[mask] == nil {
                otherPlaces.append(UInt32(list))
                otherMasks.append(mask)
            }
            let simple = lists.isSimple[list] ? PackedListTable.simple : 0
            codes.append((places[mask] ?? PackedListTable.other) | simple)
            let first = Int(lists.firstBlocks[list])
            starts.append(lists.blockOffsets[first])
            guard count > 128 else {
                counts.append(UInt8(count))
                continue
            }
            counts.append(PackedListTable.long)
            longPlaces.append(UInt32(list))
            longCounts.append(count)
            let end = Int(lists.firstBlocks[list + 1])
            lastDocuments += lists.lastDocuments[first..<end]
            blockOffsets += lists.blockOffsets[first..<end]
            longBlocks.append(UInt32(lastDocuments.count))
        }
        starts.append(UInt32(truncatingIfNeeded: lists.blob.count))
    }

    func writeLists(to writer: inout SectionWriter) {
        writer.number(masks.count)
        writer.array(masks)
        writer.array(counts)
        writer.array(codes)
        FramedOffsetContents(starts).write(to: &writer)
        writer.number(otherPlaces.count)
        writer.array(otherPlaces)
        writer.array(otherMasks)
        writer.number(longCounts.count)
        writer.array(longPlaces)
        writer.array(longCounts)
        writer.array(longBlocks)
    }

    /// The blocks of long lists, and all bytes.
    func writeBlocks(_ blob: [UInt8], to writer: inout SectionWriter) {
        writer.number(lastDocuments.count)
        writer.array(lastDocuments)
        writer.array(blockOffsets + [UInt32(truncatingIfNeeded: blob.count)])
        writer.number(blob.count)
        writer.array(blob)
    }
}
