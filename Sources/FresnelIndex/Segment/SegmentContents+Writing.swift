import FresnelKernels
import FresnelModel
import FresnelSystem
import FresnelText

extension SegmentContents {
    /// The bytes of the segment.
    func encoded(_ packing: SegmentPacking) throws(SegmentError) -> SegmentBlob {
        try encoded(isPacked: packing.packs(documentCount))
    }

    private func encoded(isPacked: Bool) throws(SegmentError) -> SegmentBlob {
        guard documentCount <= SegmentFormat.documentLimit else {
            throw .tooManyDocuments(documentCount, limit: SegmentFormat.documentLimit)
        }
        var writer = SectionWriter(capacity: stored.bytes.count * 2 + 4096)
        let order = IdentifierOrder(identifiers, hasSlots: !isPacked)
        try writeSummary(to: &writer)
        if isPacked {
            try writePackedDocuments(order, to: &writer)
        } else {
            try writeDocuments(order, to: &writer)
        }
        try writeTerms(to: &writer)
        for (ordinal, attribute) in attributes.enumerated() {
            let column = ColumnWriter(
                attribute: attribute, ordinal: AttributeOrdinal(ordinal),
                documentCount: documentCount, ranks: order.ranks, isPacked: isPacked)
            try column.write(to: &writer)
        }
        try writeAsideTerms(to: &writer)
        try writeScoreTables(order.ranks, to: &writer)
        return SegmentBlob(writer.finish(version: version(isPacked: isPacked)))
    }

    private func version(isPacked: Bool) -> UInt32 {
        guard !isPacked else { return SegmentFormat.packedVersion }
        return attributes.contains { $0.form != .column }
            ? SegmentFormat.version : SegmentFormat.plainVersion
    }

    private func writeSummary(to writer: inout SectionWriter) throws(SegmentError) {
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
    }

    private func writeVersionBounds(to writer: inout SectionWriter) {
        writer.number(createdSequences.min() ?? 0)
        writer.number(createdSequences.max() ?? 0)
        writer.number((expirations.min() ?? .infinity).bitPattern)
    }

    private func writePackedDocuments(
        _ order: IdentifierOrder, to writer: inout SectionWriter
    ) throws(SegmentError) {
        try writer.section(Section(.versionFrames)) { writer in
            writeVersionBounds(to: &writer)
            FramedContents(createdSequences).write(to: &writer)
            FramedContents(expirations.map(\.bitPattern)).write(to: &writer)
        }
        let blocks = TextBlockContents(identifiers, order: order.documents)
        let kind: SectionKind =
            blocks.map { $0.isCoded ? .codedIdentifiers : .identifierBlocks } ?? .identifierFilter
        try writer.section(Section(kind)) { writer in
            if let blocks {
                blocks.write(to: &writer)
            } else {
                writer.strings(identifiers)
            }
            let isSorted = order.isSorted
            writer.number(isSorted ? 1 : 0)
            if !isSorted {
                FramedPlaces.contents(of: order.documents).write(to: &writer)
                FramedPlaces.contents(of: order.ranks).write(to: &writer)
            }
            let words = IdentifierFilter.words(
                of: (0..<documentCount).map { Hash.checksum(of: identifiers[$0]) },
                count: documentCount)
            writer.number(words.count)
            writer.array(words)
        }
        if let blocks = StoredBlockContents(stored) {
            try writer.section(Section(.storeBlocks)) { blocks.write(to: &$0) }
        } else {
            try writer.section(Section(.store)) { $0.strings(stored) }
        }
        try writer.section(Section(.beginnings)) { writer in
            DocumentBeginningContents(stored, identifiers).write(to: &writer)
        }
        try writer.section(Section(.irregular)) { writer in
            let irregular = IrregularDocuments.list(of: self)
            writer.number(irregular.count)
            writer.array(irregular)
        }
    }

    private func writeDocuments(
        _ order: IdentifierOrder, to writer: inout SectionWriter
    ) throws(SegmentError) {
        try writer.section(Section(.versions)) { writer in
            writeVersionBounds(to: &writer)
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
        let hasBlocks = try writeTermTexts(to: &writer)
        try writer.section(Section(.camel)) { writer in
            // Where keys are one run of bytes, places are in that, else in the term's own key.
            let entries = CamelOrder(terms).entries
            let bases = entries.map { hasBlocks ? terms.keys.offsets[Int($0.term)] : 0 }
            writer.number(entries.count)
            writer.array(entries.map(\.term))
            writer.array(zip(entries, bases).map { $0.start - $1 })
            writer.array(zip(entries, bases).map { $0.end - $1 })
        }
        if let packed = postings.packedLists {
            try writer.section(Section(.singleLists)) { writer in
                packed.writeLists(documents: documentCount, to: &writer)
            }
            return try writer.section(Section(.codedBlocks)) { writer in
                packed.writeBlocks(postings.blob, to: &writer)
            }
        }
        try writer.section(Section(.postingLists)) { postings.writeLists(to: &$0) }
        try writer.section(Section(.postingBlocks)) { postings.writeBlocks(to: &$0) }
    }

    /// Writes the terms.
    ///
    /// - Returns: whether their keys stand in blocks.
    private func writeTermTexts(to writer: inout SectionWriter) throws(SegmentError) -> Bool {
        guard postings.isPacked else {
            try writer.section(Section(.terms)) { $0.texts(terms) }
            return false
        }
        // Without trigrams all keys are scanned, which is quicker where they are one run of bytes.
        let blocks =
            terms.count > SegmentFormat.gramTerms
            ? TextBlockContents(terms.keys, order: 0..<UInt32(terms.count)) : nil
        let kind: SectionKind =
            blocks.map { $0.isCoded ? .codedTerms : .blockTerms } ?? .framedTerms
        try writer.section(Section(kind)) { writer in
            if let blocks { blocks.write(to: &writer) } else { writer.framedStrings(terms.keys) }
            let places = (0..<terms.count).filter { !terms.originals.range($0).isEmpty }
            // Looking a rank up among few costs less than an offset for each text.
            let isSparse = places.count * 16 < terms.count
            writer.number(isSparse ? places.count : terms.count)
            guard isSparse else { return writer.strings(terms.originals) }
            var originals = StringArena()
            for place in places { originals.append(terms.originals[place]) }
            writer.array(places.map { UInt32($0) })
            writer.strings(originals)
            var flags = Bitset(count: terms.count)
            for place in places { flags.insert(place) }
            writer.array(flags.words)
        }
        return blocks != nil
    }

    private func writeAsidePostings(to writer: inout SectionWriter) throws(SegmentError) {
        if let packed = asidePostings.packedLists {
            try writer.section(Section(.singleAsideLists)) { writer in
                writer.number(asideTerms.count)
                TermSetContents(asideTerms, of: terms.count).write(to: &writer)
                packed.writeLists(documents: documentCount, to: &writer)
            }
            return try writer.section(Section(.codedAsideBlocks)) { writer in
                packed.writeBlocks(asidePostings.blob, to: &writer)
            }
        }
        try writer.section(Section(.asideLists)) { writer in
            writer.number(asideTerms.count)
            writer.array(asideTerms)
            asidePostings.writeLists(to: &writer)
        }
        try writer.section(Section(.asideBlocks)) { asidePostings.writeBlocks(to: &$0) }
    }

    /// The sections that version 2 brought, behind those of the attributes.
    private func writeAsideTerms(to writer: inout SectionWriter) throws(SegmentError) {
        if !asideTerms.isEmpty { try writeAsidePostings(to: &writer) }
        guard terms.count > SegmentFormat.gramTerms else { return }
        let isPacked = postings.isPacked
        try writer.section(Section(isPacked ? .blockGrams : .termGrams)) { writer in
            let (offsets, keys) = (terms.keys.offsets, terms.keys.bytes)
            GramContents(offsets.span, keys.span, isPacked: isPacked).write(to: &writer)
        }
    }

    private func writeScoreTables(
        _ ranks: [UInt32], to writer: inout SectionWriter
    ) throws(SegmentError) {
        guard documentCount > SegmentFormat.bestPostingsDocuments else { return }
        try scoreTables(ranks).write(isPacked: postings.isPacked, to: &writer)
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
    /// The tables of a packed segment; nil in others.
    fileprivate var packedLists: PackedListContents? {
        isPacked ? PackedListContents(self) : nil
    }

    fileprivate func writeLists(to writer: inout SectionWriter) {
        writer.array(documentCounts)
        writer.array(firstBlocks)
        writer.array(masks)
    }

    fileprivate func writeBlocks(to writer: inout SectionWriter) {
        writer.number(lastDocuments.count)
        writer.array(lastDocuments)
        writer.array(blockOffsets)
        writer.number(blob.count)
        writer.array(blob)
    }

    /// The lists as a segment of so many documents will have them.
    fileprivate func lists(_ documentCount: Int) -> PostingLists {
        let blocks = PostingBlockTable(
            lastDocuments: PackedArray(copying: lastDocuments),
            offsets: PackedArray(copying: blockOffsets),
            blob: SharedBytes(PackedListContents.padded(blob)))
        return PostingLists(
            documentCount: documentCount, terms: nil, count: documentCounts.count,
            plain: PlainListTable(
                documentCounts: PackedArray(copying: documentCounts),
                firstBlocks: PackedArray(copying: firstBlocks), masks: PackedArray(copying: masks)),
            simple: isPacked ? isSimple : [], blocks: blocks, isCoded: isPacked)
    }
}
