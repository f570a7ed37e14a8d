import FresnelQuery

/// Makes random normalised trees: only such as the parser can return.
struct ExpressionGenerator {
    var chance: SeededChance

    init(seed: UInt64) { chance = SeededChance(seed: seed) }

    mutating func expression(depth: Int = 4) -> FresnelQuery.Expression {
        guard depth > 0 else { return leaf() }
        switch Int.random(in: 0..<8, using: &chance) {
        case 0, 1: return .allOf(parts(depth: depth))
        case 2, 3: return .anyOf(parts(depth: depth))
        case 4: return .not(expression(depth: depth - 1))
        case 5: return .not(leaf())
        default: return leaf()
        }
    }

    private mutating func parts(depth: Int) -> [FresnelQuery.Expression] {
        (0..<Int.random(in: 2...4, using: &chance)).map { _ in expression(depth: depth - 1) }
    }

    private mutating func leaf() -> FresnelQuery.Expression {
        switch Int.random(in: 0..<8, using: &chance) {
        case 0: .constant(Bool.random(using: &chance))
        case 1, 2: comparison("rating", .number(order(), number()))
        case 3: comparison("dueDate", .time(order(), time()))
        case 4: comparison("importantDates", .range(point(), point()))
        case 5: .comparison(Comparison(attribute: textAttribute(), relation: .exists))
        default: .comparison(Comparison(attribute: textAttribute(), relation: .matches(pattern())))
        }
    }

    private func comparison(_ name: String, _ relation: Relation) -> FresnelQuery.Expression {
        .comparison(Comparison(attribute: .named(name), relation: relation))
    }

    private mutating func textAttribute() -> AttributeReference {
        chance.choose([
            .searchable, .searchableAndContent, .named("title"), .named("keywords"),
            .named("authors"), .named("no_such_attribute"), .named("InRange"), .named("true"),
        ])
    }

    private mutating func order() -> OrderOperator {
        chance.choose([.equal, .less, .lessOrEqual, .greater, .greaterOrEqual])
    }

    private mutating func number() -> Double {
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: Double(Int.random(in: -10...10, using: &chance))
        case 1: Double.random(in: -1...1, using: &chance)
        case 2: chance.choose([1e300, 1e-300, 816_825_600, 1e15, 0.1, .leastNonzeroMagnitude])
        default: Double.random(in: -1e20...1e20, using: &chance)
        }
    }

    private mutating func point() -> RangePoint {
        Bool.random(using: &chance) ? .number(number()) : .time(time())
    }

    private mutating func time() -> TimeExpression {
        let iso = chance.choose(["2026-11-20", "2026-11-20T15:30:00Z", "2026-11-20T15:30"])
        if Int.random(in: 0..<6, using: &chance) == 0 {
            return TimeExpression(base: .iso(iso), unit: .second)
        }
        return TimeExpression(
            base: chance.choose([.now, .day, .week, .month, .year]),
            offset: Int.random(in: -40...40, using: &chance),
            unit: chance.choose([.second, .minute, .hour, .day, .week, .month, .year]))
    }

    mutating func pattern() -> TextPattern {
        var pieces: [TextPattern.Piece] = []
        for _ in 0..<Int.random(in: 1...5, using: &chance) {
            switch Int.random(in: 0..<4, using: &chance) {
            case 0 where pieces.last != .anyRun: pieces.append(.anyRun)
            case 1: pieces.append(.anyCharacter)
            default:
                guard case .literal = pieces.last else {
                    pieces.append(.literal(literal()))
                    continue
                }
            }
        }
        if pieces.isEmpty || pieces == [.anyRun] { pieces = [.literal("x")] }
        return TextPattern(
            pieces: pieces,
            modifiers: Modifiers(rawValue: UInt8.random(in: 0..<8, using: &chance)))
    }

    private mutating func literal() -> String {
        let characters = [
            "a", "B", "é", "ß", " ", "\\", "\"", "'", "*", "?", "\n", "\u{301}", "日", "&&", "(",
            "$time.now", "🇯🇵", "\u{0}", "]", "5",
        ]
        return (0..<Int.random(in: 1...4, using: &chance)).map { _ in chance.choose(characters) }
            .joined()
    }
}
