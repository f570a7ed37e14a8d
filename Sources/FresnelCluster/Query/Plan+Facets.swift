import FresnelModel
import FresnelQuery
import FresnelWire

extension QueryPlan {
    /// Refuses facets that cannot be counted; an unknown attribute is one that no document has,
    /// unless the search is strict.
    static func checkFacets(
        of search: WireSearch, _ schema: AttributeSchema
    ) throws(PlanRefusal) {
        for facet in search.facets {
            guard facet.limit <= UInt32(Limits.facetValues) else {
                throw .badOption(
                    "\(facet.limit) values of \(facet.attribute); "
                        + "the limit is \(Limits.facetValues)")
            }
            guard !facet.attribute.isEmpty,
                facet.attribute.utf8.count <= Limits.attributeNameBytes
            else {
                throw .badOption(
                    "a facet whose attribute has \(facet.attribute.utf8.count) bytes; "
                        + "write 1 to \(Limits.attributeNameBytes)")
            }
            guard let definition = schema.definition(named: facet.attribute) else {
                guard !search.strict || DocumentField.names.contains(facet.attribute) else {
                    throw .badOption(
                        "the facet attribute \(facet.attribute) is unknown; "
                            + "correct it, or do not ask strictly")
                }
                continue
            }
            guard !definition.isTextContent, definition.valueType.hasCountableValues else {
                throw .badOption(
                    "\(facet.attribute) has no values to count by; use one of texts, numbers, "
                        + "dates or people")
            }
        }
    }
}

extension AttributeType {
    /// Whether equal values are the same thing for a facet.
    fileprivate var hasCountableValues: Bool {
        switch self {
        case .string, .strings, .number, .numbers, .boolean, .date, .dates, .url, .persons: true
        case .bytes, .byteStrings, .dictionary: false
        }
    }
}
