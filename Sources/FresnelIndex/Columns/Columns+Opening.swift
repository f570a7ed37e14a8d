import FresnelSystem

extension SegmentAttribute {
    /// Reads the attribute table and the columns of every attribute.
    static func all(
        _ table: SectionTable, _ counts: SegmentCounts, _ stored: StoredDocuments,
        _ identifiers: Identifiers
    ) throws(SegmentError) -> [SegmentAttribute] {
        var reader = try table.reader(of: Section(.attributes))
        let parts: PackedArray<UInt32> = try reader.array(count: counts.attributes)
        let names = try reader.strings(count: counts.attributes)
        try reader.requireEnd()
        var attributes: [SegmentAttribute] = []
        for index in 0..<counts.attributes {
            let bytes = names[index]
            // What is wrong with the bytes does not matter: the file is refused either way.
            guard let utf8 = try? UTF8Span(validating: bytes) else {
                throw reader.broken("names are UTF-8")
            }
            let columns = ColumnOpening(
                table: table, ordinal: AttributeOrdinal(index), documentCount: counts.documents)
            let parts = Parts(rawValue: parts[index])
            attributes.append(
                try columns.attribute(
                    named: String(copying: utf8), parts,
                    parts.contains(.identifiers)
                        ? .identifiers(identifiers)
                        : parts.contains(.stored) ? .documents(stored) : nil))
        }
        return attributes
    }
}

/// Opens the columns of one attribute.
struct ColumnOpening {
    let table: SectionTable
    let ordinal: AttributeOrdinal
    let documentCount: Int

    func attribute(
        named name: String, _ parts: SegmentAttribute.Parts, _ source: StoredTexts.Source?
    ) throws(SegmentError) -> SegmentAttribute {
        let presence = try presence()
        return SegmentAttribute(
            name: name, parts: parts, presence: presence,
            fieldLengths: parts.contains(.text) ? try fieldLengths(presence) : nil,
            column: parts.contains(.strings) ? try strings(presence) : nil,
            storedTexts: source.map { StoredTexts($0, name: name, presence: presence) },
            numbers: parts.contains(.numbers)
                ? try numbers(.packedNumbers, .codedNumbers, .numbers, presence) : nil,
            dates: parts.contains(.dates)
                ? try numbers(.packedDates, .codedDates, .dates, presence) : nil)
    }

    private func presence() throws(SegmentError) -> Presence {
        var reader = try table.reader(of: Section(.presence, of: ordinal))
        let isDense = try reader.count(limit: 1) == 1
        let count = try reader.count(limit: documentCount)
        // Where all have a value, packed segments have no bits.
        let isWhole = isDense && count == documentCount && reader.isAtEnd
        let words: PackedArray<UInt64> = try reader.array(
            count: isDense && !isWhole ? (documentCount + 63) / 64 : 0)
        let list: PackedArray<UInt32> = try reader.array(count: isDense ? 0 : count)
        try reader.requireEnd()
        return Presence(
            documentCount: documentCount, count: count, words: words, list: list, isDense: isDense)
    }

    private func fieldLengths(_ presence: Presence) throws(SegmentError) -> FieldLengths {
        let kind = table.first(
            of: .narrowLengths, .shortLengths, else: .fieldLengths, attribute: ordinal)
        var reader = try table.reader(of: Section(kind, of: ordinal))
        let rows = presence.rowCount
        let lengths: PackedArray<UInt16> = try reader.array(count: kind == .fieldLengths ? rows : 0)
        let short: PackedArray<UInt8> = try reader.array(count: kind == .shortLengths ? rows : 0)
        let narrow =
            kind == .narrowLengths
            ? try NarrowNumbers(&reader, count: rows, width: try reader.count(limit: 16))
            : NarrowNumbers()
        let longCount = kind == .fieldLengths ? 0 : try reader.count(limit: rows)
        let longRows: PackedArray<UInt32> = try reader.array(count: longCount)
        let longLengths: PackedArray<UInt16> = try reader.array(count: longCount)
        try reader.requireEnd()
        return FieldLengths(
            presence: presence, lengths: lengths, short: short, narrow: narrow, longRows: longRows,
            longLengths: longLengths)
    }

    func strings(_ presence: Presence) throws(SegmentError) -> StringColumn {
        var texts = try table.reader(of: Section(.stringValues, of: ordinal))
        let valueCount = try texts.count()
        let values = try SortedTexts(&texts, count: valueCount)
        try texts.requireEnd()
        var rows = try table.reader(of: Section(.stringRows, of: ordinal))
        let rowOffsets = try rowOffsets(&rows, presence)
        let rankCount = try rows.count()
        let ranks: PackedArray<UInt32> = try rows.array(count: rankCount)
        let documentOffsets: PackedArray<UInt32> = try rows.array(count: valueCount + 1)
        let documentCount = try rows.count()
        let documents: PackedArray<UInt32> = try rows.array(count: documentCount)
        try rows.requireEnd()
        return StringColumn(
            values: values, presence: presence, rowOffsets: rowOffsets, ranks: ranks,
            documentOffsets: documentOffsets, documents: documents)
    }

    private func numbers(
        _ packed: SectionKind, _ coded: SectionKind, _ plain: SectionKind, _ presence: Presence
    ) throws(SegmentError) -> NumericColumn {
        let kind = table.first(of: packed, coded, else: plain, attribute: ordinal)
        let isCoded = kind != plain
        var reader = try table.reader(of: Section(kind, of: ordinal))
        let codes =
            isCoded ? try CodedNumbers(&reader, rowCount: presence.rowCount) : CodedNumbers()
        let rowOffsets: PackedArray<UInt32> =
            isCoded ? PackedArray() : try rowOffsets(&reader, presence)
        let valueCount = isCoded ? 0 : try reader.count()
        let values: PackedArray<Double> = try reader.array(count: valueCount)
        let zoneCount = (documentCount + SegmentFormat.zoneLength - 1) / SegmentFormat.zoneLength
        let zones = ZoneMap(
            minima: try reader.array(count: zoneCount), maxima: try reader.array(count: zoneCount),
            counts: try reader.array(count: zoneCount))
        let entryCount = try reader.count()
        let length = CodedNumbers.sampleLength
        guard !isCoded || codes.samples.count == (entryCount + length - 1) / length else {
            throw reader.broken("every 64th number is a sample")
        }
        let sortedValues: PackedArray<Double> = try reader.array(count: isCoded ? 0 : entryCount)
        let sortedDocuments =
            kind == packed
            ? try SortedDocuments(packed: &reader, count: entryCount, of: documentCount)
            : SortedDocuments(try reader.array(count: entryCount))
        try reader.requireEnd()
        return NumericColumn(
            presence: presence, zones: zones, rowOffsets: rowOffsets, values: values, codes: codes,
            sortedValues: sortedValues, sortedDocuments: sortedDocuments,
            hasRankedTies: table.version >= 2)
    }

    /// A flag, then an offset per row and one more when rows may have several elements.
    private func rowOffsets(
        _ reader: inout SectionReader, _ presence: Presence
    ) throws(SegmentError) -> PackedArray<UInt32> {
        let isMultiValued = try reader.count(limit: 1) == 1
        return try reader.array(count: isMultiValued ? presence.rowCount + 1 : 0)
    }
}
