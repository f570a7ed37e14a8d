extension Expression {
    /// The query with its clock read: `$time` forms become intervals of seconds since 2001.
    ///
    /// - Throws: when the context names an unknown time zone or no weekday, or a date lies outside
    ///   the calendar.
    package consuming func resolved(
        in context: QueryContext
    ) throws(QueryError) -> ResolvedExpression {
        try resolved(by: TimeResolver(context))
    }

    private consuming func resolved(
        by resolver: TimeResolver
    ) throws(QueryError) -> ResolvedExpression {
        switch consume self {
        case .constant(let value): .constant(value)
        case .and(let parts): .and(try Self.resolved(parts, by: resolver))
        case .or(let parts): .or(try Self.resolved(parts, by: resolver))
        case .not(let part): .not(try part.resolved(by: resolver))
        case .comparison(let comparison):
            .comparison(
                ResolvedComparison(
                    attribute: comparison.attribute, test: try comparison.test(by: resolver)))
        }
    }

    private static func resolved(
        _ parts: [Expression], by resolver: TimeResolver
    ) throws(QueryError) -> [ResolvedExpression] {
        var resolved: [ResolvedExpression] = []
        resolved.reserveCapacity(parts.count)
        // By their places: what is taken out of a list to be consumed is copied twice.
        for place in parts.indices { resolved.append(try parts[place].resolved(by: resolver)) }
        return resolved
    }
}

extension Comparison {
    fileprivate func test(by resolver: TimeResolver) throws(QueryError) -> ValueTest {
        switch relation {
        case .exists:
            return .exists
        case .matches(let pattern):
            return .text(pattern, number: number(of: pattern))
        case .number(let order, let number):
            return .numeric(
                NumericInterval(order, number), domain: .numbersAndDates)
        case .time(.equal, let time):
            let span = try resolver.span(of: time, at: offset)
            return .numeric(span.interval, domain: .dates)
        case .time(let order, let time):
            let start = try resolver.span(of: time, at: offset).start
            return .numeric(NumericInterval(order, start), domain: .dates)
        case .range(let lower, let upper):
            let interval = NumericInterval(
                lower: try bound(lower, by: resolver), upper: try bound(upper, by: resolver),
                includesLower: true, includesUpper: true)
            let hasTime = lower.isTime || upper.isTime
            return .numeric(interval, domain: hasTime ? .dates : .numbersAndDates)
        }
    }

    private func bound(
        _ point: RangePoint, by resolver: TimeResolver
    ) throws(QueryError) -> Double {
        switch point {
        case .number(let number): number
        case .time(let time): try resolver.span(of: time, at: offset).start
        }
    }

    /// The number that a text stands for; wildcards never look at numbers.
    private func number(of pattern: TextPattern) -> Double? {
        guard case .named = attribute, case .literal(let text) = pattern.pieces.first,
            pattern.pieces.count == 1
        else { return nil }
        return NumberLiteral.value(of: text)
    }
}

extension RangePoint {
    fileprivate var isTime: Bool {
        if case .time = self { true } else { false }
    }
}

extension NumericInterval {
    /// Everything that stands in an order to `number`.
    package init(_ order: OrderOperator, _ number: Double) {
        switch order {
        case .equal:
            self.init(lower: number, upper: number, includesLower: true, includesUpper: true)
        case .less:
            self.init(lower: -.infinity, upper: number, includesLower: true, includesUpper: false)
        case .lessOrEqual:
            self.init(lower: -.infinity, upper: number, includesLower: true, includesUpper: true)
        case .greater:
            self.init(lower: number, upper: .infinity, includesLower: false, includesUpper: true)
        case .greaterOrEqual:
            self.init(lower: number, upper: .infinity, includesLower: true, includesUpper: true)
        }
    }
}
