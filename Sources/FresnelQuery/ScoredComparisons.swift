extension ResolvedExpression {
    /// The comparisons that contribute to relevance, in query order.
    ///
    /// Text patterns score unless they stand under a negation. The order is the one in which scores
    /// are summed and in which `Statistics.leaf_documents` counts travel, so that every worker and
    /// the broker agree on it without naming the comparisons.
    package var scoredComparisons: [ResolvedComparison] {
        switch self {
        case .constant, .not:
            []
        case .and(let parts), .or(let parts):
            parts.flatMap(\.scoredComparisons)
        case .comparison(let comparison):
            switch comparison.test {
            case .text: [comparison]
            case .exists, .numeric: []
            }
        }
    }
}
