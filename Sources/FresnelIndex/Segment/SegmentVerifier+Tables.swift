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

    /// Checks order and bounds, and makes the tables of weighted occurrences again.
    func verifyScoreTables() throws(SegmentError) {
        let (best, impacts) = (segment.bestPostings, segment.impacts)
        guard best != nil || impacts != nil else { return }
        let weights = FieldWeights(
            definitions: segment.attributes.map { AttributeTable.definition(named: $0.name) },
            lengths: segment.attributes.map(\.fieldLengths))
        let known = segment.attributes.indices.filter {
            AttributeTable.definition(named: segment.attributes[$0].name) != nil
        }
        let filter = AttributeFilter(
            known.map { AttributeOrdinal($0) }, attributeCount: segment.attributes.count)
        let ranks = (0..<DocumentNumber(segment.documentCount)).map {
            segment.identifiers.rank(of: $0)
        }
        let expected = ScoreTables(
            segment.postings, weights, in: filter, ranks: PackedArray(copying: ranks))
        if let best { try verify(best, expected) }
        if let impacts { try verify(impacts, expected) }
    }

    private func verify(
        _ best: BestPostings, _ tables: ScoreTables
    ) throws(SegmentError) {
        let section = Section(.bestPostings)
        try requireOffsets(best.offsets, limit: best.documents.count, section)
        // Other weights than today's are no damage: such a table is not used.
        guard best.constants.elements == tables.constants else { return }
        let expected = tables.best
        try require(
            best.terms.elements == expected.terms && best.offsets.elements == expected.offsets
                && best.documents.elements == expected.documents
                && best.sums.elements == expected.sums
                && best.rests.elements == expected.rests
                && best.nexts.elements == expected.nexts,
            section, "the best documents are the best")
    }

    private func verify(
        _ impacts: Impacts, _ tables: ScoreTables
    ) throws(SegmentError) {
        let section = Section(.impacts)
        try requireOffsets(impacts.offsets, limit: impacts.codes.count, section)
        guard impacts.constants.elements == tables.constants else { return }  // as above
        let codes = impacts.codes
        try require(
            impacts.levels.elements == ImpactContents.levels
                && impacts.terms.elements == tables.impacts.terms
                && impacts.offsets.elements == tables.impacts.offsets
                && [UInt8](copying: codes.bytes) == tables.impacts.codes,
            section, "the bounds are those of the postings")
    }
}

extension PackedArray {
    /// The elements as an array of their own.
    fileprivate var elements: [Element] { (0..<count).map { self[$0] } }
}
