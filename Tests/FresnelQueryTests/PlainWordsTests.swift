import FresnelModel
import FresnelQuery
import Testing

/// What a person types who does not know the language yet.
@Suite("Plain words")
struct PlainWordsTests {
    private func hint(_ text: String) -> String? {
        do throws(QueryError) {
            _ = try QueryParser.parse(text)
            return nil
        } catch {
            return error.hint
        }
    }

    @Test(
        "A word without an operator is refused with the query that finds it",
        arguments: [
            ("apple", "apple"), ("  apple ", "apple"), ("\"apple\"", "apple"),
            ("'apple'", "apple"), ("“apple”", "apple"), ("café", "café"), ("苹果", "苹果"),
            ("usb-c", "usb-c"), ("501", "501"), ("app*", "app*"), ("O'Neill", "O'Neill"),
        ])
    func word(text: String, word: String) {
        #expect(hint(text) == "to find the word write ** == \"\(word)\"cdw")
    }

    @Test(
        "Several words are refused with the query for their order and the one for any order",
        arguments: [
            "coffee maker", "  coffee   maker ", "\"coffee maker\"", "coffee in bed", "5 m",
        ]
    )
    func words(text: String) throws {
        let hint = try #require(self.hint(text))
        #expect(hint.hasPrefix("to find the words in this order write ** == \""))
        #expect(hint.hasSuffix("\"cdwt"))
    }

    @Test(
        "The query that a hint shows can be asked and finds the words",
        arguments: ["apple", "coffee maker", "café au lait", "usb-c 2 m", "50%", "O'Neill's"])
    func findable(text: String) throws {
        let query = try #require(self.hint(text)).components(after: "write ")
        let parsed = try QueryParser.parse(query)
        #expect(parsed.warnings.isEmpty, "\(parsed.warnings)")
        let document = Document(
            uniqueIdentifier: "a", attributes: ["title": .string("the \(text) of the house")])
        let resolved = try parsed.expression.resolved(in: WorkedExamples.context)
        #expect(ReferenceMatcher(expression: resolved).matches(document))
    }

    @Test(
        "What is no list of words keeps the hint of its place",
        arguments: [
            ("title", "to ask whether it is there"), ("title CONTAINS x", "did you mean =="),
            ("\"a\" == title", "the attribute stands on the left"), ("(apple)", "find the word"),
            ("apple & pear", "find the word"), ("", "to match everything"),
        ])
    func others(text: String, part: String) throws {
        let hint = try #require(self.hint(text))
        #expect(hint.contains(part), "\(hint)")
    }
}

extension String {
    /// What follows the first occurrence of a text, up to the next semicolon.
    fileprivate func components(after text: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return String(self[range.upperBound...].prefix { $0 != ";" })
    }
}
