// The canonical spelling: double quotes, modifiers as a suffix in the order c d w, one space around
// operators, parentheses only where they are needed. Parsing it gives the same tree again.

extension Expression: CustomStringConvertible {
    /// The canonical query string.
    package var description: String {
        switch self {
        case .constant(let value): value ? "true" : "false"
        case .and(let parts): Self.join(parts, with: " && ", empty: "true")
        case .or(let parts): Self.join(parts, with: " || ", empty: "false")
        case .not(let part): part.negatedDescription
        case .comparison(let comparison): comparison.description
        }
    }

    private static func join(_ parts: [Expression], with word: String, empty: String) -> String {
        guard !parts.isEmpty else { return empty }
        let isConjunction = word == " && "
        return parts.map { part in
            if case .or = part, isConjunction { return "(\(part))" }
            return "\(part)"
        }.joined(separator: word)
    }

    /// The spelling of "not this": `!=` where there is one, else a prefix `!`.
    private var negatedDescription: String {
        switch self {
        case .constant(let value): "!\(value)"
        case .and, .or, .not: "!(\(self))"
        case .comparison(let comparison): comparison.negatedDescription ?? "!(\(comparison))"
        }
    }
}

extension Comparison: CustomStringConvertible {
    /// The canonical spelling of the predicate.
    package var description: String {
        switch relation {
        case .range(let lower, let upper): "InRange(\(attribute), \(lower), \(upper))"
        case .number(let order, let number):
            "\(attribute) \(order.rawValue) \(NumberLiteral.text(of: number))"
        case .time(let order, let time): "\(attribute) \(order.rawValue) \(time)"
        case .exists: "\(attribute) == \"*\""
        case .matches(let pattern): "\(attribute) == \(pattern)"
        }
    }

    /// The spelling with `!=`, or nil where the language has none.
    fileprivate var negatedDescription: String? {
        guard case .named = attribute else { return nil }
        switch relation {
        case .exists: return "\(attribute) != \"*\""
        case .matches(let pattern): return "\(attribute) != \(pattern)"
        case .number(.equal, let number):
            return "\(attribute) != \(NumberLiteral.text(of: number))"
        case .time(.equal, let time): return "\(attribute) != \(time)"
        case .number, .time, .range: return nil
        }
    }
}

extension AttributeReference: CustomStringConvertible {
    /// The left side as it is written.
    package var description: String {
        switch self {
        case .searchable: "*"
        case .searchableAndContent: "**"
        case .named(let name): name
        }
    }
}

extension RangePoint: CustomStringConvertible {
    /// The bound as it is written.
    package var description: String {
        switch self {
        case .number(let number): NumberLiteral.text(of: number)
        case .time(let time): "\(time)"
        }
    }
}

extension TextPattern: CustomStringConvertible {
    /// The string literal with its modifiers.
    package var description: String { "\"\(QueryText.pattern(pieces))\"\(modifiers)" }
}

extension Modifiers: CustomStringConvertible {
    /// The letters in the order c d w.
    package var description: String {
        (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
            + (contains(.wordBased) ? "w" : "")
    }
}
