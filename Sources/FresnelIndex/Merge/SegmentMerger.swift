import FresnelKernels
import FresnelSystem

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
        _ sources: [MergeSource], packing: SegmentPacking = .standard
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
        merger.contents.packPostings(packing)
        merger.mergeTerms(ordinals: merger.mergeAttributes(packing))
        return MergedSegment(
            blob: try merger.contents.encoded(packing), newNumbers: merger.numbers)
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
        var yieldPace = YieldPace()
        for source in sources {
            let (versions, identifiers) = (source.segment.versions, source.segment.identifiers)
            let stored = source.segment.stored
            source.live.forEach { document in
                yieldPace.step(every: 16)
                let document = DocumentNumber(document)
                contents.createdSequences.append(versions.createdSequence(of: document))
                contents.expirations.append(versions.expiration(of: document))
                identifiers.withIdentifier(of: document) { contents.identifiers.append($0) }
                stored.withEncoded(document) { contents.stored.append($0) }
            }
        }
    }

    /// Merges the columns and returns for each source old attribute ordinal → new.
    private mutating func mergeAttributes(_ packing: SegmentPacking) -> [[AttributeOrdinal]] {
        var ordinals = sources.map {
            [AttributeOrdinal](repeating: Section.none, count: $0.segment.attributes.count)
        }
        let names = Set(sources.flatMap { $0.segment.attributes.map(\.name) }).sorted {
            $0.utf8.lexicographicallyPrecedes($1.utf8)
        }
        for name in names {
            let merge = AttributeMerge(name: name, sources: sources, numbers: numbers)
            // An attribute that no living document has is left out.
            guard let merged = merge.merged(packing, contents.documentCount) else { continue }
            let ordinal = AttributeOrdinal(contents.attributes.count)
            contents.attributes.append(merged)
            for (source, old) in merge.ordinals { ordinals[source][Int(old)] = ordinal }
        }
        return ordinals
    }

    private mutating func mergeTerms(ordinals: [[AttributeOrdinal]]) {
        var merge = TextMerge(sources.map(\.segment.terms.texts.flat))
        var group: [TextMerge.Entry] = []
        var router = PostingRouter(contents)
        var yieldPace = YieldPace()
        // A cursor is a kilobyte: each goes from one term of its source to the next.
        var cursors = sources.map { PostingCursor($0.segment.postings) }
        // Where a source has no lists aside, its own are never looked at.
        var asideCursors = sources.map {
            PostingCursor($0.segment.asidePostings ?? $0.segment.postings)
        }
        let hasAside = sources.map { $0.segment.asidePostings != nil }
        while merge.next(into: &group) {
            yieldPace.step(every: 4)
            for entry in group {
                append(entry, at: &cursors[entry.source], ordinals[entry.source], &router)
                if hasAside[entry.source] {
                    append(entry, at: &asideCursors[entry.source], ordinals[entry.source], &router)
                }
            }
            guard router.isOpen, let first = group.first else { continue }
            router.endTerm(of: &contents)
            merge.append(first, to: &contents.terms)
        }
    }

    /// Adds the living postings of one list to the open term.
    private mutating func append(
        _ entry: TextMerge.Entry, at cursor: inout PostingCursor,
        _ ordinals: [AttributeOrdinal], _ router: inout PostingRouter
    ) {
        cursor.stand(at: entry.rank)
        let numbers = numbers[entry.source]
        while !cursor.isAtEnd {
            let number = numbers[Int(cursor.documentNumber)]
            if number != MergedSegment.dropped {
                cursor.forEachOccurrence { occurrence in
                    var renumbered = occurrence
                    renumbered.attribute = ordinals[Int(occurrence.attribute)]
                    router.append(renumbered, of: number, to: &contents)
                }
            }
            cursor.advance()
        }
    }
}
