import FresnelModel

// What a comparison means once the type of its attribute is known: valid, constantly false with a
// warning (an attribute of another type can never satisfy it), or an error.

extension QueryGrammar {
    /// The comparison without its negation.
    mutating func typed(
        _ left: LeftSide, _ written: WrittenOperator, _ right: RightSide
    ) throws(QueryError) -> Expression {
        if case .wildcard = left.meaning { try checkWildcard(left.meaning, written) }
        try checkKnown(left)
        switch right.operand {
        case .number(let number):
            return try numeric(left, .number(written.order, number), at: right.offset)
        case .time(let time):
            return try numeric(left, .time(written.order, time), at: right.offset)
        case .text(let text):
            if let flag = flag(text, for: left.meaning) {
                return try numeric(left, .number(written.order, flag), at: right.offset)
            }
            guard written.order == .equal else {
                throw failure(
                    "a number or a $time form after \(written.order.rawValue)",
                    found: text.description, at: right.offset,
                    hint: text.hintForOrder(attribute: left.meaning.spelling))
            }
            return try equality(left, text, right)
        }
    }

    /// `InRange` with its bounds.
    mutating func typedRange(
        _ left: LeftSide, _ lower: RangePoint, _ upper: RangePoint, at start: Int
    ) throws(QueryError) -> Expression {
        try checkKnown(left)
        if case .number(let low) = lower, case .number(let high) = upper, low > high {
            warn(
                "the lower bound of InRange is above the upper one: \(left.outcomeOfNever)",
                at: start)
        }
        return try numeric(left, .range(lower, upper), at: left.offset)
    }

    private func checkWildcard(
        _ meaning: AttributeMeaning, _ written: WrittenOperator
    ) throws(QueryError) {
        guard written.order != .equal || written.isNegated else { return }
        let name = meaning.spelling
        let spelling = written.isNegated ? "!=" : written.order.rawValue
        throw failure(
            "== after '\(name)'", found: "'\(spelling)'", at: written.offset,
            hint: written.isNegated
                ? "did you mean !(\(name) == …)"
                : "\(name) covers only texts, which have no order")
    }

    /// Warns of a name that is in no table, or refuses it when parsing is strict.
    private mutating func checkKnown(_ left: LeftSide) throws(QueryError) {
        let problem: String
        var hint: String?
        switch left.meaning {
        case .wildcard, .known: return
        case .unsearchable(let name):
            problem = "attribute '\(name)' is declared as not searchable"
        case .unknown(let name):
            problem = "unknown attribute '\(QueryScanner.printable(name))'"
            // Looking through all names takes a while; a query full of unknown ones gets no more.
            let isEarly = warnings.count < 8
            let near =
                DocumentField.meant(by: name)
                ?? (isEarly ? NearestName.find(name, among: options.schema.names) : nil)
            hint = near.map { "did you mean \($0)" }
        }
        guard !options.strict else {
            throw failure(
                "a searchable attribute of the index", found: problem, at: left.offset, hint: hint)
        }
        let advice = hint.map { "; \($0)" } ?? ""
        let outcome = left.isNegated ? ", and != is true of what is absent" : ""
        warn("\(problem): it counts as absent everywhere\(outcome)\(advice)", at: left.offset)
    }

    /// 1 or 0 for a bare `true` or `false` against a Boolean or a number, which Booleans are.
    private func flag(_ text: WrittenText, for meaning: AttributeMeaning) -> Double? {
        guard !text.isQuoted, case .known(_, let kind, _) = meaning,
            kind == .boolean || kind == .number
        else { return nil }
        switch text.plain {
        case "true": return 1
        case "false": return 0
        default: return nil
        }
    }

    /// A predicate with a number or a date on its right side.
    private mutating func numeric(
        _ left: LeftSide, _ relation: Relation, at offset: Int
    ) throws(QueryError) -> Expression {
        try countPredicates(at: left.offset)
        let name = left.meaning.spelling
        switch left.meaning {
        case .unsearchable: return .constant(false)
        case .unknown: return left.comparison(relation)
        case .wildcard:
            warn(
                "'\(name)' covers only texts: \(left.outcomeOfNever); put quotes around it",
                at: offset)
            return .constant(false)
        case .known(_, let kind, _):
            if kind == .date { return left.comparison(relation) }
            if kind == .number || kind == .boolean, !relation.hasTime {
                return left.comparison(relation)
            }
            let literal = relation.hasTime ? "a date" : "a number"
            let advice = kind == .text ? "; put quotes around it to compare text" : ""
            warn(
                "'\(name)' is \(kind.words) and never equals \(literal): "
                    + "\(left.outcomeOfNever)\(advice)", at: offset)
            return .constant(false)
        }
    }

    /// `==` with a text on its right side.
    private mutating func equality(
        _ left: LeftSide, _ text: WrittenText, _ right: RightSide
    ) throws(QueryError) -> Expression {
        if case .unsearchable = left.meaning { return .constant(false) }
        if text.pieces.count == 1, case .anyRun = text.pieces[0] {
            try countPredicates(at: left.offset)
            return left.comparison(.exists)
        }
        var modifiers = right.modifiers.modifiers
        if case .known(_, let kind, let isTextContent) = left.meaning {
            switch kind {
            case .number, .boolean:
                if let number = text.plain.flatMap(NumberLiteral.value(of:)) {
                    return try numeric(left, .number(.equal, number), at: right.offset)
                }
                return try mismatch(left, kind, right, text)
            case .date, .opaque:
                return try mismatch(left, kind, right, text)
            case .text:
                if isTextContent { modifiers.insert(.wordBased) }
            }
        }
        guard right.modifiers.isTokenized else {
            if text.pieces.isEmpty { warnOfEmptyText(left, at: right.offset) }
            try countPredicates(at: left.offset)
            return left.comparison(
                .matches(TextPattern(pieces: text.pieces, modifiers: modifiers)))
        }
        return try tokenized(left, text, modifiers.union(.wordBased), at: right.offset)
    }

    private mutating func warnOfEmptyText(_ left: LeftSide, at offset: Int) {
        let advice =
            left.isNegated ? "presence is written == \"*\"" : "absence is written != \"*\""
        warn("empty text equals no value: \(left.outcomeOfNever); \(advice)", at: offset)
    }

    private mutating func mismatch(
        _ left: LeftSide, _ kind: AttributeMeaning.ValueKind, _ right: RightSide,
        _ text: WrittenText
    ) throws(QueryError) -> Expression {
        try countPredicates(at: right.offset)
        let advice: String
        if kind == .date, let plain = text.plain, ISO8601(plain) != nil {
            advice = "; did you mean $time.iso(\(plain))"
        } else if kind == .boolean, let plain = text.plain, plain == "true" || plain == "false" {
            advice = "; write \(plain) without quotes"
        } else {
            advice = ""
        }
        warn(
            "'\(left.meaning.spelling)' is \(kind.words) and never equals \(text.description): "
                + "\(left.outcomeOfNever)\(advice)", at: right.offset)
        return .constant(false)
    }

    /// The `t` rewrite: one word-based comparison a token, all of which must hold.
    private mutating func tokenized(
        _ left: LeftSide, _ text: WrittenText, _ modifiers: Modifiers, at offset: Int
    ) throws(QueryError) -> Expression {
        let tokens = TextPattern.tokens(of: text.pieces)
        guard tokens.count <= options.limits.tokens else {
            throw failure(
                "at most \(options.limits.tokens) words under the modifier t",
                found: "\(tokens.count) words", at: offset,
                hint: "the limit is queryTokens; look for fewer words")
        }
        try countPredicates(max(tokens.count, 1), at: left.offset)
        guard !tokens.isEmpty else {
            warnOfEmptyText(left, at: offset)
            return .constant(false)
        }
        let parts = tokens.map { pieces in
            pieces == [.anyRun]
                ? left.comparison(.exists)
                : left.comparison(.matches(TextPattern(pieces: pieces, modifiers: modifiers)))
        }
        return .allOf(parts)
    }
}

extension Relation {
    /// Whether a `$time` form takes part.
    fileprivate var hasTime: Bool {
        switch self {
        case .exists, .matches, .number: false
        case .time, .range(.time, _), .range(_, .time): true
        case .range(.number, .number): false
        }
    }
}

extension AttributeSchema {
    /// Every name and alias a query may use.
    fileprivate var names: [String] {
        AttributeTable.all.flatMap { [$0.name] + $0.aliases }
            + customKeys.values.filter(\.isSearchable).map(\.name)
            + DocumentField.names
    }
}
