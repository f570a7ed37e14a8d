import FresnelQuery

// Numbers that are not finite have no spelling in the language: infinities become the largest
// finite number, and a comparison with what is no number never holds.

extension QueryAttribute {
    /// Some value is this number; Booleans are 0 and 1.
    public static func == (lhs: QueryAttribute, rhs: Double) -> Query { lhs.order(.equal, rhs) }

    /// Some value is true, or is false.
    public static func == (lhs: QueryAttribute, rhs: Bool) -> Query { lhs == (rhs ? 1.0 : 0.0) }

    /// Some value is below the number.
    public static func < (lhs: QueryAttribute, rhs: Double) -> Query { lhs.order(.less, rhs) }

    /// Some value is at most the number.
    public static func <= (lhs: QueryAttribute, rhs: Double) -> Query {
        lhs.order(.lessOrEqual, rhs)
    }

    /// Some value is above the number.
    public static func > (lhs: QueryAttribute, rhs: Double) -> Query { lhs.order(.greater, rhs) }

    /// Some value is at least the number.
    public static func >= (lhs: QueryAttribute, rhs: Double) -> Query {
        lhs.order(.greaterOrEqual, rhs)
    }

    /// Some value lies in the time: inside its span, or at its instant.
    public static func == (lhs: QueryAttribute, rhs: QueryTime) -> Query { lhs.order(.equal, rhs) }

    /// Some value is before the time.
    public static func < (lhs: QueryAttribute, rhs: QueryTime) -> Query { lhs.order(.less, rhs) }

    /// Some value is not after the beginning of the time.
    public static func <= (lhs: QueryAttribute, rhs: QueryTime) -> Query {
        lhs.order(.lessOrEqual, rhs)
    }

    /// Some value is after the beginning of the time.
    public static func > (lhs: QueryAttribute, rhs: QueryTime) -> Query { lhs.order(.greater, rhs) }

    /// Some value is not before the time.
    public static func >= (lhs: QueryAttribute, rhs: QueryTime) -> Query {
        lhs.order(.greaterOrEqual, rhs)
    }

    /// One value lies between the two, both included.
    public func inRange(_ lower: Double, _ upper: Double) -> Query {
        guard !lower.isNaN, !upper.isNaN else { return .none }
        return comparison(.range(.number(lower.clamped), .number(upper.clamped)))
    }

    /// One value lies between the beginnings of the two, both included.
    public func inRange(_ lower: QueryTime, _ upper: QueryTime) -> Query {
        comparison(.range(lower.point, upper.point))
    }

    private func order(_ operation: OrderOperator, _ number: Double) -> Query {
        guard !number.isNaN else { return .none }
        return comparison(.number(operation, number.clamped))
    }

    private func order(_ operation: OrderOperator, _ time: QueryTime) -> Query {
        switch time.point {
        case .number(let seconds): comparison(.number(operation, seconds))
        case .time(let expression): comparison(.time(operation, expression))
        }
    }
}

extension Double {
    /// The nearest finite number; zero has no sign.
    fileprivate var clamped: Double {
        Swift.min(Swift.max(self, -.greatestFiniteMagnitude), .greatestFiniteMagnitude) + 0
    }
}
