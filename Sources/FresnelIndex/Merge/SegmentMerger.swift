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
        let postings = sources.map(\.segment.postings)
        var merge = TextMerge(dictionaries)
        var group: [TextMerge.Entry] = []
        var occurrences: [Occurrence] = []
        while merge.next(into: &group) {
            var isLive = false
            for entry in group {
                var cursor = postings[entry.source].cursor(for: entry.rank)
                while !cursor.isAtEnd {
                    let number = numbers[entry.source][Int(cursor.documentNumber)]
                    if number != MergedSegment.dropped {
                        isLive = true
                        contents.postings.beginDocument(number)
                        cursor.occurrences(into: &occurrences)
                        for occurrence in occurrences {
                            var renumbered = occurrence
                            renumbered.attribute = ordinals[entry.source][Int(occurrence.attribute)]
                            contents.postings.append(renumbered)
                        }
                    }
                    cursor.advance()
                }
            }
            guard isLive, let first = group.first else { continue }
            contents.postings.endTerm()
            contents.terms.append(first.rank, of: dictionaries[first.source])
        }
    }
}
