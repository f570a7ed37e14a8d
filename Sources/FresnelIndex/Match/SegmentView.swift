package import FresnelModel
import FresnelQuery

/// What a search needs of one segment, beside its plan.
///
/// A class, since a snapshot's segments go from hand to hand while a query is answered.
package final class SegmentView: Sendable {
    /// The segment.
    package let segment: Segment
    /// The documents that tokens alone cannot decide (`IrregularScalars`).
    package let irregular: IrregularDocuments
    /// What the attributes of the segment are under the schema.
    let reading: SegmentReading

    /// Takes a segment into a replica: reads its stored documents once, for the irregular ones.
    package convenience init(_ segment: Segment, schema: AttributeSchema) {
        self.init(segment, irregular: IrregularDocuments(of: segment), schema: schema)
    }

    /// Looks at a segment whose irregular documents are known.
    package init(_ segment: Segment, irregular: IrregularDocuments, schema: AttributeSchema) {
        self.segment = segment
        self.irregular = irregular
        reading = SegmentReading(segment, schema)
    }
}

extension SegmentView {
    /// The same segment under another schema: that of the search, which covers several indexes.
    func reading(_ schema: AttributeSchema) -> SegmentView {
        reading.agrees(with: schema)
            ? self : SegmentView(segment, irregular: irregular, schema: schema)
    }
}

/// What the attributes of a segment are under a schema, found once for many searches.
final class SegmentReading: Sendable {
    private let schema: AttributeSchema
    /// The attributes that are in no table, whose meaning the schema decides, as it does.
    private let custom: [(name: String, key: CustomAttributeKey?)]
    /// The definition of each attribute; nil for those that nobody declared.
    let definitions: [AttributeDefinition?]
    /// What each attribute contributes to scores.
    let weights: FieldWeights
    /// What `*` and `**` cover.
    private let searchable: CoveredAttributes
    private let searchableAndContent: CoveredAttributes

    init(_ segment: Segment, _ schema: AttributeSchema) {
        self.schema = schema
        custom = segment.attributes.map(\.name)
            .filter { AttributeTable.definition(named: $0) == nil }
            .map { ($0, schema.customKeys[$0]) }
        let definitions = segment.attributes.map { $0.definition(in: schema) }
        self.definitions = definitions
        weights = FieldWeights(
            definitions: definitions, lengths: segment.attributes.map(\.fieldLengths))
        searchable = CoveredAttributes(definitions) { definitions[$0]?.isSearchableByDefault }
        searchableAndContent = CoveredAttributes(definitions) {
            definitions[$0]?.isCoveredByContentWildcard
        }
    }

    /// Whether the attributes of the segment mean the same under another schema.
    func agrees(with other: AttributeSchema) -> Bool {
        let keys = other.customKeys
        // The very same keys, as in a search of one index, are told by their address; others are
        // compared one by one, so never many more than would be looked up.
        if keys.count <= 2 * custom.count, keys == schema.customKeys { return true }
        return custom.allSatisfy { keys[$0.name] == $0.key }
    }

    /// What the left side of a predicate covers.
    func covered(by reference: AttributeReference, in segment: Segment) -> CoveredAttributes {
        switch reference {
        case .searchable: searchable
        case .searchableAndContent: searchableAndContent
        case .named(let wanted):
            named(segment.ordinal(of: wanted))
        }
    }
}

extension SegmentReading {
    /// One attribute, if it is there and searched.
    private func named(_ ordinal: AttributeOrdinal?) -> CoveredAttributes {
        CoveredAttributes(definitions) { place in
            ordinal.map { Int($0) } == place && self.definitions[place]?.isSearchable ?? true
        }
    }
}

/// What the predicates of a plan cover in one segment.
struct SegmentCoverage: Sendable {
    /// What all of them cover, as most queries have one left side; nil where they differ.
    private let shared: CoveredAttributes?
    /// What each of them covers, where they differ.
    private let each: [CoveredAttributes]

    init(_ comparisons: [ComparisonPlan], in view: SegmentView) {
        if comparisons.count == 1 {
            shared = view.reading.covered(by: comparisons[0].attribute, in: view.segment)
            each = []
            return
        }
        let reference = comparisons.first?.attribute
        guard let reference, comparisons.allSatisfy({ $0.attribute == reference }) else {
            shared = nil
            each = comparisons.map { view.reading.covered(by: $0.attribute, in: view.segment) }
            return
        }
        shared = view.reading.covered(by: reference, in: view.segment)
        each = []
    }

    /// The attributes of a predicate.
    subscript(number: Int) -> CoveredAttributes { shared ?? each[number] }
}

/// The attributes of one segment that a predicate covers.
///
/// A class, since it goes from hand to hand.
final class CoveredAttributes: Sendable {
    /// Those decided by whole values or tokens, ascending.
    let ordinary: [AttributeOrdinal]
    /// The text content, ascending.
    let content: [AttributeOrdinal]
    /// All of them, ascending.
    let all: [AttributeOrdinal]
    /// All of them.
    let filter: AttributeFilter

    /// - Parameter covers: whether an attribute is covered, by its place.
    init(_ definitions: [AttributeDefinition?], _ covers: (Int) -> Bool?) {
        var (ordinary, content) = ([AttributeOrdinal](), [AttributeOrdinal]())
        for place in definitions.indices where covers(place) ?? false {
            if definitions[place]?.isTextContent ?? false {
                content.append(AttributeOrdinal(place))
            } else {
                ordinary.append(AttributeOrdinal(place))
            }
        }
        self.ordinary = ordinary
        self.content = content
        all = content.isEmpty ? ordinary : (ordinary + content).sorted()
        filter = AttributeFilter(all, attributeCount: definitions.count)
    }

    /// A filter for some of them.
    func filter(for attributes: [AttributeOrdinal], of attributeCount: Int) -> AttributeFilter {
        attributes.count == all.count
            ? filter : AttributeFilter(attributes, attributeCount: attributeCount)
    }
}
