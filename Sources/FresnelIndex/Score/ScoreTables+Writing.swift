extension ScoreTables {
    /// Writes the sections of what there is.
    func write(isPacked: Bool, to writer: inout SectionWriter) throws(SegmentError) {
        if !best.terms.isEmpty { try writeBest(isPacked: isPacked, to: &writer) }
        guard !impacts.terms.isEmpty else { return }
        guard isPacked else {
            return try writer.section(Section(.impacts)) { writer in
                writer.number(impacts.terms.count)
                writer.number(impacts.codes.count)
                writer.array(ImpactContents.levels)
                writer.array(constants)
                writer.array(impacts.terms)
                writer.array(impacts.offsets)
                writer.array(impacts.codes)
            }
        }
        let narrow = impacts.narrowed()
        try writer.section(Section(.narrowImpacts)) { writer in
            writer.number(impacts.terms.count)
            writer.number(narrow.codes.count)
            writer.array(ImpactContents.levels)
            writer.array(constants)
            writer.array(impacts.terms)
            writer.array(narrow.offsets)
            writer.array(narrow.places)
            writer.array(narrow.codes)
        }
    }

    private func writeBest(
        isPacked: Bool, to writer: inout SectionWriter
    ) throws(SegmentError) {
        let coded = isPacked ? best.codedSums : nil
        try writer.section(Section(coded == nil ? .bestPostings : .codedBest)) { writer in
            writer.number(best.terms.count)
            writer.number(best.documents.count)
            writer.array(best.terms)
            writer.array(best.offsets)
            writer.array(best.documents)
            if let coded {
                writer.number(coded.distinct.count)
                writer.array(coded.distinct)
                writer.array(coded.codes)
            } else {
                writer.array(best.sums)
            }
            writer.array(best.rests)
            writer.array(best.nexts)
            writer.array(constants)
        }
    }
}

extension BestPostingsContents {
    /// The different sums, ascending, and the place of each sum among them; nil where they are too
    /// many for two bytes.
    var codedSums: (distinct: [Double], codes: [UInt16])? {
        let distinct = Set(sums).sorted()
        guard distinct.count <= Int(UInt16.max) + 1 else { return nil }
        let places = Dictionary(
            uniqueKeysWithValues: distinct.enumerated().map { ($1, UInt16($0)) })
        return (distinct, sums.compactMap { places[$0] })
    }
}
