import FresnelKernels
import FresnelSystem

// One list per term across all attributes. A list is cut into blocks of 128 documents; every block
// has its greatest document number and its place in a table, so that seeking touches no postings.
// A block holds the document numbers (`DeltaBlock`), the byte length of each document's occurrences
// (`ValueBlock`), then the occurrences (`OccurrenceCoding`).
//
// A segment has two of these: one for the attributes that wildcards may cover, with a list for each
// term, and one for those aside (identifiers, domains, addresses), with a list for each term that
// occurs there. So words of texts are not mixed with the same words in identifiers.

/// The postings of the terms of a segment.
///
/// A class, so that a cursor on it counts one reference, not those of all arrays.
package final class PostingLists: Sendable {
    /// The documents of the segment.
    let documentCount: Int
    /// The terms that have lists, ascending; nil when every term has one.
    let terms: TermSet?
    /// Where the lists are in a segment that is not packed.
    private let plain: PlainListTable
    /// Where they are in a packed one; then there are no others.
    let packed: PackedListTable?
    /// Which lists are simple, of a packed segment that is not written yet.
    private let simple: [Bool]
    /// The greatest document number of each block.
    let lastDocuments: PackedArray<UInt32>
    /// Where each block begins, and where the last ends.
    let blockOffsets: PackedArray<UInt32>
    let blob: SharedBytes
    /// Whether short blocks and simple lists are bits (`GapBlock`, `PositionRun`), not LEB128.
    let isCoded: Bool

    init(
        documentCount: Int, terms: TermSet?, count: Int, plain: PlainListTable = PlainListTable(),
        packed: PackedListTable? = nil, simple: [Bool] = [], blocks: PostingBlockTable,
        isCoded: Bool = false
    ) {
        self.isCoded = isCoded
        self.count = count
        self.simple = simple
        self.documentCount = documentCount
        self.terms = terms
        self.plain = plain
        self.packed = packed
        lastDocuments = blocks.lastDocuments
        blockOffsets = blocks.offsets
        blob = blocks.blob
    }

    /// The number of lists.
    let count: Int

    /// Whether the segment is packed.
    var isPacked: Bool { packed != nil }

    /// The first block of each list that has some in the table of blocks, and behind the last.
    var blockStarts: PackedArray<UInt32> { packed?.longBlocks ?? plain.firstBlocks }

    /// The documents of a list.
    func documentCount(at place: Int) -> Int {
        packed?.count(ofList: place) ?? Int(plain.documentCounts[place])
    }

    /// The attributes of a list.
    func mask(at place: Int) -> UInt64 {
        packed?.mask(ofList: place) ?? plain.masks[place]
    }

    /// A list with all that is known of it.
    func list(at place: Int) -> PostingList {
        guard let packed else {
            let isSimple = place < simple.count && simple[place]
            let mask = plain.masks[place]
            return PostingList(
                documentCount: Int(plain.documentCounts[place]), mask: mask,
                simple: isSimple ? AttributeOrdinal(mask.trailingZeroBitCount) : nil,
                form: .blocks(plain.firstBlocks.range(place, limit: lastDocuments.count)))
        }
        switch packed.place(place) {
        case .other(let other): return list(packed, other)
        case .none: return PostingList()
        case .single(let index):
            guard let entry = packed.singles?.entry(index) else { return PostingList() }
            return PostingList(
                documentCount: Int(entry.document) < documentCount ? 1 : 0,
                mask: AttributeFilter.bit(of: entry.attribute), simple: entry.attribute,
                form: .single(entry))
        }
    }

    /// A list of a packed segment that is not a single one.
    func list(_ packed: PackedListTable, _ other: Int) -> PostingList {
        let mask = packed.mask(other)
        let extent = packed.extent(other, limit: lastDocuments.count)
        return PostingList(
            documentCount: extent.documentCount, mask: mask,
            simple: packed.isSimple(other) ? AttributeOrdinal(mask.trailingZeroBitCount) : nil,
            form: extent.blocks.map { .blocks($0) } ?? .block(min(blob.count, packed.start(other))))
    }

    /// The list of a term; one without documents when it has none.
    func list(of term: TermID) -> PostingList {
        place(of: term).map { list(at: $0) } ?? PostingList()
    }

    /// The place of a term's list; nil when it has none.
    func place(of term: TermID) -> Int? {
        guard let terms else { return Int(term) }
        return terms.place(of: term)
    }

    /// The terms of the lists, in the order of these.
    var listedTerms: [TermID] {
        guard let terms else { return (0..<count).map { TermID($0) } }
        return Array(terms.all.prefix(count))
    }

    /// How many documents have a term, in any attribute.
    package func documentCount(of term: TermID) -> Int {
        place(of: term).map { documentCount(at: $0) } ?? 0
    }

    /// The attributes in which a term occurs, as a mask for `AttributeFilter`.
    package func attributeMask(of term: TermID) -> UInt64 {
        place(of: term).map { mask(at: $0) } ?? 0
    }

    /// A cursor on the first document of a term.
    @inline(__always)
    package func cursor(for term: TermID) -> PostingCursor { PostingCursor(self, term) }
}

/// Where the lists of a segment are that is not packed: a section of it.
struct PlainListTable {
    /// How many documents have each term.
    var documentCounts = PackedArray<UInt32>()
    /// The first block of each term, and behind the last.
    var firstBlocks = PackedArray<UInt32>()
    /// The attributes of each term (`AttributeFilter`).
    var masks = PackedArray<UInt64>()
}

/// The blocks of all lists: a section of a segment.
struct PostingBlockTable {
    let lastDocuments: PackedArray<UInt32>
    let offsets: PackedArray<UInt32>
    let blob: SharedBytes
}
