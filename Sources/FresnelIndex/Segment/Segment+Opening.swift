import FresnelSystem

/// What the summary of a segment counts.
struct SegmentCounts {
    let documents: Int
    let terms: Int
    let attributes: Int

    init(_ table: SectionTable) throws(SegmentError) {
        var reader = try table.reader(of: Section(.summary))
        documents = try reader.count(limit: SegmentFormat.documentLimit)
        terms = try reader.count(limit: Int(UInt32.max) - 1)
        attributes = try reader.count(limit: Int(Section.none))
        try reader.requireEnd()
    }
}

extension DocumentVersions {
    init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        var reader = try table.reader(of: Section(.versions))
        firstSequence = try reader.number()
        lastSequence = try reader.number()
        firstExpiration = Double(bitPattern: try reader.number())
        createdSequences = try reader.array(count: counts.documents)
        expirations = try reader.array(count: counts.documents)
        try reader.requireEnd()
    }
}

extension Identifiers {
    init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        var reader = try table.reader(of: Section(.identifiers))
        texts = try reader.strings(count: counts.documents)
        order = try reader.array(count: counts.documents)
        ranks = try reader.array(count: counts.documents)
        let slotCount = try reader.count()
        guard slotCount & (slotCount - 1) == 0 else {
            throw reader.broken("the slots of the hash table are a power of two")
        }
        slots = try reader.array(count: slotCount)
        try reader.requireEnd()
    }
}

extension StoredDocuments {
    init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        var reader = try table.reader(of: Section(.store))
        documents = try reader.strings(count: counts.documents)
        try reader.requireEnd()
    }
}

extension SortedTexts {
    init(_ reader: inout SectionReader, count: Int) throws(SegmentError) {
        keys = try reader.strings(count: count)
        originals = try reader.strings(count: count)
    }
}

extension TermDictionary {
    init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        var reader = try table.reader(of: Section(.terms))
        texts = try SortedTexts(&reader, count: counts.terms)
        try reader.requireEnd()
        var camel = try table.reader(of: Section(.camel))
        let count = try camel.count()
        self.camel = CamelTable(
            terms: try camel.array(count: count), starts: try camel.array(count: count),
            ends: try camel.array(count: count))
        try camel.requireEnd()
        grams = try GramTable(table, counts)
    }
}

extension PostingLists {
    /// The lists with one for each term.
    static func main(
        _ table: SectionTable, _ counts: SegmentCounts
    ) throws(SegmentError) -> PostingLists {
        var lists = try table.reader(of: Section(.postingLists))
        return try PostingLists(
            &lists, table.reader(of: Section(.postingBlocks)), counts, terms: nil,
            count: counts.terms)
    }

    /// The lists of the attributes aside; nil where there are none.
    static func aside(
        _ table: SectionTable, _ counts: SegmentCounts
    ) throws(SegmentError) -> PostingLists? {
        guard table.bytes(of: Section(.asideLists)) != nil else { return nil }
        var lists = try table.reader(of: Section(.asideLists))
        let count = try lists.count(limit: counts.terms)
        let terms: PackedArray<UInt32> = try lists.array(count: count)
        return try PostingLists(
            &lists, table.reader(of: Section(.asideBlocks)), counts, terms: terms, count: count)
    }

    private convenience init(
        _ lists: inout SectionReader, _ blocks: SectionReader, _ counts: SegmentCounts,
        terms: PackedArray<UInt32>?, count: Int
    ) throws(SegmentError) {
        let documentCounts: PackedArray<UInt32> = try lists.array(count: count)
        let firstBlocks: PackedArray<UInt32> = try lists.array(count: count + 1)
        let masks: PackedArray<UInt64> = try lists.array(count: count)
        try lists.requireEnd()
        self.init(
            documentCount: counts.documents, terms: terms, documentCounts: documentCounts,
            firstBlocks: firstBlocks, masks: masks, blocks: try PostingBlockTable(blocks))
    }
}

extension PostingBlockTable {
    init(_ reader: SectionReader) throws(SegmentError) {
        var blocks = reader
        let count = try blocks.count()
        lastDocuments = try blocks.array(count: count)
        offsets = try blocks.array(count: count + 1)
        let length = try blocks.count()
        blob = try blocks.blob(count: length)
        try blocks.requireEnd()
    }
}
