import FresnelModel
import FresnelQuery
import FresnelWire

/// All of a search that a plan depends on, beside attributes and instant.
struct SearchQuestion: Hashable {
    private let query: String
    private let filters: [String]
    /// None where all are wanted.
    private let attributes: [String]
    private let wantsAllAttributes: Bool
    private let sort: [String]
    private let language: String
    /// Says nothing where times are fixed, but an unknown one is refused.
    private let timeZone: String
    private let limit: UInt64?
    private let delivery: WireDelivery
    private let isCounted: Bool
    private let isFrontCoded: Bool

    /// Nil for a search whose plan depends on more, or is not worth keeping.
    init?(_ search: WireSearch) {
        guard search.identifiers.isEmpty, search.facets.isEmpty, !search.highlight,
            !search.explain, search.filters.count <= 4, search.attributes.count <= 16,
            Self.isPlain(search.query), search.filters.allSatisfy(Self.isPlain)
        else { return nil }
        query = search.query
        filters = search.filters
        attributes = search.allAttributes ? [] : search.attributes
        wantsAllAttributes = search.allAttributes
        sort = search.sort.map { ($0.descending ? "-" : "+") + $0.attribute }
        language = search.context.language
        timeZone = search.context.timeZone
        limit = search.hasLimit ? search.limit : nil
        delivery = search.delivery
        isCounted = search.countOnly
        isFrontCoded = search.frontCoded
    }

    /// Whether a text is short and says the same at every time.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= Limits.rememberedQueryBytes && QueryTimes.areFixed(in: text)
    }
}
