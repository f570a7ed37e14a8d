package import FresnelModel

/// What a search needs of one segment, beside its plan.
package struct SegmentView: Sendable {
    /// The segment.
    package let segment: Segment
    /// The documents that tokens alone cannot decide (`IrregularScalars`), ascending.
    package let irregular: [DocumentNumber]
    /// The attributes of the index.
    package let schema: AttributeSchema

    /// Takes a segment into a replica: reads its stored documents once, for the irregular ones.
    package init(_ segment: Segment, schema: AttributeSchema) {
        self.init(segment, irregular: IrregularDocuments.list(of: segment), schema: schema)
    }

    /// Looks at a segment whose irregular documents are known.
    package init(_ segment: Segment, irregular: [DocumentNumber], schema: AttributeSchema) {
        self.segment = segment
        self.irregular = irregular
        self.schema = schema
    }
}

extension SegmentView {
    /// The same segment under another schema: that of the search, which covers several indexes.
    func reading(_ schema: AttributeSchema) -> SegmentView {
        SegmentView(segment, irregular: irregular, schema: schema)
    }
}

/// What the predicates of a plan cover in one segment.
struct SegmentCoverage: Sendable {
    /// The attributes of each predicate.
    private(set) var attributes: [CoveredAttributes] = []
    /// The same as filters.
    private(set) var filters: [AttributeFilter] = []

    /// Covers nothing, for no predicates.
    init() {}

    init(_ comparisons: [ComparisonPlan], in view: SegmentView) {
        attributes.reserveCapacity(comparisons.count)
        filters.reserveCapacity(comparisons.count)
        let count = view.segment.attributes.count
        for comparison in comparisons {
            let covered = CoveredAttributes(comparison, in: view)
            attributes.append(covered)
            filters.append(AttributeFilter(covered.all, attributeCount: count))
        }
    }
}

/// The attributes of one segment that a predicate covers.
package struct CoveredAttributes: Sendable {
    /// Those decided by whole values or tokens, ascending.
    package private(set) var ordinary: [AttributeOrdinal] = []
    /// The text content, ascending.
    package private(set) var content: [AttributeOrdinal] = []

    /// Looks a predicate's left side up in a segment.
    package init(_ plan: ComparisonPlan, in view: SegmentView) {
        for (place, attribute) in view.segment.attributes.enumerated() {
            let definition = attribute.definition(in: view.schema)
            guard plan.covers(attribute.name, definition) else { continue }
            if definition?.isTextContent ?? false {
                content.append(AttributeOrdinal(place))
            } else {
                ordinary.append(AttributeOrdinal(place))
            }
        }
    }

    /// All of them, ascending.
    package var all: [AttributeOrdinal] {
        content.isEmpty ? ordinary : (ordinary + content).sorted()
    }
}
