import FresnelModel
import FresnelQuery
import FresnelText

extension MatchingChance {
    /// A query over everything the language has.
    mutating func expression(depth: Int = 3) -> Expression {
        switch depth == 0 ? 9 : below(10) {
        case 0: return .allOf((0...1 + below(2)).map { _ in expression(depth: depth - 1) })
        case 1: return .anyOf((0...1 + below(2)).map { _ in expression(depth: depth - 1) })
        case 2: return .not(expression(depth: depth - 1))
        default: return .comparison(comparison())
        }
    }

    private mutating func comparison() -> Comparison {
        switch below(12) {
        case 0:
            let names = Self.textNames + Self.numberNames + Self.dateNames
            return Comparison(attribute: .named(pick(names)), relation: .exists)
        case 1: return Comparison(attribute: .named(pick(Self.numberNames)), relation: numeric())
        case 2: return Comparison(attribute: .named(pick(Self.dateNames)), relation: dated())
        case 3: return Comparison(attribute: .searchable, relation: .matches(pattern()))
        case 4, 5:
            return Comparison(attribute: .searchableAndContent, relation: .matches(pattern()))
        default:
            return Comparison(
                attribute: .named(pick(Self.textNames)), relation: .matches(pattern()))
        }
    }

    private mutating func order() -> OrderOperator {
        pick([.equal, .less, .lessOrEqual, .greater, .greaterOrEqual])
    }

    private mutating func numeric() -> Relation {
        chance(0.7)
            ? .number(order(), number()) : .range(.number(number()), .number(number()))
    }

    private mutating func dated() -> Relation {
        let units: [TimeExpression.Unit] = [.hour, .day, .week, .month]
        let time = TimeExpression(
            base: pick([.now, .day, .week, .month, .year]), offset: below(9) - 6, unit: pick(units))
        switch below(3) {
        case 0: return .time(order(), time)
        case 1: return .number(order(), date().seconds)
        default: return .range(.number(date().seconds), .time(time))
        }
    }

    /// A glob made of the words that documents are made of, cut and joined at random.
    private mutating func pattern() -> TextPattern {
        var pieces: [TextPattern.Piece] = []
        var literal = ""
        func endLiteral() {
            if !literal.isEmpty { pieces.append(.literal(literal)) }
            literal = ""
        }
        for number in 0...below(3) {
            if number > 0 { literal += pick(Self.separators) }
            if chance(0.25) {
                endLiteral()
                pieces.append(pick([.anyRun, .anyRun, .anyCharacter]))
            }
            literal += fragment()
            if chance(0.3) {
                endLiteral()
                if pieces.last != .anyRun {
                    pieces.append(pick([.anyRun, .anyRun, .anyCharacter]))
                }
            }
        }
        endLiteral()
        let modifiers: [Modifiers] = [
            [], .caseInsensitive, .diacriticInsensitive, .wordBased,
            [.wordBased, .caseInsensitive], [.wordBased, .diacriticInsensitive],
            [.caseInsensitive, .diacriticInsensitive],
            [.caseInsensitive, .diacriticInsensitive, .wordBased],
            [.caseInsensitive, .diacriticInsensitive, .wordBased],
        ]
        return TextPattern(pieces: pieces.withoutRepeatedRuns, modifiers: pick(modifiers))
    }

    /// A word, or a part of one, in some spelling.
    private mutating func fragment() -> String {
        let isCut = !texts.isEmpty && chance(0.4)
        var whole = isCut ? pick(texts) : pick(Self.words)
        // As it is compared: with what characters fold to, and parts of that.
        if chance(0.15) { whole = String(decoding: foldedKey(of: whole), as: UTF8.self) }
        var scalars = Array(whole.unicodeScalars)
        guard !scalars.isEmpty else { return "" }
        if chance(0.4) {
            let start = below(scalars.count)
            let end = start + 1 + below(scalars.count - start)
            scalars = Array(scalars[start..<end])
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return chance(0.2) ? text.uppercased() : chance(0.2) ? text.lowercased() : text
    }
}

extension [TextPattern.Piece] {
    /// The glob with one star where several stood in a row.
    fileprivate var withoutRepeatedRuns: [TextPattern.Piece] {
        reduce(into: []) { pieces, piece in
            if piece != .anyRun || pieces.last != .anyRun { pieces.append(piece) }
        }
    }
}
