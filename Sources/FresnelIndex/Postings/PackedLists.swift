import FresnelKernels
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
    /// The place of each list's attributes in `masks`, and whether the list `isSimple`; empty where
    /// `narrowCodes` are used.
    private let codes: PackedArray<UInt8>
    /// The same, the place doubled, plus 1 if the list is simple.
    let narrowCodes: NarrowNumbers
    /// The lists of a single occurrence, which all else here leaves out.
    let singles: SingleLists?
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

    /// - Parameters:
    ///   - count: all lists.
    ///   - form: which of the versions of the section it is.
    ///   - documents: how many the segment has.
    init(
        _ reader: inout SectionReader, count: Int, form: Form, documents: Int
    ) throws(SegmentError) {
        singles =
            form == .single
            ? try SingleLists(&reader, count: count, documents: documents) : nil
        let count = count - (singles?.count ?? 0)
        let isFramed = form != .plain
        let maskCount = try reader.count(limit: Self.maskLimit)
        masks = try reader.array(count: maskCount)
        counts = try reader.array(count: count)
        codes = try reader.array(count: form == .single ? 0 : count)
        narrowCodes =
            form == .single
            ? try NarrowNumbers(&reader, count: count, width: try reader.count(limit: 8))
            : NarrowNumbers()
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

    /// The versions of the section.
    enum Form {
        /// Version 4: offsets of 32 bits.
        case plain
        /// Version 5: offsets in frames.
        case framed
        /// Version 6: single occurrences aside.
        case single
    }

    /// Where a list stands: among the single ones, or among all others.
    enum Place {
        case single(Int)
        case other(Int)
        /// Nowhere: it is not a single one, and there are no others. So it is only where the table
        /// is damaged.
        case none
    }

    /// The place of a list, 0..<all lists.
    @inline(__always)
    func place(_ list: Int) -> Place {
        guard let singles else { return .other(list) }
        let (rank, isSingle) = singles.find(list)
        guard !isSingle else { return .single(rank) }
        guard counts.count > 0 else { return .none }
        return .other(max(0, min(list - rank, counts.count - 1)))
    }

    /// The documents of a list.
    func count(ofList list: Int) -> Int {
        switch place(list) {
        case .single: return 1
        case .other(let other): return documentCount(other)
        case .none: return 0
        }
    }

    /// The attributes of a list.
    func mask(ofList list: Int) -> UInt64 {
        switch place(list) {
        case .single(let index): return singles?.document(index).mask ?? 0
        case .other(let other): return mask(other)
        case .none: return 0
        }
    }

    /// Whether one of the others is of one attribute and has no element but the first.
    func isSimple(_ place: Int) -> Bool {
        guard narrowCodes.count > 0 else { return codes[place] & Self.simple != 0 }
        return narrowCodes[place] & 1 != 0
    }

    /// The attributes of one of the others; none where its code is damaged.
    func mask(_ place: Int) -> UInt64 {
        let code =
            narrowCodes.count > 0
            ? UInt8(truncatingIfNeeded: narrowCodes[place] >> 1) : codes[place] & ~Self.simple
        guard code != Self.other else { return otherMask(place) }
        return Int(code) < masks.count ? masks[Int(code)] : 0
    }

    private func otherMask(_ place: Int) -> UInt64 {
        Self.index(of: place, in: otherPlaces).map { otherMasks[$0] } ?? 0
    }

    /// The index of a list among some, ascending; nil when it is none of them.
    private static func index(of place: Int, in places: PackedArray<UInt32>) -> Int? {
        let places = places.span
        let index = Bisection.end(from: 0, to: places.count) { Int(places[$0]) < place }
        return index < places.count && Int(places[index]) == place ? index : nil
    }

    /// Where the block of a list begins that is not long.
    func start(_ place: Int) -> Int { Int(framed?[place] ?? starts[place]) }

    /// The index of a long list among those; nil where it is damaged.
    private func longIndex(_ place: Int) -> Int? {
        guard framed == nil else { return Self.index(of: place, in: longPlaces) }
        let index = Int(starts[place])
        return index < longCounts.count ? index : nil
    }

    /// The documents of one of the others.
    func documentCount(_ place: Int) -> Int {
        guard counts[place] == Self.long else { return Int(counts[place]) }
        return longIndex(place).map { Int(longCounts[$0]) } ?? 0
    }

    /// The documents of one of the others, and the blocks of a long list, found together; nil for a
    /// list of one block, which begins at `starts`.
    func extent(_ place: Int, limit: Int) -> (documentCount: Int, blocks: Range<Int>?) {
        guard counts[place] == Self.long else { return (Int(counts[place]), nil) }
        guard let index = longIndex(place) else { return (0, 0..<0) }
        return (Int(longCounts[index]), longBlocks.range(index, limit: limit))
    }
}
