import FresnelQuery
import Testing

@Suite("Hints for queries that find nothing")
struct EmptyAnswerTests {
    @Test(
        "Who asks the attribute kind for a kind of document is shown the field",
        arguments: [
            (["kind == \"product\""], "product"), (["kind = activity"], "activity"),
            (["title == \"a\" && kind == \"Product\"c"], "product"),
            (["rating > 3 || kind == \"activity\"w"], "activity"),
            (["true", "kind == \"product\""], "product"),
        ])
    func kinds(queries: [String], kind: String) {
        #expect(
            EmptyAnswer.hint(for: queries)?.hasSuffix("did you mean documentKind == \"\(kind)\"")
                == true)
    }

    @Test(
        "Who asks for something else is not",
        arguments: [
            "kind == \"PDF document\"", "kind == \"product*\"", "kind != \"product\"",
            "documentKind == \"product\"", "title == \"product\"", "!(kind == \"product\")",
            "kind == \"*\"", "kind == \"", "",
        ])
    func none(query: String) {
        #expect(EmptyAnswer.hint(for: [query]) == nil)
    }
}
