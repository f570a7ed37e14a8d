package import FresnelKernels
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

    init(
        documentCount: Int, terms: TermSet?, plain: PlainListTable = PlainListTable(),
        packed: PackedListTable? = nil, simple: [Bool] = [], blocks: PostingBlockTable
    ) {
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
    var count: Int { packed?.counts.count ?? plain.documentCounts.count }

    /// Whether the segment is packed.
    var isPacked: Bool { packed != nil }

    /// The first block of each list that has some in the table of blocks, and behind the last.
    var blockStarts: PackedArray<UInt32> { packed?.longBlocks ?? plain.firstBlocks }

    /// The documents of a list.
    func documentCount(at place: Int) -> Int {
        packed?.documentCount(place) ?? Int(plain.documentCounts[place])
    }

    /// The attributes of a list.
    func mask(at place: Int) -> UInt64 { packed?.mask(place) ?? plain.masks[place] }

    /// The blocks of a list, by their places in the table of blocks; nil for a list of one block
    /// that is not in it and begins at `start`.
    func blocks(at place: Int) -> Range<Int>? {
        guard let packed else {
            return plain.firstBlocks.range(place, limit: lastDocuments.count)
        }
        return packed.blocks(place, limit: lastDocuments.count)
    }

    /// Where the only block of a list begins that is not in the table of blocks.
    func start(at place: Int) -> Int {
        min(blob.count, packed?.start(place) ?? blob.count)
    }

    /// The attribute of a list whose occurrences are positions alone (`SimpleOccurrences`).
    func simpleAttribute(at place: Int) -> AttributeOrdinal? {
        if let packed { return packed.simpleAttribute(place) }
        guard place < simple.count, simple[place] else { return nil }
        return AttributeOrdinal(mask(at: place).trailingZeroBitCount)
    }

    /// The place of a term's list; nil when it has none.
    func place(of term: TermID) -> Int? {
        guard let terms else { return Int(term) }
        return terms.place(of: term)
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
    package func cursor(for term: TermID) -> PostingCursor { PostingCursor(self, term) }

    /// Appends the documents that have a term in an attribute of the filter, ascending.
    package func appendDocuments(
        of term: TermID, in filter: AttributeFilter? = nil, to documents: inout [DocumentNumber],
        control: SearchControl? = nil
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        try appendDocuments(of: term, in: filter, to: &documents, &pace)
    }

    /// Adds the documents that have a term in an attribute of the filter to a set.
    package func insertDocuments(
        of term: TermID, in filter: AttributeFilter? = nil, into set: inout Bitset,
        control: SearchControl? = nil
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        try insertDocuments(of: term, in: filter, into: &set, &pace)
    }

    func appendDocuments(
        of term: TermID, in filter: AttributeFilter?, to documents: inout [DocumentNumber],
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term), filter?.mayMeet(mask(at: place)) ?? true else { return }
        guard let filter, !filter.covers(mask(at: place)) else {
            return try read(place, &pace) { PostingBlocks.append($0, to: &documents) }
        }
        var cursor = cursor(for: term)
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { documents.append(cursor.documentNumber) }
            cursor.advance()
        }
    }

    func insertDocuments(
        of term: TermID, in filter: AttributeFilter?, into set: inout Bitset,
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term), filter?.mayMeet(mask(at: place)) ?? true else { return }
        guard let filter, !filter.covers(mask(at: place)) else {
            let count = documentCount(at: place)
            guard count >= 128 else {
                return try insertShort(place, count, into: &set, &pace)
            }
            return try read(place, &pace) { PostingBlocks.insert($0, into: &set) }
        }
        var cursor = cursor(for: term)
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { set.insert(Int(cursor.documentNumber)) }
            cursor.advance()
        }
    }

    /// Adds the documents of a list of one block, as most lists are.
    private func insertShort(
        _ place: Int, _ count: Int, into set: inout Bitset, _ pace: inout CheckPace
    ) throws(SearchStop) {
        // A block, however few documents it has.
        try pace.step(128)
        let bytes = blob
        var range = start(at: place)..<bytes.count
        if let blocks = blocks(at: place) {
            guard !blocks.isEmpty else { return }
            range = blockOffsets.range(blocks.lowerBound, limit: bytes.count)
        }
        let block = bytes.bytes.extracting(range)
        PostingBlocks.insertShort(block, count: count, limit: documentCount, into: &set)
    }

    /// Adds the documents that have a term, which a filter covers wholly, to a set, and to another
    /// those that were in it already.
    func insertDocuments(
        of term: TermID, into set: inout Bitset, repeated: inout Bitset, _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term) else { return }
        try read(place, &pace) { PostingBlocks.insert($0, into: &set, repeated: &repeated) }
    }

    /// Blocks that are read between two looks at the budget.
    private static let blocksPerLook = 32

    /// Hands a list to `body` in pieces, as long as that reads them, with a look before each.
    private func read(
        _ place: Int, _ pace: inout CheckPace, _ body: (borrowing PostingBlocks.List) -> Bool
    ) throws(SearchStop) {
        let (blob, offsets) = (blob, blockOffsets)
        guard let blocks = blocks(at: place) else {
            let count = documentCount(at: place)
            guard count > 0 else { return }
            try pace.step(128)
            let ends: InlineArray<2, UInt32> = [UInt32(start(at: place)), UInt32(blob.count)]
            _ = body(
                PostingBlocks.List(
                    blob: blob.bytes, offsets: ends.span, count: count, limit: documentCount))
            return
        }
        // Damaged: fewer blocks than documents need.
        var left = min(documentCount(at: place), 128 * blocks.count)
        var block = blocks.lowerBound
        while left > 0 {
            let size = min(Self.blocksPerLook, (left + 127) / 128)
            try pace.step(128 * size)
            let count = min(left, 128 * size)
            let isRead = body(
                PostingBlocks.List(
                    blob: blob.bytes, offsets: offsets.span.extracting(block..<block + size + 1),
                    count: count, limit: documentCount,
                    floor: block == blocks.lowerBound ? 0 : lastDocuments[block - 1] &+ 1))
            guard isRead else { return }
            left -= count
            block += size
        }
    }
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
