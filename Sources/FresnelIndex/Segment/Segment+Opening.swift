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

extension SortedTexts {
    init(_ reader: inout SectionReader, count: Int) throws(SegmentError) {
        keys = try reader.strings(count: count)
        blocks = nil
        originals = try reader.strings(count: count)
        (sparse, flags) = (PackedArray(), PackedArray())
    }

    /// Reads texts of a packed segment, which names the few that are not their own keys.
    ///
    /// - Parameter kind: how the keys are laid out.
    init(
        packed reader: inout SectionReader, count: Int, kind: SectionKind
    ) throws(SegmentError) {
        let hasBlocks = kind == .blockTerms || kind == .codedTerms
        blocks =
            hasBlocks
            ? try TextBlocks(
                &reader, count: count, isCoded: kind == .codedTerms, hasHeads: true) : nil
        keys =
            switch kind {
            case .blockTerms, .codedTerms: StringList()
            case .framedTerms: try reader.framedStrings(count: count)
            default: try reader.strings(count: count)
            }
        let originalCount = try reader.count(limit: count)
        let isSparse = originalCount < count
        sparse = try reader.array(count: isSparse ? originalCount : 0)
        originals = try reader.strings(count: originalCount)
        flags = try reader.array(count: isSparse ? (count + 63) / 64 : 0)
    }
}

extension TermDictionary {
    convenience init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        let kind = table.first(
            of: .codedTerms, .blockTerms, .framedTerms, .packedTerms, else: .terms)
        var reader = try table.reader(of: Section(kind))
        let texts =
            kind != .terms
            ? try SortedTexts(packed: &reader, count: counts.terms, kind: kind)
            : try SortedTexts(&reader, count: counts.terms)
        try reader.requireEnd()
        var camel = try table.reader(of: Section(.camel))
        let count = try camel.count()
        let boundaries = CamelTable(
            terms: try camel.array(count: count), starts: try camel.array(count: count),
            ends: try camel.array(count: count))
        try camel.requireEnd()
        self.init(texts: texts, camel: boundaries, grams: try GramTable(table, counts))
    }
}

extension PostingLists {
    /// The lists with one for each term.
    static func main(
        _ table: SectionTable, _ counts: SegmentCounts
    ) throws(SegmentError) -> PostingLists {
        let kind = table.first(of: .singleLists, .framedLists, .packedLists, else: .postingLists)
        var lists = try table.reader(of: Section(kind))
        let blocks = table.first(of: .codedBlocks, .packedBlocks, else: .postingBlocks)
        return try PostingLists(
            &lists, try table.reader(of: Section(blocks)), counts, terms: nil, count: counts.terms,
            kind: kind)
    }

    /// The lists of the attributes aside; nil where there are none.
    static func aside(
        _ table: SectionTable, _ counts: SegmentCounts
    ) throws(SegmentError) -> PostingLists? {
        let kind = table.first(
            of: .singleAsideLists, .framedAsideLists, .packedAsideLists, else: .asideLists)
        guard table.bytes(of: Section(kind)) != nil else { return nil }
        var lists = try table.reader(of: Section(kind))
        let count = try lists.count(limit: counts.terms)
        let hasBits = kind == .singleAsideLists || kind == .framedAsideLists
        let terms =
            hasBits
            ? try TermSet(
                &lists, count: count, terms: counts.terms,
                rankLength: kind == .framedAsideLists
                    ? TermSet.longRankLength : TermSet.rankLength)
            : TermSet(try lists.array(count: count))
        let blocks = table.first(of: .codedAsideBlocks, .packedAsideBlocks, else: .asideBlocks)
        return try PostingLists(
            &lists, try table.reader(of: Section(blocks)), counts, terms: terms, count: count,
            kind: kind)
    }

    private convenience init(
        _ lists: inout SectionReader, _ blocks: SectionReader, _ counts: SegmentCounts,
        terms: TermSet?, count: Int, kind: SectionKind
    ) throws(SegmentError) {
        let form: PackedListTable.Form? =
            switch kind {
            case .singleLists, .singleAsideLists: .single
            case .framedLists, .framedAsideLists: .framed
            case .packedLists, .packedAsideLists: .plain
            default: nil
            }
        var packed: PackedListTable?
        if let form {
            packed = try PackedListTable(
                &lists, count: count, form: form, documents: counts.documents)
        }
        let plain = form == nil ? try PlainListTable(&lists, count: count) : PlainListTable()
        try lists.requireEnd()
        self.init(
            documentCount: counts.documents, terms: terms, count: count, plain: plain,
            packed: packed, blocks: try PostingBlockTable(blocks), isCoded: form == .single)
    }
}

extension PlainListTable {
    init(_ lists: inout SectionReader, count: Int) throws(SegmentError) {
        documentCounts = try lists.array(count: count)
        firstBlocks = try lists.array(count: count + 1)
        masks = try lists.array(count: count)
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
