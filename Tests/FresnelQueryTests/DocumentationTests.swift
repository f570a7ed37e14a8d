import FresnelQuery
import Foundation
import Testing

@Suite("Documentation")
struct DocumentationTests {
    /// One line of a `fresnel-query` block of the page.
    struct Line: CustomTestStringConvertible {
        let number: Int
        let query: String
        let outcome: String

        var testDescription: String { "line \(number): \(query)" }
    }

    @Test("Every example of the page does what the page says", arguments: try lines())
    func example(line: Line) throws {
        let options = ParseOptions(schema: try WorkedExamples.schema())
        if line.outcome == "refused" {
            #expect(throws: QueryError.self) {
                try QueryParser.parse(line.query, options: options)
            }
            return
        }
        let warnings = try QueryParser.parse(line.query, options: options).warnings
        #expect(warnings.isEmpty == (line.outcome != "warning"))
        guard line.outcome != "warning" else { return }
        let expected = line.outcome.split(separator: " ").map(String.init)
        #expect(try WorkedExamples.identifiers(matching: line.query) == expected)
    }

    @Test("The page shows every operator, modifier and $time name in an example")
    func coverage() throws {
        let queries = try Self.lines().map(\.query)
        let tokens =
            ["==", "!=", "<", "<=", ">", ">=", "InRange", "&&", "||", "!(", "**", "?", "\\*"]
            + [
                "now", "today", "yesterday", "tomorrow", "this_week", "last_week", "next_week",
                "this_month", "next_month", "this_year", "next_year", "iso",
            ].map { "$time." + $0 }
        for token in tokens {
            #expect(queries.contains { $0.contains(token) }, "no example with \(token)")
        }
        #expect(queries.count > 100)
    }

    @Test("The error that the page shows is the error")
    func shownError() throws {
        let query = "title > \"Apple\""
        let error = #expect(throws: QueryError.self) { try QueryParser.parse(query) }
        let shown = "\(error?.pointer(in: query) ?? "")\n\(error?.description ?? "")"
        #expect(try Self.page().contains("```text\n\(shown)\n```"), "\(shown)")
    }

    private static func page() throws -> String {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/query-language.md")
        return try String(contentsOf: page, encoding: .utf8)
    }

    private static func lines() throws -> [Line] {
        var lines: [Line] = []
        var isInside = false
        let page = try page().split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in page.enumerated() {
            if line.hasPrefix("```") {
                isInside = line == "```fresnel-query"
            } else if isInside, let mark = line.range(of: "# →") {
                let query = line[..<mark.lowerBound].trimmingCharacters(in: .whitespaces)
                let outcome = line[mark.upperBound...].trimmingCharacters(in: .whitespaces)
                lines.append(Line(number: index + 1, query: query, outcome: outcome))
            } else {
                #expect(!isInside, "line \(index + 1) of the page is no example: \(line)")
            }
        }
        return lines
    }
}
