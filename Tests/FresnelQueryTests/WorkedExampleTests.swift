import FresnelQuery
import Testing

@Suite("Worked examples")
struct WorkedExampleTests {
    @Test("Each worked example finds exactly its documents", arguments: WorkedExamples.examples)
    func example(_ example: WorkedExamples.Example) throws {
        let found = try WorkedExamples.identifiers(matching: example.query)
        #expect(found == example.matches)
    }

    @Test("Each invalid query is refused", arguments: WorkedExamples.invalid)
    func refusal(query: String) throws {
        let options = ParseOptions(schema: try WorkedExamples.schema())
        let error = #expect(throws: QueryError.self) {
            try QueryParser.parse(query, options: options)
        }
        #expect(error?.description.contains("-2002") == true)
        #expect((error?.offset ?? .max) <= query.utf8.count)
    }

    @Test("The worked examples are seventy-seven, numbered in order")
    func numbering() {
        #expect(WorkedExamples.examples.map(\.number) == Array(1...77))
        #expect(WorkedExamples.invalid.count == 11)
    }

    @Test("A canonical query finds what the query found", arguments: WorkedExamples.examples)
    func canonical(_ example: WorkedExamples.Example) throws {
        let options = ParseOptions(schema: try WorkedExamples.schema())
        let canonical = try QueryParser.parse(example.query, options: options).expression
        #expect(try WorkedExamples.identifiers(matching: "\(canonical)") == example.matches)
    }

    @Test(
        "Typed text finds documents with all its words, the last one perhaps unfinished",
        arguments: [
            ("fuji app", "A2"), ("APPLE FUJI", "A2"), ("app fuji", ""), ("creme", "A9"),
            ("50% off*", "A11"),
            ("\"best\" pot", "A12"), ("potassium berr", "A10"), ("zebra", ""),
            ("", "A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12"),
        ])
    func typed(text: String, matches: String) throws {
        let found = try WorkedExamples.identifiers(matching: QueryText.typed(text))
        #expect(found == matches.split(separator: " ").map(String.init))
    }
}
