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
    /// - Parameter storedByteLimit: bytes the living documents may have when they are not packed;
    ///   offsets reach no further.
    /// - Throws: `damagedSection` for a damaged source, `tooManyDocuments` or `tooLarge`.
    package static func merge(
        _ sources: [MergeSource], packing: SegmentPacking = .standard,
        storedByteLimit: Int = SegmentFormat.sectionBytes
    ) throws(SegmentError) -> MergedSegment {
        for source in sources { try source.check() }
        let count = sources.reduce(0) { $0 + $1.live.population }
        guard count <= SegmentFormat.documentLimit else {
            throw .tooManyDocuments(count, limit: SegmentFormat.documentLimit)
        }
        var merger = SegmentMerger(sources)
        try merger.mergeDocuments(limit: storedByteLimit)
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

    private mutating func mergeDocuments(limit: Int) throws(SegmentError) {
        reserve(limit: limit)
        var yieldPace = YieldPace()
        for source in sources {
            let (versions, identifiers) = (source.segment.versions, source.segment.identifiers)
            try source.segment.stored.forEachEncoded(in: source.live) {
                (document, bytes) throws(SegmentError) in
                yieldPace.step(every: 16)
                let count = contents.stored.bytes.count + bytes.count
                guard count <= limit else { throw .tooLarge(Section(.store), count: count) }
                identifiers.withIdentifier(of: document) { contents.identifiers.append($0) }
                contents.stored.append(bytes)
            }
            versions.append(source.live, to: &contents)
        }
    }

    /// Room for all living documents: arrays of megabytes that grow are copied, each time into
    /// memory that the system has to give first.
    private mutating func reserve(limit: Int) {
        let count = sources.reduce(0) { $0 + $1.live.population }
        contents.createdSequences.reserveCapacity(count)
        contents.expirations.reserveCapacity(count)
        let stored = sources.reduce(0) { $0 + $1.segment.stored.unpackedByteCount }
        contents.stored.reserve(count: count, bytes: min(stored, limit))
        let identifiers = sources.reduce(0) { $0 + $1.segment.identifiers.texts.byteCount }
        contents.identifiers.reserve(count: count, bytes: identifiers)
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
        let postings = sources.indices.map {
            MergedPostings(sources[$0].segment, numbers: numbers[$0], ordinals: ordinals[$0])
        }
        while merge.next(into: &group) {
            for entry in group {
                postings[entry.source].append(
                    entry.rank, through: &router, to: &contents, &yieldPace)
            }
            guard router.isOpen, let first = group.first else { continue }
            router.endTerm(of: &contents)
            merge.append(first, to: &contents.terms)
        }
    }
}

/// The postings of one source, term by term.
///
/// A class, so that a term counts one reference, not those of all that its postings need.
private final class MergedPostings {
    /// A cursor is a kilobyte: it goes from one term to the next.
    private var cursor: PostingCursor
    private let asideLists: PostingLists
    private var asideCursor: PostingCursor
    /// The terms that have lists aside, in their order, and how many were passed.
    private let asideTerms: [TermID]
    private var asidePlace = 0
    /// Old document number → new, or `dropped`.
    private let numbers: [DocumentNumber]
    /// Old attribute ordinal → new.
    private let ordinals: [AttributeOrdinal]

    init(_ segment: Segment, numbers: [DocumentNumber], ordinals: [AttributeOrdinal]) {
        cursor = PostingCursor(segment.postings)
        asideLists = segment.asidePostings ?? segment.postings
        asideCursor = PostingCursor(asideLists)
        asideTerms = segment.asidePostings?.listedTerms ?? []
        self.numbers = numbers
        self.ordinals = ordinals
    }

    /// Adds the living postings of a term to the open one; terms come in their order.
    func append(
        _ term: TermID, through router: inout PostingRouter, to contents: inout SegmentContents,
        _ yieldPace: inout YieldPace
    ) {
        cursor.stand(at: term)
        append(&cursor, &router, &contents, &yieldPace)
        guard asidePlace < asideTerms.count, asideTerms[asidePlace] == term else { return }
        asideCursor.stand(at: asideLists.list(at: asidePlace))
        asidePlace += 1
        append(&asideCursor, &router, &contents, &yieldPace)
    }

    @inline(__always)
    private func append(
        _ cursor: inout PostingCursor, _ router: inout PostingRouter,
        _ contents: inout SegmentContents, _ yieldPace: inout YieldPace
    ) {
        while !cursor.isAtEnd {
            yieldPace.step(every: 32)
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
