import FresnelKernels
package import FresnelModel
package import FresnelQuery
package import FresnelWire

/// Matches single stored documents, without the structures of their segment.
///
/// A few changed documents of a large segment are decided faster so: looking a query up in a
/// segment costs as much as the segment is large.
package struct DirectMatcher: Sendable {
    /// The query and its filters; empty where documents are asked for by identifier.
    private let matchers: [ReferenceMatcher]
    /// At most so many documents of a segment are read one by one.
    private let limit: Int
    /// And at most one of so many of its documents.
    private let share: Int

    /// Reads the query and the filters of a stamped search.
    package init(
        _ search: WireSearch, schema: AttributeSchema, limit: Int = 64, share: Int = 64
    ) throws(QueryError) {
        self.limit = limit
        self.share = share
        guard search.identifiers.isEmpty else {
            matchers = []
            return
        }
        let context = search.planContext
        var matchers: [ReferenceMatcher] = []
        for text in [search.query] + search.filters {
            let parsed = try QueryParser.parse(text, options: ParseOptions(schema: schema))
            matchers.append(
                ReferenceMatcher(
                    expression: try parsed.expression.resolved(in: context), schema: schema,
                    language: context.language))
        }
        self.matchers = matchers
    }

    /// Those of a few documents that match; nil when the segment should be asked.
    func matches(
        _ documents: [DocumentNumber], in segment: Segment, of index: String
    ) -> Set<DocumentNumber>? {
        guard !matchers.isEmpty, documents.count <= limit,
            documents.count * share <= segment.documentCount
        else { return nil }
        let store = segment.stored
        let matchers = matchers.map { matcher in
            var matcher = matcher
            matcher.index = index
            return matcher
        }
        var found: Set<DocumentNumber> = []
        for number in documents {
            let stored = store.encoded(number)
            // What cannot be read here is left to the segment, and told when it is fetched.
            guard let document = try? DocumentCoding.decode(stored) else { return nil }
            if matchers.allSatisfy({ $0.matches(document) }) { found.insert(number) }
        }
        return found
    }
}
