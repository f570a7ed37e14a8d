import FresnelKernels

/// Writes the sections of one attribute.
struct ColumnWriter {
    let attribute: AttributeContents
    let ordinal: AttributeOrdinal
    let documentCount: Int
    /// The place of each document's identifier.
    private let ranks: [UInt32]
    /// Whether the segment is packed.
    private let isPacked: Bool
    /// Whether every document gets a row: when at least a quarter of them have a value.
    private let isDense: Bool

    init(
        attribute: AttributeContents, ordinal: AttributeOrdinal, documentCount: Int,
        ranks: [UInt32], isPacked: Bool = false
    ) {
        self.isPacked = isPacked
        self.ranks = ranks
        self.attribute = attribute
        self.ordinal = ordinal
        self.documentCount = documentCount
        isDense = attribute.documents.count * 4 >= documentCount
    }

    func write(to writer: inout SectionWriter) throws(SegmentError) {
        try writer.section(Section(.presence, of: ordinal)) { writePresence(to: &$0) }
        let parts = attribute.parts
        if parts.contains(.text) {
            var lengths = [UInt16](repeating: 0, count: rowCount)
            for (index, count) in attribute.tokenCounts.enumerated() {
                lengths[row(index)] = count
            }
            try write(lengths, to: &writer)
        }
        if parts.contains(.strings) { try writeStrings(to: &writer) }
        if parts.contains(.numbers) {
            try write(attribute.numbers, .numbers, .packedNumbers, to: &writer)
        }
        if parts.contains(.dates) {
            try write(attribute.dates, .dates, .packedDates, to: &writer)
        }
    }

    private func write(
        _ lengths: [UInt16], to writer: inout SectionWriter
    ) throws(SegmentError) {
        let kind: SectionKind = isPacked ? .narrowLengths : .fieldLengths
        try writer.section(Section(kind, of: ordinal)) { writer in
            guard isPacked else { return writer.array(lengths) }
            NarrowLengthContents(lengths).write(to: &writer)
        }
    }

    private var rowCount: Int { isDense ? documentCount : attribute.documents.count }

    /// The row of the attribute's document at a place of its list.
    private func row(_ index: Int) -> Int { isDense ? Int(attribute.documents[index]) : index }

    private func writePresence(to writer: inout SectionWriter) {
        writer.number(isDense ? 1 : 0)
        writer.number(attribute.documents.count)
        guard isDense else { return writer.array(attribute.documents) }
        if isPacked, attribute.documents.count == documentCount { return }
        var set = Bitset(count: documentCount)
        set.insert(attribute.documents.span)
        writer.array(set.words)
    }

    func writeStrings(to writer: inout SectionWriter) throws(SegmentError) {
        try writer.section(Section(.stringValues, of: ordinal)) { writer in
            writer.number(attribute.values.count)
            writer.texts(attribute.values)
        }
        try writer.section(Section(.stringRows, of: ordinal)) { writer in
            writeOffsets(attribute.ranks, to: &writer)
            let ranks = rows(attribute.ranks, absent: StringColumn.noRank)
            writer.number(ranks.count)
            writer.array(ranks)
            let inverse = documentsByRank()
            writer.array(inverse.offsets)
            writer.number(inverse.documents.count)
            writer.array(inverse.documents)
        }
    }

    /// For each rank its documents, ascending and distinct, by counting.
    private func documentsByRank() -> (offsets: [UInt32], documents: [UInt32]) {
        var last = [UInt32](repeating: .max, count: attribute.values.count)
        var offsets = [UInt32](repeating: 0, count: attribute.values.count + 1)
        forEachRank { rank, document in
            guard last[rank] != document else { return }
            last[rank] = document
            offsets[rank + 1] += 1
        }
        for rank in 0..<attribute.values.count { offsets[rank + 1] += offsets[rank] }
        var next = offsets
        var documents = [UInt32](repeating: 0, count: Int(offsets[attribute.values.count]))
        last = [UInt32](repeating: .max, count: attribute.values.count)
        forEachRank { rank, document in
            guard last[rank] != document else { return }
            last[rank] = document
            documents[Int(next[rank])] = document
            next[rank] += 1
        }
        return (offsets, documents)
    }

    private func forEachRank(_ body: (Int, UInt32) -> Void) {
        for (index, document) in attribute.documents.enumerated() {
            for rank in attribute.ranks[index] { body(Int(rank), document) }
        }
    }
}

extension ColumnWriter {
    /// A flag, then for rows of several elements where each begins.
    private func writeOffsets<Element>(
        _ lists: RowLists<Element>, to writer: inout SectionWriter
    ) {
        writer.number(lists.isMultiValued ? 1 : 0)
        guard lists.isMultiValued else { return }
        var offsets = [UInt32](repeating: 0, count: rowCount + 1)
        for index in attribute.documents.indices {
            offsets[row(index) + 1] = UInt32(lists[index].count)
        }
        for row in 0..<rowCount { offsets[row + 1] += offsets[row] }
        writer.array(offsets)
    }

    /// The elements row by row; one a row, absent where there is none, when no row has several.
    private func rows<Element>(_ lists: RowLists<Element>, absent: Element) -> [Element] {
        guard !lists.isMultiValued else { return lists.elements }
        var rows = [Element](repeating: absent, count: rowCount)
        for index in attribute.documents.indices {
            if let element = lists[index].first { rows[row(index)] = element }
        }
        return rows
    }

    private func write(
        _ lists: RowLists<Double>, _ plain: SectionKind, _ coded: SectionKind,
        to writer: inout SectionWriter
    ) throws(SegmentError) {
        if isPacked, !lists.isMultiValued,
            let codes = CodedNumberContents(rows(lists, absent: .nan))
        {
            return try writer.section(Section(coded, of: ordinal)) { writer in
                let sorted = SortedNumberContents(lists, of: attribute.documents, ranks: ranks)
                codes.write(sorted.values, to: &writer)
                writeZones(lists, to: &writer)
                writer.number(sorted.documents.count)
                writer.array(SortedDocuments.words(sorted.documents, of: documentCount))
            }
        }
        try writer.section(Section(plain, of: ordinal)) { write(lists, to: &$0) }
    }

    private func writeZones(_ lists: RowLists<Double>, to writer: inout SectionWriter) {
        let zones = ZoneContents(lists, of: attribute.documents, documentCount: documentCount)
        writer.array(zones.minima)
        writer.array(zones.maxima)
        writer.array(zones.counts)
    }

    private func write(_ lists: RowLists<Double>, to writer: inout SectionWriter) {
        writeOffsets(lists, to: &writer)
        let values = rows(lists, absent: .nan)
        writer.number(values.count)
        writer.array(values)
        writeZones(lists, to: &writer)
        let sorted = SortedNumberContents(lists, of: attribute.documents, ranks: ranks)
        writer.number(sorted.values.count)
        writer.array(sorted.values)
        writer.array(sorted.documents)
    }
}
