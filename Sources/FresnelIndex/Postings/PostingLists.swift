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
    private func list(_ packed: PackedListTable, _ other: Int) -> PostingList {
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
        guard let place = place(of: term) else { return }
        let list = list(at: place)
        guard filter?.mayMeet(list.mask) ?? true else { return }
        guard let filter, !filter.covers(list.mask) else {
            return try appendDocuments(of: list, to: &documents, &pace)
        }
        var cursor = PostingCursor(self, list)
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { documents.append(cursor.documentNumber) }
            cursor.advance()
        }
    }

    /// Appends the documents of a list, ascending.
    func appendDocuments(
        of list: PostingList, to documents: inout [DocumentNumber], _ pace: inout CheckPace
    ) throws(SearchStop) {
        if let only = list.only {
            documents.append(only)
            return try pace.step(128)
        }
        try read(list, &pace) { PostingBlocks.append($0, to: &documents) }
    }

    func insertDocuments(
        of term: TermID, in filter: AttributeFilter?, into set: inout Bitset,
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term) else { return }
        let list: PostingList
        if let packed {
            switch packed.place(place) {
            case .single(let index):
                insertSingle(index, of: packed, in: filter, into: &set)
                return try pace.step(128)
            case .other(let other): list = self.list(packed, other)
            case .none: return
            }
        } else {
            list = self.list(at: place)
        }
        guard filter?.mayMeet(list.mask) ?? true else { return }
        guard let filter, !filter.covers(list.mask) else {
            guard list.documentCount >= 128 else {
                return try insertShort(list, into: &set, &pace)
            }
            return try read(list, &pace) { PostingBlocks.insert($0, into: &set) }
        }
        var cursor = cursor(for: term)
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { set.insert(Int(cursor.documentNumber)) }
            cursor.advance()
        }
    }

    /// Adds the document of a single list, as those of most terms of a pattern are.
    @inline(__always)
    private func insertSingle(
        _ index: Int, of packed: PackedListTable, in filter: AttributeFilter?,
        into set: inout Bitset
    ) {
        // Of one attribute, a filter has all or nothing.
        guard let (document, mask) = packed.singles?.document(index),
            Int(document) < documentCount, filter?.mayMeet(mask) ?? true
        else { return }
        set.insert(Int(document))
    }

    /// Adds the documents of a list of one block.
    private func insertShort(
        _ list: PostingList, into set: inout Bitset, _ pace: inout CheckPace
    ) throws(SearchStop) {
        // A block, however few documents it has.
        try pace.step(128)
        let bytes = blob
        let range: Range<Int>
        switch list.form {
        case .single: return
        case .block(let start): range = start..<bytes.count
        case .blocks(let blocks):
            guard !blocks.isEmpty else { return }
            range = blockOffsets.range(blocks.lowerBound, limit: bytes.count)
        }
        let block = bytes.bytes.extracting(range)
        PostingBlocks.insertShort(
            block, count: list.documentCount, limit: documentCount, isCoded: isCoded, into: &set)
    }

    /// Adds the documents that have a term, which a filter covers wholly, to a set, and to another
    /// those that were in it already.
    func insertDocuments(
        of term: TermID, into set: inout Bitset, repeated: inout Bitset, _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard let place = place(of: term) else { return }
        let list = list(at: place)
        if let only = list.only {
            if set.contains(Int(only)) { repeated.insert(Int(only)) }
            set.insert(Int(only))
            return try pace.step(128)
        }
        try read(list, &pace) { PostingBlocks.insert($0, into: &set, repeated: &repeated) }
    }

    /// Blocks that are read between two looks at the budget.
    private static let blocksPerLook = 32

    /// Hands a list to `body` in pieces, as long as that reads them, with a look before each.
    private func read(
        _ list: PostingList, _ pace: inout CheckPace,
        _ body: (borrowing PostingBlocks.List) -> Bool
    ) throws(SearchStop) {
        let (blob, offsets) = (blob, blockOffsets)
        let blocks: Range<Int>
        switch list.form {
        case .single: return
        case .blocks(let range): blocks = range
        case .block(let start):
            guard list.documentCount > 0 else { return }
            try pace.step(128)
            let ends: InlineArray<2, UInt32> = [UInt32(start), UInt32(blob.count)]
            _ = body(
                PostingBlocks.List(
                    blob: blob.bytes, offsets: ends.span, count: list.documentCount,
                    limit: documentCount, isCoded: isCoded))
            return
        }
        // Damaged: fewer blocks than documents need.
        var left = min(list.documentCount, 128 * blocks.count)
        var block = blocks.lowerBound
        while left > 0 {
            let size = min(Self.blocksPerLook, (left + 127) / 128)
            try pace.step(128 * size)
            let count = min(left, 128 * size)
            let isRead = body(
                PostingBlocks.List(
                    blob: blob.bytes, offsets: offsets.span.extracting(block..<block + size + 1),
                    count: count, limit: documentCount,
                    floor: block == blocks.lowerBound ? 0 : lastDocuments[block - 1] &+ 1,
                    isCoded: isCoded))
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
