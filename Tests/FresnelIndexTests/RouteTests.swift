import FresnelIndex
import FresnelModel
import FresnelQuery
import Testing

@Suite("Ways to the documents of a predicate, in words")
struct RouteTests {
    private func routes(_ query: String) throws -> [[String]] {
        let expression = try QueryParser.parse(query).expression
            .resolved(in: MatchingCorpus.context)
        return ComparisonPlan.routes(of: expression, language: nil, in: AttributeSchema())
    }

    @Test(
        "name dictionary, postings, values or columns, and whether they are scanned",
        arguments: [
            ("title == \"apple\"w", "dictionary: one entry of the sorted words"),
            ("title == \"app*\"w", "dictionary: a range of the sorted words"),
            ("title == \"*pp*\"", "dictionary: a scan of all words for a part"),
            ("title == \"*ppl*\"", "dictionary: words with the part's 3-byte pieces"),
            ("title == \"apple pie\"w", "dictionary: 2 words"),
            ("title == \"apple\"", "values: one entry of the sorted distinct values"),
            ("title == \"app*\"c", "values: a range of the sorted distinct values"),
            ("title == \"a*e\"", "values: a range"), ("title == \"?pple pie\"", "values: a scan"),
            ("rating >= 4", "column: a range of its sorted numbers"),
            ("rating == *", "columns: which documents have a value"),
            ("textContent == \"apple\"", "dictionary: one entry of the sorted words"),
        ])
    func words(query: String, beginning: String) throws {
        let routes = try routes(query)
        #expect(routes.count == 1)
        #expect(routes.first?.first?.hasPrefix(beginning) == true, "\(routes)")
    }

    @Test("come one list a predicate, in query order; ** is read in two ways")
    func order() throws {
        let routes = try routes("** == \"app*\" && !(rating < 3) && title == \"4\"")
        #expect(routes.map(\.count) == [2, 1, 2])
        #expect(routes[0][1].hasPrefix("and in text content, dictionary"))
        #expect(routes[2][1].contains("columns of numbers"))
    }
}
