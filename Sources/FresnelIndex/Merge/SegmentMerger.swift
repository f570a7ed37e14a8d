import FresnelKernels

// Dictionaries and postings are merged directly; no document is decoded or tokenized again. The
// documents of the first source come first, in their order, then those of the second. The result is
// byte for byte the segment the builder would make of the surviving documents in that order.

/// Makes one segment of the living documents of several.
package struct SegmentMerger {
    let sources: [MergeSource]
    /// For each source, old document number → new, or `dropped`.
    let numbers: [[DocumentNumber]]
    var contents = SegmentContents()

    /// Merges segments; give older ones first, so that versions of a document stay in order.
    ///
    /// Sources are checked first: damage must not get a fresh checksum.
    ///
    /// - Throws: `damagedSection` for a damaged source, `tooManyDocuments` or `tooLarge`.
    package static func merge(
        _ sources: [MergeSource]
    ) throws(SegmentError) -> MergedSegment {
        for source in sources {
            try SectionTable(source.segment.bytes).checkSections()
        }
        let count = sources.reduce(0) { $0 + $1.live.population }
        guard count <= SegmentFormat.documentLimit else {
            throw .tooManyDocuments(count, limit: SegmentFormat.documentLimit)
        }
        var merger = SegmentMerger(sources)
        merger.mergeDocuments()
        merger.mergeTerms(ordinals: merger.mergeAttributes())
        return MergedSegment(blob: try merger.contents.encoded(), newNumbers: merger.numbers)
    }

    private init(_ sources: [MergeSource]) {
        self.sources = sources
        var next: DocumentNumber = 0
        numbers = sources.map { source in
            var numbers = [DocumentNumber](
                repeating: MergedSegment.dropped, count: source.segment.documentCount)
            source.live.forEach { document in
                numbers[document] = next
                next += 1
            }
            return numbers
        }
    }

    private mutating func mergeDocuments() {
        for source in sources {
            let (versions, identifiers) = (source.segment.versions, source.segment.identifiers)
            let stored = source.segment.stored
            source.live.forEach { document in
                let document = DocumentNumber(document)
                contents.createdSequences.append(versions.createdSequence(of: document))
                contents.expirations.append(versions.expiration(of: document))
                contents.identifiers.append(identifiers.identifier(of: document))
                contents.stored.append(stored.encoded(document))
            }
        }
    }

    /// Merges the columns and returns for each source old attribute ordinal → new.
    private mutating func mergeAttributes() -> [[AttributeOrdinal]] {
        var ordinals = sources.map {
            [AttributeOrdinal](repeating: Section.none, count: $0.segment.attributes.count)
        }
        let names = Set(sources.flatMap { $0.segment.attributes.map(\.name) }).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        for name in names {
            let merge = AttributeMerge(name: name, sources: sources, numbers: numbers)
            guard let merged = merge.merged() else { continue }  // no living document has it
            let ordinal = AttributeOrdinal(contents.attributes.count)
            contents.attributes.append(merged)
            for (source, old) in merge.ordinals { ordinals[source][Int(old)] = ordinal }
        }
        return ordinals
    }

    private mutating func mergeTerms(ordinals: [[AttributeOrdinal]]) {
        let dictionaries = sources.map(\.segment.terms.texts)
        var merge = TextMerge(dictionaries)
        var group: [TextMerge.Entry] = []
        var router = PostingRouter(contents)
        while merge.next(into: &group) {
            for entry in group {
                let segment = sources[entry.source].segment
                for lists in [segment.postings, segment.asidePostings].compactMap({ $0 }) {
                    append(lists.cursor(for: entry.rank), entry.source, ordinals, &router)
                }
            }
            guard router.isOpen, let first = group.first else { continue }
            router.endTerm(of: &contents)
            contents.terms.append(first.rank, of: dictionaries[first.source])
        }
    }

    /// Adds the living postings of one list to the open term.
    private mutating func append(
        _ list: PostingCursor, _ source: Int, _ ordinals: [[AttributeOrdinal]],
        _ router: inout PostingRouter
    ) {
        var cursor = list
        while !cursor.isAtEnd {
            let number = numbers[source][Int(cursor.documentNumber)]
            if number != MergedSegment.dropped {
                cursor.forEachOccurrence { occurrence in
                    var renumbered = occurrence
                    renumbered.attribute = ordinals[source][Int(occurrence.attribute)]
                    router.append(renumbered, of: number, to: &contents)
                }
            }
            cursor.advance()
        }
    }
}
