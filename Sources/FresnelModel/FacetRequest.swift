/// An attribute by whose values the found documents are to be counted.
public struct FacetRequest: Hashable, Sendable {
    /// The attribute, under its canonical name.
    public var attribute: String
    /// The most values to return, 1 to `Limits.facetValues`.
    public var limit: Int

    /// Makes a request for the most frequent values of an attribute.
    public init(_ attribute: String, limit: Int = Limits.facetValuesDefault) {
        self.attribute = attribute
        self.limit = limit
    }

    /// Reads one facet: `keywords`, or `keywords:20` for that many values.
    ///
    /// Aliases become canonical names.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` when the name or the number is none.
    public init(parsing text: some StringProtocol) throws(SearchError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let limit = parts.count > 1 ? Int(parts[1]) : Limits.facetValuesDefault
        guard let name = parts.first.map({ String($0) }), SortKey.isName(name) else {
            throw SearchError(.invalidArgument, "\"\(text)\" is not a facet")
                .hinting("write an attribute, and a number of values if you like: keywords:20")
        }
        guard let limit, (1...Limits.facetValues).contains(limit) else {
            throw SearchError(
                .invalidArgument, "\"\(text)\" names no possible number of values"
            ).hinting("choose a number from 1 to \(Limits.facetValues)")
        }
        attribute = AttributeTable.definition(named: name)?.name ?? name
        self.limit = limit
    }

    /// Reads a list of facets separated by commas: `keywords,contentType:20`.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` naming the facet that is wrong.
    public static func list(parsing text: String) throws(SearchError) -> [FacetRequest] {
        var facets: [FacetRequest] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            facets.append(try FacetRequest(parsing: part.drop { $0 == " " }))
        }
        return facets
    }
}

extension Limits {
    /// Facets of one request: each reads a column of every found document.
    public static let facets = 16
    /// Values of one facet that are returned.
    public static let facetValues = 1000
    /// Values of a facet that says no number.
    public static let facetValuesDefault = 10
    /// Bytes of all facets in one PART_DONE or DONE: the rest of the frame is for the shards.
    package static let facetBytes = 160 * 1024
}
