import FresnelSystem
import FresnelKernels

extension SegmentVerifier {
    func verifyPostings() throws(SegmentError) {
        var tokenCounts = [Int](repeating: 0, count: segment.attributes.count)
        try verify(segment.postings, isAside: false, &tokenCounts)
        if let aside = segment.asidePostings {
            try verify(aside, isAside: true, &tokenCounts)
        }
        for term in 0..<TermID(segment.terms.count) {
            let aside = segment.asidePostings?.documentCount(of: term) ?? 0
            try require(
                segment.postings.documentCount(of: term) + aside > 0, Section(.postingLists),
                "every term occurs")
        }
        for (ordinal, attribute) in segment.attributes.enumerated() {
            guard let lengths = attribute.fieldLengths else { continue }
            try verify(lengths, AttributeOrdinal(ordinal))
            let values = (0..<lengths.count).map { lengths[$0] }
            let isSaturated = values.contains(Int(UInt16.max))
            try require(
                isSaturated || values.reduce(0, +) == tokenCounts[ordinal],
                Section(
                    lengths.short.count > 0 ? .shortLengths : .fieldLengths,
                    of: AttributeOrdinal(ordinal)),
                "field lengths add up to the occurrences")
        }
    }

    private func verify(
        _ postings: PostingLists, isAside: Bool, _ tokenCounts: inout [Int]
    ) throws(SegmentError) {
        let isFramed = postings.packed?.framed != nil
        let packed: SectionKind = isAside ? .packedAsideLists : .packedLists
        let framed: SectionKind = isAside ? .framedAsideLists : .framedLists
        let lists = section(
            postings, isFramed ? framed : packed, isAside ? .asideLists : .postingLists)
        let blocks = section(
            postings, isAside ? .packedAsideBlocks : .packedBlocks,
            isAside ? .asideBlocks : .postingBlocks)
        try requireOffsets(postings.blockStarts, limit: postings.lastDocuments.count, lists)
        try requireBlockOffsets(postings, blocks)
        let terms = postings.terms?.all ?? (0..<postings.count).map { TermID($0) }
        try verify(postings, terms, lists)
        for (place, term) in terms.enumerated() {
            let count = postings.documentCount(at: place)
            let isOfBlocks = postings.blocks(at: place).map { $0.count == (count + 127) / 128 }
            try require(
                (count > 0 || !isAside) && (isOfBlocks ?? (count <= 128)), lists,
                "a term has a block for every 128 documents")
            try verifyList(term, at: place, of: postings, blocks, &tokenCounts)
        }
    }

    /// Checks that the rows with more tokens than one byte can say are those that say so.
    private func verify(
        _ lengths: FieldLengths, _ ordinal: AttributeOrdinal
    ) throws(SegmentError) {
        guard lengths.short.count > 0 else { return }
        let long = (0..<lengths.short.count).filter { lengths.short[$0] == FieldLengths.long }
        let isRight =
            long.count == lengths.longRows.count
            && long.indices.allSatisfy {
                Int(lengths.longRows[$0]) == long[$0]
                    && lengths.longLengths[$0] >= UInt16(FieldLengths.long)
            }
        try require(
            isRight, Section(.shortLengths, of: ordinal), "long texts are named with their tokens")
    }

    /// Checks that terms ascend, exist and have the places they are found at, and where their
    /// lists begin.
    private func verify(
        _ postings: PostingLists, _ terms: [TermID], _ section: Section
    ) throws(SegmentError) {
        try require(terms.count == postings.count, section, "every list has a term")
        for (place, term) in terms.enumerated() {
            try require(
                Int(term) < segment.terms.count && (place == 0 || terms[place - 1] < term)
                    && postings.place(of: term) == place, section, "terms ascend and exist")
        }
        guard let table = postings.packed, let framed = table.framed else { return }
        if let set = postings.terms {
            let expected = TermSetContents(terms, of: segment.terms.count)
            try require(expected.isEqual(to: set), section, "bits and ranks are those of its terms")
        }
        try requireOffsets(framed, limit: postings.blob.count, section)
        var long: [UInt32] = []
        for place in 0..<postings.count where table.counts[place] == PackedListTable.long {
            long.append(UInt32(place))
        }
        try require(
            long.count == table.longPlaces.count
                && long.indices.allSatisfy { long[$0] == table.longPlaces[$0] }, section,
            "long lists are those with more documents than a block")
    }

    private func section(
        _ postings: PostingLists, _ packed: SectionKind, _ plain: SectionKind
    ) -> Section {
        Section(postings.isPacked ? packed : plain)
    }

    /// In packed postings the blocks of lists that have only one stand between the others.
    private func requireBlockOffsets(
        _ postings: PostingLists, _ section: Section
    ) throws(SegmentError) {
        let offsets = postings.blockOffsets
        guard postings.isPacked else {
            return try requireOffsets(offsets, limit: postings.blob.count, section)
        }
        for index in 1..<max(1, offsets.count) {
            try require(offsets[index - 1] <= offsets[index], section, "offsets ascend")
        }
        try require(
            Int(offsets[offsets.count - 1]) == postings.blob.count, section,
            "the last offset is the end")
    }

    /// Checks the postings of a term and counts its occurrences by attribute.
    private func verifyList(
        _ term: TermID, at place: Int, of postings: PostingLists, _ section: Section,
        _ tokenCounts: inout [Int]
    ) throws(SegmentError) {
        var cursor = postings.cursor(for: term)
        var occurrences: [Occurrence] = []
        var former: DocumentNumber?
        var mask: UInt64 = 0
        var count = 0
        while !cursor.isAtEnd {
            let document = cursor.documentNumber
            try require(former.map { $0 < document } ?? true, section, "documents ascend")
            former = document
            count += 1
            cursor.occurrences(into: &occurrences)
            try verify(occurrences, section)
            for occurrence in occurrences {
                mask |= AttributeFilter.bit(of: occurrence.attribute)
                tokenCounts[Int(occurrence.attribute)] += 1
                let isAside = segment.attributes[Int(occurrence.attribute)].parts.contains(.aside)
                try require(
                    isAside == (postings === segment.asidePostings), section,
                    "occurrences stand where their attribute belongs")
            }
            if let blocks = postings.blocks(at: place) {
                let block = blocks.lowerBound + (count - 1) / 128
                let isLast = count % 128 == 0 || count == cursor.documentCount
                try require(
                    isLast
                        ? postings.lastDocuments[block] == document
                        : postings.lastDocuments[block] > document,
                    section, "a block names its last document")
            }
            cursor.advance()
        }
        try require(count == cursor.documentCount, section, "every document can be read")
        try require(mask == postings.attributeMask(of: term), section, "masks are exact")
    }

    private func verify(
        _ occurrences: [Occurrence], _ section: Section
    ) throws(SegmentError) {
        try require(!occurrences.isEmpty, section, "a posting has an occurrence")
        for (place, occurrence) in occurrences.enumerated() {
            let attribute = Int(occurrence.attribute)
            try require(
                attribute < segment.attributes.count
                    && segment.attributes[attribute].parts.contains(.text),
                section, "occurrences are in attributes with text")
            guard place > 0 else { continue }
            let former = occurrences[place - 1]
            try require(
                (former.attribute, former.position) < (occurrence.attribute, occurrence.position),
                section, "occurrences ascend")
        }
    }
}
