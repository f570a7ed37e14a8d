package import FresnelQuery

/// A resolved query whose predicates are numbers of compiled ones.
package enum PlannedExpression: Sendable {
    case constant(Bool)
    case and([PlannedExpression])
    case or([PlannedExpression])
    indirect case not(PlannedExpression)
    /// A place in the plan's list of comparisons.
    case comparison(Int)

    /// Numbers the comparisons of a query behind those in `comparisons`, in query order.
    ///
    /// - Parameter isRequired: whether no document is found that the expression does not match.
    package init(
        _ expression: consuming ResolvedExpression, language: String?, isRequired: Bool = true,
        comparisons: inout [ComparisonPlan]
    ) {
        switch consume expression {
        case .constant(let value): self = .constant(value)
        case .not(let part):
            self = .not(
                PlannedExpression(
                    part, language: language, isRequired: false, comparisons: &comparisons))
        case .and(let parts):
            self = .and(Self.parts(parts, language, isRequired, &comparisons))
        case .or(let parts):
            let isAlone = isRequired && parts.count == 1
            self = .or(Self.parts(parts, language, isAlone, &comparisons))
        case .comparison(let comparison):
            self = .comparison(comparisons.count)
            let plan = ComparisonPlan(comparison, language: language, isRequired: isRequired)
            // Mostly the only one, which is made room for at once.
            if comparisons.capacity == 0 { comparisons = [plan] } else { comparisons.append(plan) }
        }
    }

    private static func parts(
        _ parts: [ResolvedExpression], _ language: String?, _ isRequired: Bool,
        _ comparisons: inout [ComparisonPlan]
    ) -> [PlannedExpression] {
        var planned: [PlannedExpression] = []
        planned.reserveCapacity(parts.count)
        if comparisons.isEmpty { comparisons.reserveCapacity(parts.count) }
        for place in parts.indices {
            planned.append(
                PlannedExpression(
                    parts[place], language: language, isRequired: isRequired,
                    comparisons: &comparisons))
        }
        return planned
    }
}
