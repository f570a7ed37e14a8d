import FresnelKernels
import FresnelModel
import FresnelSystem

// Tables that can be made again from the rest of the segment are made again and compared.

extension SegmentVerifier {
    func verifyGrams() throws(SegmentError) {
        guard let grams = segment.terms.grams else { return }
        let keys = segment.terms.texts.keys
        let (offsets, blob) = (keys.offsets, keys.blob)
        let expected = GramContents(offsets.span, blob.bytes)
        let section = Section(.termGrams)
        try require(grams.grams.elements == expected.grams, section, "trigrams are those of terms")
        try require(
            grams.offsets.elements == expected.offsets, section, "offsets are those of the lists")
        let bytes = grams.blob
        try require(
            [UInt8](copying: bytes.bytes) == expected.blob, section, "lists name the right terms")
    }

    /// Checks order and bounds; what the best are, only as far as a search relies on it.
    func verifyBestPostings() throws(SegmentError) {
        guard let best = segment.bestPostings else { return }
        let section = Section(.bestPostings)
        try requireOffsets(best.offsets, limit: best.documents.count, section)
        let weights = FieldWeights(
            definitions: segment.attributes.map { AttributeTable.definition(named: $0.name) },
            lengths: segment.attributes.map(\.fieldLengths))
        let known = segment.attributes.indices.filter {
            AttributeTable.definition(named: segment.attributes[$0].name) != nil
        }
        let filter = AttributeFilter(
            known.map { AttributeOrdinal($0) }, attributeCount: segment.attributes.count)
        let expected = BestPostingsContents(
            segment.postings, weights, in: filter,
            ranks: PackedArray(
                copying: (0..<DocumentNumber(segment.documentCount)).map {
                    segment.identifiers.rank(of: $0)
                }))
        // Other weights than today's are no damage: such a table is not used.
        guard best.constants.elements == expected.constants else { return }
        try require(
            best.terms.elements == expected.terms && best.offsets.elements == expected.offsets
                && best.documents.elements == expected.documents
                && best.sums.elements == expected.sums
                && best.rests.elements == expected.rests
                && best.nexts.elements == expected.nexts,
            section, "the best documents are the best")
    }
}

extension PackedArray {
    /// The elements as an array of their own.
    fileprivate var elements: [Element] { (0..<count).map { self[$0] } }
}
