import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelText
import FresnelWire

/// The whole answer of one process: what the reference matcher finds, sorted by the plainest code.
struct OrderOracle {
    /// One found document with what places it.
    struct Place {
        let document: Document
        let score: Double?
        /// What the document has for each key of the order; nil where it has nothing.
        let values: [Value?]
    }

    /// A value of the order: numbers and dates by size, texts by folded key, then bytes.
    enum Value {
        case number(Double)
        case text(String)

        func precedes(_ other: Value) -> Bool {
            switch (self, other) {
            case (.number(let mine), .number(let others)): return mine < others
            case (.text(let mine), .text(let others)):
                let (left, right) = (foldedKey(of: mine), foldedKey(of: others))
                return left == right
                    ? mine.utf8.lexicographicallyPrecedes(others.utf8)
                    : left.lexicographicallyPrecedes(right)
            case (.number, .text), (.text, .number): return false
            }
        }
    }

    /// The found documents in order.
    let places: [Place]

    init(_ search: WireSearch, _ documents: [Document], schema: AttributeSchema, at now: Timestamp)
        throws
    {
        let options = ParseOptions(schema: schema)
        let context = QueryContext(now: now)
        let oracle = MatchingOracle(
            documents: documents, schema: schema,
            expression: try QueryParser.parse(search.query, options: options).expression
                .resolved(in: context))
        var found = oracle.found
        for filter in search.filters {
            let expression = try QueryParser.parse(filter, options: options).expression
            let matcher = ReferenceMatcher(
                expression: try expression.resolved(in: context), schema: schema,
                index: "default")
            found = found.filter(matcher.matches)
        }
        let isByRelevance = search.sort.isEmpty || search.sort.contains { $0.attribute.isEmpty }
        let isScored = isByRelevance && !oracle.expression.scoredComparisons.isEmpty
        let scores = isScored ? oracle.scores(of: found) : []
        places = found.enumerated().map { number, document in
            let score = isScored ? scores[number] : nil
            return Place(
                document: document, score: score,
                values: Self.order(of: search).map { key in
                    key.attribute.isEmpty
                        ? .number(score ?? 0)
                        : Self.value(of: document, key, schema)
                })
        }.sorted { Self.precedes($0, $1, Self.order(of: search)) }
    }

    var identifiers: [String] { places.map(\.document.uniqueIdentifier) }

    private static func order(of search: WireSearch) -> [WireSortKey] {
        guard search.sort.isEmpty else { return search.sort }
        var relevance = WireSortKey()
        relevance.descending = true
        return [relevance]
    }

    /// The least value of an attribute, or the greatest where the order descends.
    private static func value(
        of document: Document, _ key: WireSortKey, _ schema: AttributeSchema
    ) -> Value? {
        guard schema.definition(named: key.attribute)?.isTextContent != true else { return nil }
        let values: [Value] =
            switch document.value(ofAttribute: key.attribute, in: schema, of: "default") {
            case .string(let text): [.text(text)]
            case .strings(let texts): texts.map { .text($0) }
            case .number(let number): [.number(number)]
            case .boolean(let truth): [.number(truth ? 1 : 0)]
            case .numbers(let numbers): numbers.map { .number($0) }
            case .date(let date): [.number(date.seconds)]
            case .dates(let dates): dates.map { .number($0.seconds) }
            case .localized, .persons, .bytes, .byteStrings, .dictionary, nil: []
            }
        return key.descending
            ? values.max { $0.precedes($1) } : values.min { $0.precedes($1) }
    }

    private static func precedes(_ left: Place, _ right: Place, _ order: [WireSortKey]) -> Bool {
        for (number, key) in order.enumerated() {
            switch (left.values[number], right.values[number]) {
            case (nil, nil): continue
            case (_?, nil): return true
            case (nil, _?): return false
            case (let mine?, let other?):
                if mine.precedes(other) { return !key.descending }
                if other.precedes(mine) { return key.descending }
            }
        }
        return left.document.uniqueIdentifier.utf8.lexicographicallyPrecedes(
            right.document.uniqueIdentifier.utf8)
    }
}
