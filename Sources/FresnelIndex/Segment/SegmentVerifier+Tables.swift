import FresnelKernels
import FresnelModel
import FresnelSystem

// Tables that can be made again from the rest of the segment are made again and compared.

extension SegmentVerifier {
    func verifyGrams() throws(SegmentError) {
        guard let grams = segment.terms.grams else { return }
        let keys = segment.terms.texts.flat.keys
        let offsets = (0...keys.count).map { UInt32(truncatingIfNeeded: keys.start($0)) }
        let blob = keys.blob
        let isPacked = grams.blockLength > 1
        let expected = GramContents(offsets.span, blob.bytes, isPacked: isPacked)
        try require(
            expected.isEqual(to: grams), Section(isPacked ? .blockGrams : .termGrams),
            "trigrams and their lists are those of the terms")
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
        let section = Section(best.codes == nil ? .bestPostings : .codedBest)
        try requireOffsets(best.offsets, limit: best.documents.count, section)
        // Other weights than today's are no damage: such a table is not used.
        guard best.constants.elements == tables.constants else { return }
        let expected = tables.best
        try require(
            best.terms.elements == expected.terms && best.offsets.elements == expected.offsets
                && best.documents.elements == expected.documents
                && best.documents.elements.indices.allSatisfy {
                    best.sum($0) == expected.sums[$0]
                }
                && best.rests.elements == expected.rests
                && best.nexts.elements == expected.nexts,
            section, "the best documents are the best")
        guard best.codes != nil else { return }
        try require(
            expected.codedSums?.distinct == best.sums.elements, section,
            "its numbers are those that occur, ascending")
    }

    private func verify(
        _ impacts: Impacts, _ tables: ScoreTables
    ) throws(SegmentError) {
        let section = Section(impacts.narrow == nil ? .impacts : .narrowImpacts)
        try requireOffsets(impacts.offsets, limit: impacts.codes.count, section)
        guard impacts.constants.elements == tables.constants else { return }  // as above
        let codes = impacts.codes
        var (offsets, bytes) = (tables.impacts.offsets, tables.impacts.codes)
        if let narrow = impacts.narrow {
            let expected = tables.impacts.narrowed()
            (offsets, bytes) = (expected.offsets, expected.codes)
            try require(
                narrow.places.elements == expected.places, section,
                "the levels of words are those of their postings")
        }
        try require(
            impacts.levels.elements == ImpactContents.levels
                && impacts.terms.elements == tables.impacts.terms
                && impacts.offsets.elements == offsets && [UInt8](copying: codes.bytes) == bytes,
            section, "the bounds are those of the postings")
    }
}

extension PackedArray {
    /// The elements as an array of their own.
    var elements: [Element] { (0..<count).map { self[$0] } }
}
