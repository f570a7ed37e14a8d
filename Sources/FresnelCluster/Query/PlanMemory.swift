import FresnelModel
import FresnelQuery
import FresnelWire

/// What was read in the texts of a query; the same for every query with these texts, whenever it is
/// asked.
package struct QueryReading: Sendable {
    let warnings: [QueryWarning]
    let scored: [ResolvedComparison]
    let digest: UInt64
    let customKeys: [CustomAttributeKey]
    let booleans: [String]
    /// Whether a text speaks of the time at which it is asked.
    let readsClock: Bool
}

/// Readings of the queries that were asked lately: many are asked again and again.
///
/// Of two generations, the older is forgotten when the newer is full.
struct PlanMemory: Sendable {
    /// All that a reading depends on: texts byte by byte, since warnings name places in them and
    /// the digest is of their bytes.
    struct Question: Hashable, Sendable {
        private let query: ExactText
        private let filters: [ExactText]
        /// None where all are wanted: those of all attributes are not looked at.
        private let attributes: [String]
        private let wantsAllAttributes: Bool
        private let sort: [ExactText]
        private let indexes: [String]
        private let language: String
        /// Says nothing where times are fixed, but an unknown one is refused.
        private let timeZone: String
        /// The version of the cluster's state that made the newest index or custom key.
        private let schemaVersion: UInt64
        private let isStrict: Bool
        private let isCounted: Bool

        /// Nil for a query whose reading depends on more, or is not worth keeping: one that speaks
        /// of the time of asking, counts values, names identifiers or is very long.
        init?(_ search: WireSearch, schemaVersion: UInt64) {
            guard search.identifiers.isEmpty, search.facets.isEmpty, !search.follow,
                search.filters.count <= 4, search.attributes.count <= 16,
                search.indexes.count <= 16, QueryTimes.areFixed(in: search.query),
                search.filters.allSatisfy(QueryTimes.areFixed)
            else { return nil }
            query = ExactText(search.query)
            filters = search.filters.map(ExactText.init)
            attributes = search.allAttributes ? [] : search.attributes
            wantsAllAttributes = search.allAttributes
            sort = search.sort.map { ExactText(($0.descending ? "-" : "+") + $0.attribute) }
            indexes = search.indexes
            language = search.context.language
            timeZone = search.context.timeZone
            self.schemaVersion = schemaVersion
            isStrict = search.strict
            isCounted = search.countOnly
            guard byteCount <= Limits.rememberedQueryBytes else { return nil }
        }

        /// What its texts take in memory.
        var byteCount: Int {
            var count = query.text.utf8.count + language.utf8.count + timeZone.utf8.count
            for texts in [filters, sort] {
                for exact in texts { count += exact.text.utf8.count }
            }
            for texts in [attributes, indexes] {
                for text in texts { count += text.utf8.count }
            }
            return count
        }
    }

    private var recent: [Question: QueryReading] = [:]
    private var former: [Question: QueryReading] = [:]

    /// What was read in the same texts before.
    mutating func reading(of question: Question) -> QueryReading? {
        if let reading = recent[question] { return reading }
        guard let reading = former[question] else { return nil }
        keep(reading, for: question)
        return reading
    }

    mutating func keep(_ reading: QueryReading, for question: Question) {
        if recent.count >= Limits.rememberedQueries {
            former = recent
            recent = [:]
        }
        recent[question] = reading
    }
}
