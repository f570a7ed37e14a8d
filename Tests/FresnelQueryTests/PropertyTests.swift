import FresnelModel
import FresnelQuery
import Testing

@Suite("Properties")
struct PropertyTests {
    @Test("Parsing a printed tree gives the tree again", arguments: 1...20 as ClosedRange<UInt64>)
    func roundTrip(seed: UInt64) throws {
        var generator = ExpressionGenerator(seed: seed)
        let options = ParseOptions(limits: QueryLimits(textBytes: .max, predicates: .max))
        for _ in 0..<100 {
            let expression = generator.expression()
            let text = "\(expression)"
            let parsed = try QueryParser.parse(text, options: options)
            #expect(parsed.expression == expression, "seed \(seed): \(text)")
            #expect("\(parsed.expression)" == text, "seed \(seed)")
        }
    }

    @Test("Any printed tree can be resolved", arguments: 1...5 as ClosedRange<UInt64>)
    func resolution(seed: UInt64) throws {
        var generator = ExpressionGenerator(seed: seed)
        for zone in ["UTC", "Europe/Berlin", "Pacific/Apia", "America/Sao_Paulo"] {
            let context = QueryContext(now: WorkedExamples.context.now, timeZone: zone)
            for _ in 0..<50 {
                let expression = generator.expression()
                let resolved = try expression.resolved(in: context)
                let opposite = try FresnelQuery.Expression.not(expression).resolved(in: context)
                for document in WorkedExamples.documents {
                    #expect(
                        ReferenceMatcher(expression: resolved).matches(document)
                            != ReferenceMatcher(expression: opposite).matches(document),
                        "seed \(seed): \(expression)")
                }
            }
        }
    }

    @Test("No bytes crash the parser", arguments: 1...10 as ClosedRange<UInt64>)
    func randomBytes(seed: UInt64) {
        var chance = SeededChance(seed: seed)
        for _ in 0..<300 {
            let count = Int.random(in: 0...40, using: &chance)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &chance) }
            check(String(decoding: bytes, as: UTF8.self), seed)
        }
    }

    @Test("No order of tokens crashes the parser", arguments: 1...20 as ClosedRange<UInt64>)
    func randomTokens(seed: UInt64) {
        var chance = SeededChance(seed: seed)
        let tokens = [
            "title", "rating", "dueDate", "*", "**", "==", "=", "!=", "<", ">=", "!", "(", ")",
            "&&",
            "||", "&", "\"a*\"", "'b'", "\"", "\\", "c", "cdwt", "[c]", "5", "-1.5e3",
            "$time.today",
            "$time.now(-1d)", "$time.iso(2026-11-20)", "(", "InRange", "InRange(rating, 3, 4)", ",",
            "true", "false", " ", " ", "\u{301}", "é", "?", "$", "kMDItemTitle",
        ]
        for _ in 0..<300 {
            let count = Int.random(in: 0...12, using: &chance)
            check((0..<count).map { _ in chance.choose(tokens) }.joined(), seed)
        }
    }

    /// The text parses, or is refused at a place inside it; what parses prints as what it is.
    private func check(_ text: String, _ seed: UInt64) {
        do {
            let parsed = try QueryParser.parse(text)
            let printed = "\(parsed.expression)"
            let again = try QueryParser.parse(printed)
            #expect(again.expression == parsed.expression, "seed \(seed): \(text)")
        } catch let error {
            #expect((0...text.utf8.count).contains(error.offset), "seed \(seed): \(text)")
            #expect(error.pointer(in: text).last == "^", "seed \(seed): \(text)")
        }
    }

    @Test("Escaped text finds itself and nothing else", arguments: 1...10 as ClosedRange<UInt64>)
    func escaping(seed: UInt64) throws {
        var chance = SeededChance(seed: seed)
        let characters = ["a", "*", "?", "\\", "\"", "'", " ", "é", "\u{301}", "\n", "c"]
        for _ in 0..<50 {
            let text = (0..<Int.random(in: 1...6, using: &chance))
                .map { _ in chance.choose(characters) }.joined()
            let document = Document(
                uniqueIdentifier: "1", attributes: ["title": .string(text)])
            let other = Document(
                uniqueIdentifier: "2", attributes: ["title": .string(text + "x")])
            for literal in [
                "\"\(QueryText.escaped(text))\"", "'\(QueryText.escaped(text))'",
                QueryText.quoted(text),
            ] {
                let expression = try QueryParser.parse("title == \(literal)").expression
                let matcher = ReferenceMatcher(
                    expression: try expression.resolved(in: WorkedExamples.context))
                #expect(matcher.matches(document), "seed \(seed): \(literal)")
                #expect(!matcher.matches(other), "seed \(seed): \(literal)")
            }
        }
    }
}
