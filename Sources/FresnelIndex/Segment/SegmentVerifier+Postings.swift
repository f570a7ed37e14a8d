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
                Section(Self.kind(of: lengths), of: AttributeOrdinal(ordinal)),
                "field lengths add up to the occurrences")
        }
    }

    private func verify(
        _ postings: PostingLists, isAside: Bool, _ tokenCounts: inout [Int]
    ) throws(SegmentError) {
        let (lists, blocks) = Self.sections(of: postings, isAside: isAside)
        if let singles = postings.packed?.singles {
            try verify(singles, of: postings, lists)
        }
        try requireOffsets(postings.blockStarts, limit: postings.lastDocuments.count, lists)
        try requireBlockOffsets(postings, blocks)
        let terms = postings.terms?.all ?? (0..<postings.count).map { TermID($0) }
        try verify(postings, terms, lists)
        for (place, term) in terms.enumerated() {
            let list = postings.list(at: place)
            let count = list.documentCount
            let isRight =
                if case .blocks(let range) = list.form { range.count == (count + 127) / 128 } else {
                    count <= 128
                }
            try require(
                (count > 0 || !isAside) && isRight, lists,
                "a term has a block for every 128 documents")
            try verifyList(term, at: place, of: postings, blocks, &tokenCounts)
        }
    }

    /// Checks that the rows with more tokens than one byte can say are those that say so.
    private func verify(
        _ lengths: FieldLengths, _ ordinal: AttributeOrdinal
    ) throws(SegmentError) {
        guard lengths.lengths.count == 0 else { return }
        let section = Section(Self.kind(of: lengths), of: ordinal)
        let long = (0..<lengths.count).filter { lengths.isLong($0) }
        let isRight =
            long.count == lengths.longRows.count
            && long.indices.allSatisfy { Int(lengths.longRows[$0]) == long[$0] }
        try require(isRight, section, "long texts are named with their tokens")
        guard lengths.narrow.count > 0 else {
            return try require(
                (0..<lengths.longLengths.count).allSatisfy {
                    lengths.longLengths[$0] >= UInt16(FieldLengths.long)
                }, section, "long texts have more tokens")
        }
        let expected = NarrowLengthContents((0..<lengths.count).map { UInt16(lengths[$0]) })
        try require(
            expected.width == lengths.narrow.width
                && expected.longRows.count == lengths.longRows.count
                && lengths.narrow.isEqual(to: expected.words),
            section, "lengths are as narrow as they can be")
    }

    private static func kind(of lengths: FieldLengths) -> SectionKind {
        guard lengths.narrow.count == 0 else { return .narrowLengths }
        return lengths.short.count > 0 ? .shortLengths : .fieldLengths
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
            let expected = TermSetContents(
                terms, of: segment.terms.count, rankLength: set.rankLength)
            try require(expected.isEqual(to: set), section, "bits and ranks are those of its terms")
        }
        try requireOffsets(framed, limit: postings.blob.count, section)
        var long: [UInt32] = []
        for place in 0..<table.counts.count where table.counts[place] == PackedListTable.long {
            long.append(UInt32(place))
        }
        try require(
            long.count == table.longPlaces.count
                && long.indices.allSatisfy { long[$0] == table.longPlaces[$0] }, section,
            "long lists are those with more documents than a block")
    }

    /// Checks which lists are single ones, and that nothing stands behind the last.
    private func verify(
        _ singles: SingleLists, of postings: PostingLists, _ section: Section
    ) throws(SegmentError) {
        let lists = singles.lists.all
        try require(lists.count == singles.count, section, "every single list has its numbers")
        for (index, list) in lists.enumerated() {
            try require(
                Int(list) < postings.count && (index == 0 || lists[index - 1] < list), section,
                "single lists ascend and exist")
        }
        let expected = TermSetContents(lists, of: postings.count)
        try require(
            expected.isEqual(to: singles.lists), section, "bits and ranks are those of its lists")
        let words = NarrowNumbers.words(
            (0..<singles.count).map { singles.entries[$0] }, width: singles.entries.width)
        try require(
            singles.entries.isEqual(to: words), section, "nothing stands behind the last number")
        for index in 0..<singles.count {
            let entry = singles.entry(index)
            try require(
                Int(entry.document) < segment.documentCount
                    && Int(entry.attribute) < min(63, segment.attributes.count), section,
                "single lists are of documents and attributes that exist")
        }
    }

    /// What the lists and the blocks of some postings are called.
    private static func sections(
        of postings: PostingLists, isAside: Bool
    ) -> (lists: Section, blocks: Section) {
        guard let packed = postings.packed else {
            return (
                Section(isAside ? .asideLists : .postingLists),
                Section(isAside ? .asideBlocks : .postingBlocks)
            )
        }
        let blocks: Section =
            postings.isCoded
            ? Section(isAside ? .codedAsideBlocks : .codedBlocks)
            : Section(isAside ? .packedAsideBlocks : .packedBlocks)
        if packed.singles != nil {
            return (Section(isAside ? .singleAsideLists : .singleLists), blocks)
        }
        return packed.framed != nil
            ? (Section(isAside ? .framedAsideLists : .framedLists), blocks)
            : (Section(isAside ? .packedAsideLists : .packedLists), blocks)
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
        let list = postings.list(at: place)
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
            if case .blocks(let blocks) = list.form {
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
