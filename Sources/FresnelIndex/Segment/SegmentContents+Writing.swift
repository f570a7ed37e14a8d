import FresnelKernels
import FresnelText

extension SegmentContents {
    /// The bytes of the segment.
    func encoded() throws(SegmentError) -> SegmentBlob {
        guard documentCount <= SegmentFormat.documentLimit else {
            throw .tooManyDocuments(documentCount, limit: SegmentFormat.documentLimit)
        }
        var writer = SectionWriter(capacity: stored.bytes.count * 4 + 4096)
        try writeDocuments(to: &writer)
        try writeTerms(to: &writer)
        for (ordinal, attribute) in attributes.enumerated() {
            let column = ColumnWriter(
                attribute: attribute, ordinal: AttributeOrdinal(ordinal),
                documentCount: documentCount)
            try column.write(to: &writer)
        }
        writer.finish()
        return SegmentBlob(writer.bytes)
    }

    private func writeDocuments(to writer: inout SectionWriter) throws(SegmentError) {
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
            let order = IdentifierOrder(identifiers)
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
        try writer.section(Section(.postingBlocks)) { writer in
            writer.number(postings.lastDocuments.count)
            writer.array(postings.lastDocuments)
            writer.array(postings.blockOffsets)
            writer.number(postings.blob.count)
            writer.array(postings.blob)
        }
    }
}
