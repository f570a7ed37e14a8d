import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelText

/// Scores and order as the plainest code over whole documents.
struct MatchingOracle {
    let documents: [Document]
    let schema: AttributeSchema
    let expression: ResolvedExpression

    /// The documents that match.
    var found: [Document] {
        documents.filter(matcher(expression).matches)
    }

    /// The score of a document among all documents.
    func score(of document: Document) -> Double {
        var score = 0.0
        for leaf in expression.scoredComparisons {
            let matching = documents.filter(matcher(.comparison(leaf)).matches).count
            let rarity = Relevance.rarity(
                documents: UInt64(documents.count), matching: UInt64(matching))
            let weighted = weightedOccurrences(of: leaf, in: document)
            score += Relevance.contribution(rarity: rarity, weightedOccurrences: weighted)
        }
        return score
    }

    /// The scores of documents among all documents, counted once.
    func scores(of found: [Document]) -> [Double] {
        let leaves = expression.scoredComparisons
        let rarities = leaves.map { leaf in
            Relevance.rarity(
                documents: UInt64(documents.count),
                matching: UInt64(documents.filter(matcher(.comparison(leaf)).matches).count))
        }
        return found.map { document in
            zip(leaves, rarities).reduce(0.0) { score, leaf in
                let weighted = weightedOccurrences(of: leaf.0, in: document)
                return score
                    + Relevance.contribution(rarity: leaf.1, weightedOccurrences: weighted)
            }
        }
    }

    private func matcher(_ expression: ResolvedExpression) -> ReferenceMatcher {
        ReferenceMatcher(expression: expression, schema: schema, index: "default")
    }

    private func weightedOccurrences(
        of leaf: ResolvedComparison, in document: Document
    ) -> Double {
        guard case .text(let pattern, _) = leaf.test else { return 0 }
        let names = Set(document.attributes.keys)
            .union(["uniqueIdentifier", "domainIdentifier"])
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var sum = 0.0
        for name in names {
            guard let value = document.value(ofAttribute: name) else { continue }
            let texts = SearchableText.strings(of: value, attribute: name)
            let occurrences = occurrences(of: pattern, leaf.attribute, name, texts)
            guard occurrences > 0 else { continue }
            sum += Relevance.weighted(
                occurrences: occurrences,
                length: texts.reduce(0) { $0 + Tokenizer.tokens(of: $1).tokens.count },
                of: schema.definition(named: name))
        }
        return sum
    }

    private func occurrences(
        of pattern: TextPattern, _ attribute: AttributeReference, _ name: String, _ texts: [String]
    ) -> Int {
        let definition = schema.definition(named: name)
        let isCovered =
            switch attribute {
            case .named(let wanted): wanted == name && definition?.isSearchable ?? true
            case .searchable: definition?.isSearchableByDefault ?? false
            case .searchableAndContent: definition?.isCoveredByContentWildcard ?? false
            }
        guard isCovered else { return 0 }
        let plan = PatternPlan(
            pattern, isWordBased: definition?.isTextContent ?? false, language: nil)
        let matches = texts.contains { plan.glob.matches($0) } ? 1 : 0
        guard case .token = plan.shape, plan.glob.isWordBased else { return matches }
        let tokens = texts.flatMap { text in
            Tokenizer.tokens(of: text).tokens.map { token in
                String(decoding: Array(text.utf8)[token.range], as: UTF8.self)
            }
        }
        return max(matches, tokens.filter { plan.glob.matches($0) }.count)
    }
}
