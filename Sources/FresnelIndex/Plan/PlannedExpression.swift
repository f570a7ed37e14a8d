package import FresnelModel
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
    /// - Parameters:
    ///   - schema: what names mean.
    ///   - isRequired: whether no document is found that the expression does not match.
    package init(
        _ expression: consuming ResolvedExpression, _ schema: AttributeSchema, language: String?,
        isRequired: Bool = true, comparisons: inout [ComparisonPlan]
    ) {
        switch consume expression {
        case .constant(let value): self = .constant(value)
        case .not(let part):
            self = .not(
                PlannedExpression(
                    part, schema, language: language, isRequired: false, comparisons: &comparisons))
        case .and(let parts):
            self = .and(Self.parts(parts, schema, language, isRequired, &comparisons))
        case .or(let parts):
            let isAlone = isRequired && parts.count == 1
            self = .or(Self.parts(parts, schema, language, isAlone, &comparisons))
        case .comparison(let comparison):
            self = .comparison(comparisons.count)
            let plan = ComparisonPlan(
                comparison, schema, language: language, isRequired: isRequired)
            // Mostly the only one, which is made room for at once.
            if comparisons.capacity == 0 { comparisons = [plan] } else { comparisons.append(plan) }
        }
    }

    private static func parts(
        _ parts: [ResolvedExpression], _ schema: AttributeSchema, _ language: String?,
        _ isRequired: Bool, _ comparisons: inout [ComparisonPlan]
    ) -> [PlannedExpression] {
        var planned: [PlannedExpression] = []
        planned.reserveCapacity(parts.count)
        if comparisons.isEmpty { comparisons.reserveCapacity(parts.count) }
        for place in parts.indices {
            planned.append(
                PlannedExpression(
                    parts[place], schema, language: language, isRequired: isRequired,
                    comparisons: &comparisons))
        }
        return planned
    }
}
