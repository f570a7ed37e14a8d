/// A query after the clock was read: only texts and numbers are left.
///
/// This is what the reference matcher and the index evaluate. `Expression.resolved(in:)` makes it.
package indirect enum ResolvedExpression: Hashable, Sendable {
    case constant(Bool)
    case and([ResolvedExpression])
    case or([ResolvedExpression])
    case not(ResolvedExpression)
    case comparison(ResolvedComparison)
}

/// One predicate over one attribute, without any reference to a clock.
package struct ResolvedComparison: Hashable, Sendable {
    package var attribute: AttributeReference
    package var test: ValueTest

    package init(attribute: AttributeReference, test: ValueTest) {
        self.attribute = attribute
        self.test = test
    }
}

/// What one element of an attribute's value must satisfy; any element is enough.
package enum ValueTest: Hashable, Sendable {
    /// Any value at all.
    case exists
    /// A text that the pattern matches. A number value matches when `number` equals it (a quoted
    /// number against a numeric attribute, reference §1.4).
    case text(TextPattern, number: Double?)
    /// A number or date in the interval; `domain` says which of them take part.
    case numeric(NumericInterval, domain: NumericDomain)
}

/// Which values a numeric test looks at.
package enum NumericDomain: Hashable, Sendable {
    /// Numbers, and dates as seconds since 2001 (the literal was a bare number).
    case numbersAndDates
    /// Dates only (the literal was a `$time` form).
    case dates
}

/// An interval of numbers; either end may be open or infinite.
package struct NumericInterval: Hashable, Sendable {
    package var lower: Double
    package var upper: Double
    package var includesLower: Bool
    package var includesUpper: Bool

    package init(lower: Double, upper: Double, includesLower: Bool, includesUpper: Bool) {
        self.lower = lower
        self.upper = upper
        self.includesLower = includesLower
        self.includesUpper = includesUpper
    }

    /// Whether `value` lies inside.
    package func contains(_ value: Double) -> Bool {
        (includesLower ? value >= lower : value > lower)
            && (includesUpper ? value <= upper : value < upper)
    }
}
