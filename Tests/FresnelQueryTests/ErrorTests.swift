import FresnelModel
import FresnelQuery
import Testing

@Suite("Errors")
struct ErrorTests {
    /// A refused query, where it is wrong, and a part of the error's text.
    struct Refusal: CustomTestStringConvertible {
        let query: String
        let offset: Int
        let part: String

        init(_ query: String, _ offset: Int, _ part: String) {
            self.query = query
            self.offset = offset
            self.part = part
        }

        var testDescription: String { query }
    }

    static let refusals = [
        Refusal("", 0, "found the end of the query"),
        Refusal("   ", 3, "found the end of the query"),
        Refusal(#"title > "Apple""#, 8, #"did you mean title == "Apple*""#),
        Refusal(#"title > "App*""#, 8, #"did you mean title == "App*""#),
        Refusal(#"rating > "5""#, 9, "did you mean 5, without quotes"),
        Refusal(#"rating > .5"#, 9, "did you mean 0.5"),
        Refusal(#"dueDate < "2026-11-20""#, 10, "did you mean $time.iso(2026-11-20)"),
        Refusal(#""Apple" == title"#, 0, "the attribute stands on the left"),
        Refusal("5 < rating", 0, "the attribute stands on the left"),
        Refusal(#"title == "Apple"#, 9, #"expected a closing ""#),
        Refusal(#"title == 'Apple"#, 9, "expected a closing '"),
        Refusal(#"title == "Apple\"#, 15, "expected a character after '\\'"),
        Refusal(#"title == "Apple"z"#, 16, "expected a modifier: c, d, w or t"),
        Refusal(#"title == "Apple"cmd"#, 17, "found 'm'"),
        Refusal(#"title == "Apple"C"#, 16, "did you mean c"),
        Refusal(#"title == "Apple" z"#, 17, "expected a modifier"),
        Refusal(#"title ==[x] "Apple""#, 9, "expected a modifier"),
        Refusal(#"title ==[c "Apple""#, 10, "expected a modifier"),
        Refusal(#"* != "apple"c"#, 2, "did you mean !(* == …)"),
        Refusal("** < 5", 3, "expected == after '**'"),
        Refusal(#"title == "Apple" &&"#, 19, "expected a comparison"),
        Refusal(#"title == "Apple" & rating == 5"#, 17, "expected '&&'"),
        Refusal(#"title == "Apple" | rating == 5"#, 17, "expected '||'"),
        Refusal(#"title == "Apple" and rating == 5"#, 17, "write && for and"),
        Refusal("rating == 5 OR rating == 4", 12, "write || for or"),
        Refusal("title == Apple Pie", 15, "put quotes around text that has spaces"),
        Refusal(#"(title == "Apple""#, 17, "the parenthesis at offset 0 is never closed"),
        Refusal(#"title == "Apple")"#, 16, "there is no '(' for it"),
        Refusal("()", 1, "something is missing before the parenthesis"),
        Refusal("title", 5, "to find the word write ** == \"title\"cdw; to ask whether"),
        Refusal("title ==", 8, "to ask whether it has a value write title == \"*\""),
        Refusal(#"title === "x""#, 6, "did you mean =="),
        Refusal(#"title => "x""#, 6, "did you mean >="),
        Refusal(#"title <> "x""#, 6, "did you mean !="),
        Refusal(#"title ~ "Apple""#, 6, "there are no regular expressions"),
        Refusal(#"title LIKE "Apple""#, 6, "there are no regular expressions"),
        Refusal(#"title CONTAINS "Apple""#, 6, #"did you mean == "*text*""#),
        Refusal("rating BETWEEN 3", 7, "did you mean InRange(rating, low, high)"),
        Refusal("rating == (3, 4)", 10, "there are no lists"),
        Refusal(#"com..key == "x""#, 3, "attribute names are ASCII letters, digits and _"),
        Refusal(#"key. == "x""#, 3, "attribute names are ASCII letters, digits and _"),
        Refusal("title == “Apple”", 9, "only straight quotes"),
        Refusal("!!(rating == 5)", 1, "two negations cancel out"),
        Refusal("rating == 1e999", 10, "expected a number up to"),
        Refusal(#"InRange(title, "a", "b")"#, 15, "text has no order and no ranges"),
        Refusal(#"InRange(rating, "3", 4)"#, 16, "did you mean 3, without quotes"),
        Refusal("InRange(*, 3, 4)", 8, "InRange needs one attribute"),
        Refusal("InRange(rating 3, 4)", 15, "expected ','"),
        Refusal("InRange(rating, 3, 4", 20, "expected ')'"),
        Refusal("dueDate > $time.fortnight", 16, "the names are last_week, next_month"),
        Refusal("dueDate > $time.todya", 16, "did you mean $time.today"),
        Refusal("dueDate > $tim.today", 10, "expected $time."),
        Refusal("dueDate > $time.today(x)", 22, "expected a whole number"),
        Refusal("dueDate > $time.today(-3q)", 24, "m is minutes, M is months"),
        Refusal("dueDate > $time.today(-3", 24, "expected ')'"),
        Refusal("dueDate > $time.yesterday(-1w)", 28, "other units go with $time.today"),
        Refusal("dueDate > $time.today(99999999999999)", 22, "the date would lie in no calendar"),
        Refusal("dueDate > $time.iso", 19, "expected '(' after $time.iso"),
        Refusal("dueDate > $time.iso(yesterday)", 20, "expected an ISO 8601 date"),
        Refusal("dueDate > $time.iso(2026-02-29)", 20, "expected an ISO 8601 date"),
        Refusal("dueDate > $time.iso(2026-11-20T25:00)", 20, "expected an ISO 8601 date"),
        Refusal("dueDate > $time.iso(\"2026-11-20)", 31, "expected a closing \""),
    ]

    @Test("A refusal says where, what was expected and what to write", arguments: refusals)
    func refusal(_ refusal: Refusal) {
        let error = #expect(throws: QueryError.self) { try QueryParser.parse(refusal.query) }
        #expect(error?.offset == refusal.offset)
        #expect(error?.description.contains(refusal.part) == true, "\(error?.description ?? "")")
        #expect(error?.description.contains { $0.isNewline } == false)
    }

    @Test("The caret stands under the place that is wrong")
    func pointer() {
        let query = "title == \"Crème\" &&\n  rating > \"x\""
        let error = #expect(throws: QueryError.self) { try QueryParser.parse(query) }
        #expect(error?.pointer(in: query) == "  rating > \"x\"\n           ^")
        let end = #expect(throws: QueryError.self) { try QueryParser.parse("title ==") }
        #expect(end?.pointer(in: "title ==") == "title ==\n        ^")
    }

    @Test("A long line is cut around the caret", arguments: [0, 39, 100, 200])
    func longPointer(offset: Int) {
        let query = (0..<20).map { "0123456789"[...] + "\($0 % 10)".prefix(0) }.joined()
        let error = QueryError(offset: offset, expected: "x", found: "y")
        let lines = error.pointer(in: query, width: 40).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.count <= 41 })
        #expect(lines.last?.last == "^")
    }

    @Test("An unknown attribute is a warning with the nearest name")
    func unknownAttribute() throws {
        let parsed = try QueryParser.parse(#"rating == 5 && titel == "x""#)
        #expect(parsed.warnings.map(\.offset) == [15])
        #expect(parsed.warnings.first?.message.contains("did you mean title") == true)
    }

    @Test("Strict parsing refuses an unknown attribute")
    func strict() throws {
        let options = ParseOptions(strict: true)
        let error = #expect(throws: QueryError.self) {
            try QueryParser.parse("Rating > 3", options: options)
        }
        #expect(error?.hint == "did you mean rating")
    }

    @Test("A key that is not searchable counts as unknown")
    func unsearchable() throws {
        let schema = try AttributeSchema(declaring: [
            CustomAttributeKey("com_ray_secret", .string, isSearchable: false)
        ])
        let query = #"com_ray_secret == "x""#
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
        #expect(parsed.expression == .constant(false))
        #expect(parsed.warnings.count == 1)
        #expect(throws: QueryError.self) {
            try QueryParser.parse(query, options: ParseOptions(schema: schema, strict: true))
        }
    }

    @Test(
        "A literal of another type never matches and is warned of",
        arguments: [
            "title == 5", "* == 5", "** == $time.today", #"rating == "five""#,
            #"dueDate == "2026-11-20""#, #"thumbnailData == "x""#, "title == $time.today",
            "rating > $time.today", "InRange(title, 1, 2)", "title > 5",
        ])
    func mismatch(query: String) throws {
        let parsed = try QueryParser.parse(query)
        #expect(parsed.expression == .constant(false))
        #expect(parsed.warnings.count == 1)
    }

    @Test(
        "A warning about != says what != finds",
        arguments: [
            "title != 5", #"rating != "five""#, #"dueDate != "2026-11-20""#, #"title != """#,
            #"title != "  "t"#, "title != $time.today", #"thumbnailData != "x""#,
        ])
    func negatedMismatch(query: String) throws {
        let parsed = try QueryParser.parse(query)
        #expect(parsed.expression == .not(.constant(false)) || query.contains("\"\""))
        #expect(parsed.warnings.count == 1)
        let message = try #require(parsed.warnings.first?.message)
        #expect(message.contains("every document satisfies this !="), "\(message)")
        #expect(!message.contains("no document"), "\(message)")
        let positive = try QueryParser.parse(query.replacing("!=", with: "==")).warnings
        #expect(positive.first?.message.contains("no document satisfies this") == true)
    }

    @Test("An unknown attribute under != says that != is true of what is absent")
    func negatedUnknown() throws {
        let message = try QueryParser.parse(#"titel != "x""#).warnings.first?.message
        #expect(message?.contains("!= is true of what is absent") == true)
        let positive = try QueryParser.parse(#"titel == "x""#).warnings.first?.message
        #expect(positive?.contains("!=") == false)
    }

    @Test(
        "A bare true or false is 1 or 0 for Booleans and for numbers",
        arguments: ["com_flag == true", "com_count == true", "com_flag != false"])
    func truth(query: String) throws {
        let schema = try AttributeSchema(declaring: [
            CustomAttributeKey("com_flag", .boolean), CustomAttributeKey("com_count", .number),
        ])
        let options = ParseOptions(schema: schema)
        let parsed = try QueryParser.parse(query, options: options)
        let number = query.replacing("true", with: "1").replacing("false", with: "0")
        #expect(parsed.expression == (try QueryParser.parse(number, options: options)).expression)
        #expect(parsed.warnings.isEmpty)
        let quoted = query.replacing("true", with: "\"true\"").replacing("false", with: "\"false\"")
        #expect(try QueryParser.parse(quoted, options: options).warnings.count == 1)
    }
}
