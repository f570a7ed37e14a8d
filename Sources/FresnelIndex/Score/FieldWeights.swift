import FresnelModel

/// What the attributes of one segment contribute to scores, looked up once for many documents.
struct FieldWeights {
    let weights: [Double]
    let references: [Double]
    let lengths: [FieldLengths?]

    init(_ view: SegmentView) {
        let definitions = view.segment.attributes.map { view.schema.definition(named: $0.name) }
        weights = definitions.map { $0?.weight ?? Relevance.unknownWeight }
        references = definitions.map { $0?.referenceLength ?? Relevance.unknownLength }
        lengths = view.segment.attributes.map(\.fieldLengths)
    }

    /// The weight of occurrences in one attribute of a document.
    @inline(__always)
    func weighted(
        _ count: Int, in attribute: AttributeOrdinal, of document: DocumentNumber
    ) -> Double {
        let place = Int(attribute)
        return Relevance.weighted(
            occurrences: count, length: lengths[place]?.length(of: document) ?? 0,
            weight: weights[place], reference: references[place])
    }
}
