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
