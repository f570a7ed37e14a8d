extension Expression {
    /// Whether what it means depends on the time at which it is asked.
    package var readsClock: Bool {
        switch self {
        case .constant: false
        case .and(let parts), .or(let parts): parts.contains(where: \.readsClock)
        case .not(let part): part.readsClock
        case .comparison(let comparison): comparison.relation.readsClock
        }
    }
}

extension Relation {
    fileprivate var readsClock: Bool {
        switch self {
        case .exists, .matches, .number: false
        case .time(_, let time): time.readsClock
        case .range(let low, let high): low.readsClock || high.readsClock
        }
    }
}

extension RangePoint {
    fileprivate var readsClock: Bool {
        switch self {
        case .number: false
        case .time(let time): time.readsClock
        }
    }
}

extension TimeExpression {
    fileprivate var readsClock: Bool {
        switch base {
        case .now, .day, .week, .month, .year: true
        case .iso: false
        }
    }
}
