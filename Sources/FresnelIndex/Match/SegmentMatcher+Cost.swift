// Costs only order the parts of a conjunction: rough numbers of documents touched, where reading a
// text counts as many.

extension SegmentMatcher {
    /// How much work an expression is, roughly.
    func cost(of expression: PlannedExpression) -> Int {
        switch expression {
        case .constant: 0
        case .not(let part): cost(of: part) + documentCount / 64
        case .and(let parts): parts.map { cost(of: $0) }.min() ?? 0
        case .or(let parts): parts.reduce(0) { $0 + cost(of: $1) }
        case .comparison(let number): cost(ofComparison: number)
        }
    }

    private func cost(ofComparison number: Int) -> Int {
        switch comparisons[number].test {
        case .exists, .field(.kinds): return documentCount / 64
        case .field(.index), .field(.constant): return 0
        case .numeric(let interval, _):
            return covered[number].all.reduce(0) { sum, attribute in
                let numbers = segment.attributes[Int(attribute)].numbers
                let dates = segment.attributes[Int(attribute)].dates
                return sum + (numbers?.entries(in: interval).count ?? 0)
                    + (dates?.entries(in: interval).count ?? 0)
            }
        case .text(let text): return cost(of: text.ordinary, covered[number])
        }
    }

    private func cost(of plan: PatternPlan, _ covered: CoveredAttributes) -> Int {
        switch plan.shape {
        case .values(let narrowing):
            covered.ordinary.reduce(0) { sum, attribute in
                let known = segment.attributes[Int(attribute)]
                guard known.storedTexts == nil else { return sum + known.presence.count / 4 }
                return sum + cost(of: narrowing, amongTexts: known.column?.values.count ?? 0)
            }
        case .token(let token): cost(of: token)
        case .phrase(let tokens): (tokens.map { cost(of: $0) }.min() ?? documentCount) * 8
        }
    }

    private func cost(of token: TokenPlan) -> Int {
        switch token.narrowing {
        case .exact(let key): documents(ofTerms: segment.terms.range(withFoldedKey: key.span))
        case .prefix(let key): documents(ofTerms: segment.terms.range(withFoldedPrefix: key.span))
        case .containing, .none: segment.terms.count
        }
    }

    private func cost(of narrowing: KeyNarrowing, amongTexts count: Int) -> Int {
        switch narrowing {
        case .exact: 16
        case .prefix: 16 + count / 64
        case .containing: 16 + count / 4
        case .none: 16 + count * 4
        }
    }

    /// The postings of a range of terms; of a long one by a sample.
    private func documents(ofTerms range: Range<TermID>) -> Int {
        let step = max(1, range.count / 16)
        var sum = 0
        for term in stride(from: range.lowerBound, to: range.upperBound, by: step) {
            sum += segment.postings.documentCount(of: term)
        }
        return sum * step
    }
}
