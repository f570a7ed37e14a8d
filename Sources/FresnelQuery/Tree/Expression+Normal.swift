extension Expression {
    /// The conjunction of `parts`, flat: parts that are conjunctions give their own parts.
    ///
    /// None is `true`, one is itself.
    package static func allOf(_ parts: [Expression]) -> Expression {
        // Mostly nothing has to be made flat.
        if parts.count > 1, !parts.contains(where: \.isConjunction) { return .and(parts) }
        var flat: [Expression] = []
        for part in parts {
            if case .and(let inner) = part { flat += inner } else { flat.append(part) }
        }
        guard let first = flat.first else { return .constant(true) }
        return flat.count == 1 ? first : .and(flat)
    }

    /// The disjunction of `parts`, flat: parts that are disjunctions give their own parts.
    ///
    /// None is `false`, one is itself.
    package static func anyOf(_ parts: [Expression]) -> Expression {
        if parts.count > 1, !parts.contains(where: \.isDisjunction) { return .or(parts) }
        var flat: [Expression] = []
        for part in parts {
            if case .or(let inner) = part { flat += inner } else { flat.append(part) }
        }
        guard let first = flat.first else { return .constant(false) }
        return flat.count == 1 ? first : .or(flat)
    }

    private var isConjunction: Bool {
        if case .and = self { true } else { false }
    }

    private var isDisjunction: Bool {
        if case .or = self { true } else { false }
    }
}
