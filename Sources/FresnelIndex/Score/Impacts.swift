import FresnelKernels
import FresnelModel
import FresnelSystem

// What a word adds to a document's score depends, beside the query, on its weighted occurrences.
// For every posting of a word that many documents have, a byte says what they are at most: one of
// 256 levels, of which sixteen double what they stand for. So the documents that cannot be among
// the best are known before any occurrence is read. (Impacts instead of maxima of blocks: where the
// lists of two words meet, hardly two documents are of the same block.)
//
// Bounds hold in floating point: contributions never fall where weights grow, and rounded sums
// never fall where a summand grows (`ScoreBounds`).

/// Upper bounds of the weighted occurrences of frequent words.
struct Impacts: Sendable {
    /// The words that have bounds, ascending.
    let terms: PackedArray<UInt32>
    /// Where the codes of each word begin, and where the last end.
    let offsets: PackedArray<UInt32>
    /// The bound that each code stands for, ascending.
    let levels: PackedArray<Double>
    /// Weight and reference length of each attribute that the codes were made with; 0 for
    /// attributes that take no part.
    let constants: PackedArray<Double>
    /// A code for each posting, in the order of the list; half a byte each with `narrow`.
    let codes: SharedBytes
    /// What the codes of a packed segment stand for; nil where they are places of `levels`.
    let narrow: NarrowLevels?

    /// Codes there are.
    static let levelCount = 256

    /// Where a word with so many documents has its codes, and its place among the words; nil when
    /// it has none.
    func codes(of term: TermID, documentCount: Int) -> (bytes: Range<Int>, place: Int)? {
        let place = Bisection.end(from: 0, to: terms.count) { terms[$0] < term }
        guard place < terms.count, terms[place] == term else { return nil }
        let range = offsets.range(place, limit: codes.count)
        let byteCount = narrow == nil ? documentCount : (documentCount + 1) / 2
        return range.count == byteCount ? (range, place) : nil
    }
}

extension Impacts {
    /// The bounds of a segment; nil when it has none.
    init?(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        let isNarrow = table.bytes(of: Section(.narrowImpacts)) != nil
        let section = Section(isNarrow ? .narrowImpacts : .impacts)
        guard table.bytes(of: section) != nil else { return nil }
        var reader = try table.reader(of: section)
        let count = try reader.count(limit: counts.terms)
        let length = try reader.count()
        levels = try reader.array(count: Self.levelCount)
        constants = try reader.array(count: 2 * counts.attributes)
        terms = try reader.array(count: count)
        offsets = try reader.array(count: count + 1)
        narrow =
            isNarrow
            ? NarrowLevels(places: try reader.array(count: NarrowLevels.count * count)) : nil
        codes = try reader.blob(count: length)
        try reader.requireEnd()
    }
}

/// The bounds of a new segment.
struct ImpactContents {
    private(set) var terms: [UInt32] = []
    private(set) var offsets: [UInt32] = [0]
    private(set) var codes: [UInt8] = []
    /// Sums that were met, and their codes: a word has few different ones.
    private var met = [(sum: Double, code: UInt8)](repeating: (0, 0), count: 1 << Self.metBits)
    private static let metBits: UInt64 = 8

    /// Each level is the one before times the sixteenth root of two; the last is beyond all.
    static let levels: [Double] = {
        var levels: [Double] = []
        var level = 0.015625
        for _ in 0..<Impacts.levelCount - 1 {
            levels.append(level)
            level *= 1.0442737824274138
        }
        return levels + [Double.greatestFiniteMagnitude]
    }()

    /// Adds the bounds of the next word.
    mutating func append(_ term: TermID, sums: [Double]) {
        terms.append(term)
        for sum in sums {
            let place = Int((sum.bitPattern &* 0x9E37_79B9_7F4A_7C15) >> (64 - Self.metBits))
            // What nobody has met stands there as 0, whose code is 0.
            if met[place].sum != sum { met[place] = (sum, Self.code(of: sum)) }
            codes.append(met[place].code)
        }
        offsets.append(UInt32(truncatingIfNeeded: codes.count))
    }

    /// The least code whose level is not below some weighted occurrences.
    static func code(of sum: Double) -> UInt8 {
        // The last one is of all that is more.
        let code = Bisection.end(from: 0, to: levels.count - 1) { levels[$0] < sum }
        return UInt8(truncatingIfNeeded: code)
    }
}
