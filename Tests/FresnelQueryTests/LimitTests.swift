import FresnelQuery
import Testing

@Suite("Limits")
struct LimitTests {
    /// Builds a query of some size, the largest size allowed, and the name of the limit.
    struct Case: CustomTestStringConvertible {
        let limit: String
        let largest: Int
        let query: @Sendable (Int) -> String

        var testDescription: String { limit }
    }

    static let cases = [
        Case(limit: "query", largest: 16_384) { size in
            "title == \"" + String(repeating: "a", count: size - 11) + "\""
        },
        Case(limit: "queryDepth", largest: 64) { size in
            String(repeating: "(", count: size) + "true" + String(repeating: ")", count: size)
        },
        Case(limit: "queryPredicates", largest: 512) { size in
            Array(repeating: "rating == 5", count: size).joined(separator: " || ")
        },
        Case(limit: "queryTokens", largest: 64) { size in
            "title == \"" + Array(repeating: "a", count: size).joined(separator: " ") + "\"t"
        },
        Case(limit: "queryPredicates", largest: 8) { size in
            let words = Array(repeating: "a", count: 64).joined(separator: " ")
            return Array(repeating: "title == \"\(words)\"t", count: size)
                .joined(separator: " && ")
        },
    ]

    @Test("A query as large as a limit is parsed, a larger one is refused", arguments: cases)
    func limit(_ limit: Case) throws {
        _ = try QueryParser.parse(limit.query(limit.largest))
        let error = #expect(throws: QueryError.self) {
            try QueryParser.parse(limit.query(limit.largest + 1))
        }
        #expect(error?.hint?.contains("the limit is \(limit.limit);") == true)
    }

    @Test("A hundred thousand parentheses do not overflow the stack")
    func depth() {
        let limits = QueryLimits(textBytes: .max)
        #expect(throws: QueryError.self) {
            try QueryParser.parse(
                String(repeating: "!(", count: 100_000), options: ParseOptions(limits: limits))
        }
    }

    @Test("A query of many unknown attributes gets few warnings, the last of which counts the rest")
    func warnings() throws {
        let query = (0..<500).map { "unknown\($0) == 1" }.joined(separator: " || ")
        let warnings = try QueryParser.parse(query).warnings
        #expect(warnings.count == 32)
        #expect(warnings.last?.message == "469 more warnings from here on")
    }
}
