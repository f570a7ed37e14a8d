package import FresnelQuery

/// A resolved query whose predicates are numbers of compiled ones.
package indirect enum PlannedExpression: Sendable {
    case constant(Bool)
    case and([PlannedExpression])
    case or([PlannedExpression])
    case not(PlannedExpression)
    /// A place in the plan's list of comparisons.
    case comparison(Int)

    /// Numbers the comparisons of a query behind those in `comparisons`, in query order.
    package init(
        _ expression: ResolvedExpression, language: String?,
        comparisons: inout [ComparisonPlan]
    ) {
        switch expression {
        case .constant(let value): self = .constant(value)
        case .not(let part):
            self = .not(
                PlannedExpression(part, language: language, comparisons: &comparisons))
        case .and(let parts):
            self = .and(Self.parts(parts, language, &comparisons))
        case .or(let parts):
            self = .or(Self.parts(parts, language, &comparisons))
        case .comparison(let comparison):
            self = .comparison(comparisons.count)
            comparisons.append(ComparisonPlan(comparison, language: language))
        }
    }

    private static func parts(
        _ parts: [ResolvedExpression], _ language: String?, _ comparisons: inout [ComparisonPlan]
    ) -> [PlannedExpression] {
        var planned: [PlannedExpression] = []
        for part in parts {
            planned.append(
                PlannedExpression(part, language: language, comparisons: &comparisons))
        }
        return planned
    }
}
