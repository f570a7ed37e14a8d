package import FresnelModel
package import FresnelQuery
import FresnelText

// What `SegmentMatcher` does with a predicate follows from the predicate and the schema alone.
// These sentences say it; where the matcher changes, they change with it.

extension ComparisonPlan {
    /// How the documents of each predicate of an expression are found, in plain words.
    ///
    /// One list of sentences a predicate, in query order.
    package static func routes(
        of expression: ResolvedExpression, language: String?, in schema: AttributeSchema
    ) -> [[String]] {
        var plans: [ComparisonPlan] = []
        _ = PlannedExpression(expression, schema, language: language, comparisons: &plans)
        return plans.map { $0.routes(in: schema) }
    }

    private func routes(in schema: AttributeSchema) -> [String] {
        switch test {
        case .exists: return ["columns: which documents have a value is kept as bits"]
        case .numeric:
            guard case .named = attribute else {
                return ["nothing: numbers are compared only where an attribute is named"]
            }
            return ["column: a range of its sorted numbers names the documents"]
        case .text(let text): return routes(text, in: schema)
        case .field(.kinds): return ["storage: how a document is stored says of what kind it is"]
        case .field(.index), .field(.constant):
            return ["nothing: what index a document is of is decided once for each index"]
        }
    }

    private func routes(_ text: TextTest, in schema: AttributeSchema) -> [String] {
        var routes: [String] = []
        if text.ordinary.isWordBased {
            routes.append(text.ordinary.route)
        } else {
            if coversValues(in: schema) { routes.append(text.ordinary.route) }
            if coversContent(in: schema) {
                let isAlso = !routes.isEmpty
                routes.append((isAlso ? "and in text content, " : "") + text.content.route)
            }
        }
        if let number = text.number {
            routes.append("and columns of numbers: those that are \(number) name their documents")
        }
        return routes
    }

    private func coversContent(in schema: AttributeSchema) -> Bool {
        switch attribute {
        case .named(let name): schema.definition(named: name)?.isTextContent ?? false
        case .searchable: false
        case .searchableAndContent: true
        }
    }

    private func coversValues(in schema: AttributeSchema) -> Bool {
        switch attribute {
        case .named: !coversContent(in: schema)
        case .searchable, .searchableAndContent: true
        }
    }
}

extension PatternPlan {
    /// How texts that match are found.
    fileprivate var route: String {
        let texts =
            switch shape {
            case .values(let narrowing):
                "values: \(narrowing.route(among: "distinct values of the attribute")), which "
                    + "name their documents"
            case .token(let token):
                "dictionary: \(token.narrowing.wordRoute), then the postings of those that match"
            case .phrase(let tokens):
                "dictionary: \(tokens.count) words, each by "
                    + tokens.map(\.narrowing.wordRoute).joined(separator: "; by ")
                    + "; then the postings of documents that have all, the rarest first; then "
                    + (isPartedByWhitespace ? "the places of the words" : "the stored texts")
            }
        guard hasIrregularTexts else { return texts }
        return literalKeys == nil
            ? texts + "; documents with irregular characters by their stored texts"
            : texts + "; where a word touches an irregular character, the stored texts"
    }
}

extension KeyNarrowing {
    /// How words that match are found in the dictionary of a segment.
    fileprivate var wordRoute: String {
        if case .containing(let part) = self, part.count >= GramTable.length {
            return "words with the part's \(GramTable.length)-byte pieces, or a scan where a "
                + "segment has few words"
        }
        return route(among: "words")
    }

    fileprivate func route(among texts: String) -> String {
        switch self {
        case .exact: "one entry of the sorted \(texts)"
        case .prefix: "a range of the sorted \(texts)"
        case .containing: "a scan of all \(texts) for a part"
        case .none: "a scan of all \(texts), each decided by the pattern"
        }
    }
}
