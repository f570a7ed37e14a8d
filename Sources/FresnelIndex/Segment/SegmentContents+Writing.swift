import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelText

extension SegmentContents {
    /// The bytes of the segment.
    func encoded() throws(SegmentError) -> SegmentBlob {
        guard documentCount <= SegmentFormat.documentLimit else {
            throw .tooManyDocuments(documentCount, limit: SegmentFormat.documentLimit)
        }
        var writer = SectionWriter(capacity: stored.bytes.count * 4 + 4096)
        let order = IdentifierOrder(identifiers)
        try writeDocuments(order, to: &writer)
        try writeTerms(to: &writer)
        for (ordinal, attribute) in attributes.enumerated() {
            let column = ColumnWriter(
                attribute: attribute, ordinal: AttributeOrdinal(ordinal),
                documentCount: documentCount, ranks: order.ranks)
            try column.write(to: &writer)
        }
        try writeAsideTerms(to: &writer)
        try writeScoreTables(order.ranks, to: &writer)
        writer.finish()
        return SegmentBlob(writer.bytes)
    }

    private func writeDocuments(
        _ order: IdentifierOrder, to writer: inout SectionWriter
    ) throws(SegmentError) {
        try writer.section(Section(.summary)) { writer in
            writer.number(documentCount)
            writer.number(terms.count)
            writer.number(attributes.count)
        }
        try writer.section(Section(.attributes)) { writer in
            writer.array(attributes.map(\.parts.rawValue))
            var names = StringArena()
            for attribute in attributes { names.append(Array(attribute.name.utf8)) }
            writer.strings(names)
        }
        try writer.section(Section(.versions)) { writer in
            writer.number(createdSequences.min() ?? 0)
            writer.number(createdSequences.max() ?? 0)
            writer.number((expirations.min() ?? .infinity).bitPattern)
            writer.array(createdSequences)
            writer.array(expirations)
        }
        try writer.section(Section(.identifiers)) { writer in
            writer.strings(identifiers)
            writer.array(order.documents)
            writer.array(order.ranks)
            writer.number(order.slots.count)
            writer.array(order.slots)
        }
        try writer.section(Section(.store)) { $0.strings(stored) }
    }

    private func writeTerms(to writer: inout SectionWriter) throws(SegmentError) {
        try writer.section(Section(.terms)) { $0.texts(terms) }
        try writer.section(Section(.camel)) { writer in
            let camel = CamelOrder(terms)
            writer.number(camel.entries.count)
            writer.array(camel.entries.map(\.term))
            writer.array(camel.entries.map(\.start))
            writer.array(camel.entries.map(\.end))
        }
        try writer.section(Section(.postingLists)) { writer in
            writer.array(postings.documentCounts)
            writer.array(postings.firstBlocks)
            writer.array(postings.masks)
        }
        try writer.section(Section(.postingBlocks)) { postings.writeBlocks(to: &$0) }
    }

    /// The sections that version 2 brought, behind those of the attributes.
    private func writeAsideTerms(to writer: inout SectionWriter) throws(SegmentError) {
        if !asideTerms.isEmpty {
            try writer.section(Section(.asideLists)) { writer in
                writer.number(asideTerms.count)
                writer.array(asideTerms)
                writer.array(asidePostings.documentCounts)
                writer.array(asidePostings.firstBlocks)
                writer.array(asidePostings.masks)
            }
            try writer.section(Section(.asideBlocks)) { asidePostings.writeBlocks(to: &$0) }
        }
        guard terms.count > SegmentFormat.gramTerms else { return }
        try writer.section(Section(.termGrams)) { writer in
            let grams = GramContents(terms.keys.offsets.span, terms.keys.bytes.span)
            writer.number(grams.grams.count)
            writer.array(grams.grams)
            writer.array(grams.offsets)
            writer.number(grams.blob.count)
            writer.array(grams.blob)
        }
    }

    private func writeScoreTables(
        _ ranks: [UInt32], to writer: inout SectionWriter
    ) throws(SegmentError) {
        guard documentCount > SegmentFormat.bestPostingsDocuments else { return }
        let tables = scoreTables(ranks)
        let (best, impacts) = (tables.best, tables.impacts)
        if !best.terms.isEmpty {
            try writer.section(Section(.bestPostings)) { writer in
                writer.number(best.terms.count)
                writer.number(best.documents.count)
                writer.array(best.terms)
                writer.array(best.offsets)
                writer.array(best.documents)
                writer.array(best.sums)
                writer.array(best.rests)
                writer.array(best.nexts)
                writer.array(tables.constants)
            }
        }
        guard !impacts.terms.isEmpty else { return }
        try writer.section(Section(.impacts)) { writer in
            writer.number(impacts.terms.count)
            writer.number(impacts.codes.count)
            writer.array(ImpactContents.levels)
            writer.array(tables.constants)
            writer.array(impacts.terms)
            writer.array(impacts.offsets)
            writer.array(impacts.codes)
        }
    }

    private func scoreTables(_ ranks: [UInt32]) -> ScoreTables {
        let definitions = attributes.map { AttributeTable.definition(named: $0.name) }
        let weights = FieldWeights(
            definitions: definitions, lengths: attributes.map { $0.fieldLengths(documentCount) })
        let known = definitions.indices.filter { definitions[$0] != nil }
        let filter = AttributeFilter(
            known.map { AttributeOrdinal($0) }, attributeCount: attributes.count)
        return ScoreTables(
            postings.lists(documentCount), weights, in: filter, ranks: PackedArray(copying: ranks))
    }
}

extension AttributeContents {
    /// The tokens of each document, as a segment will have them.
    fileprivate func fieldLengths(_ documentCount: Int) -> FieldLengths? {
        guard hasText else { return nil }
        var lengths = [UInt16](repeating: 0, count: documentCount)
        for (place, document) in documents.enumerated() {
            lengths[Int(document)] = tokenCounts[place]
        }
        let presence = Presence(
            documentCount: documentCount, count: documents.count, words: PackedArray(),
            list: PackedArray(), isDense: true)
        return FieldLengths(presence: presence, lengths: PackedArray(copying: lengths))
    }
}

extension PostingWriter {
    fileprivate func writeBlocks(to writer: inout SectionWriter) {
        writer.number(lastDocuments.count)
        writer.array(lastDocuments)
        writer.array(blockOffsets)
        writer.number(blob.count)
        writer.array(blob)
    }

    /// The lists as a segment of so many documents will have them.
    fileprivate func lists(_ documentCount: Int) -> PostingLists {
        PostingLists(
            documentCount: documentCount, terms: nil,
            documentCounts: PackedArray(copying: documentCounts),
            firstBlocks: PackedArray(copying: firstBlocks), masks: PackedArray(copying: masks),
            blocks: PostingBlockTable(
                lastDocuments: PackedArray(copying: lastDocuments),
                offsets: PackedArray(copying: blockOffsets), blob: SharedBytes(blob)))
    }
}
