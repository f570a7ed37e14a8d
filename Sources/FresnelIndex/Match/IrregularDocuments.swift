import FresnelKernels

/// Finds the documents of a segment that tokens alone cannot decide (`IrregularScalars`).
enum IrregularDocuments {
    /// The attribute whose text is not in the stored bytes: references such as `&trade;` hide it.
    private static let html = "HTMLContentData"

    /// The documents, ascending; a few too many do no harm.
    ///
    /// A packed segment has them written down; of another all stored documents are read.
    static func list(of segment: Segment) -> [DocumentNumber] {
        if let known = segment.irregular {
            let count = DocumentNumber(segment.documentCount)
            return (0..<known.count).map { known[$0] }.filter { $0 < count }
        }
        let page = segment.attribute(named: html)?.presence
        let stored = segment.stored
        var documents: [DocumentNumber] = []
        for number in 0..<DocumentNumber(segment.documentCount)
        where page?.contains(number) ?? false
            || stored.withEncoded(number, { IrregularScalars.occur(in: $0) })
        {
            documents.append(number)
        }
        return documents
    }

    /// The documents of new contents.
    static func list(of contents: SegmentContents) -> [DocumentNumber] {
        let pages = contents.attributes.first { $0.name == html }
        let irregular = Set(pages?.documents ?? [])
        return (0..<contents.documentCount).filter { number in
            irregular.contains(UInt32(number))
                || IrregularScalars.occur(in: contents.stored[number])
        }.map { DocumentNumber($0) }
    }

    /// The list of a packed segment; nil where there is none.
    static func list(
        _ table: SectionTable, _ counts: SegmentCounts
    ) throws(SegmentError) -> PackedArray<UInt32>? {
        guard table.bytes(of: Section(.irregular)) != nil else { return nil }
        var reader = try table.reader(of: Section(.irregular))
        let count = try reader.count(limit: counts.documents)
        let documents: PackedArray<UInt32> = try reader.array(count: count)
        try reader.requireEnd()
        return documents
    }
}
