extension ResolvedComparison: CustomStringConvertible {
    /// The predicate as it was understood: canonical query syntax where there is one for it, an
    /// interval where it was a number or a date.
    package var description: String {
        switch test {
        case .exists: "\(attribute) == \"*\""
        case .text(let pattern, _): "\(attribute) == \(pattern)"
        case .numeric(let interval, _): "\(attribute) in \(interval)"
        }
    }
}

extension NumericInterval: CustomStringConvertible {
    /// The interval as mathematicians write it: `[1.0, 5.0)` has 1 and lacks 5.
    package var description: String {
        "\(includesLower ? "[" : "(")\(lower), \(upper)\(includesUpper ? "]" : ")")"
    }
}
