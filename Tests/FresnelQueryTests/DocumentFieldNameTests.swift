import FresnelModel
import FresnelQuery
import Testing

@Suite("Names of fields")
struct DocumentFieldNameTests {
    @Test(
        "are known to queries, orders, facets and lists of attributes",
        arguments: ["uniqueIdentifier", "domainIdentifier", "documentKind", "index"])
    func known(name: String) throws {
        var options = ParseOptions()
        options.strict = true
        #expect(try QueryParser.parse("\(name) == \"a*\"", options: options).warnings.isEmpty)
        let names = UnknownNames(in: AttributeSchema())
        #expect(names.warnings(sort: [name], attributes: [name], facets: [name]).isEmpty)
    }

    @Test(
        "are what a near word meant",
        arguments: [
            ("documentKnd", "documentKind"), ("id", "uniqueIdentifier"),
            ("_index", "index"), ("indx", "index"), ("documentkind", "documentKind"),
            ("domain", "domainIdentifier"),
        ])
    func hints(name: String, meant: String) throws {
        let parsed = try QueryParser.parse("\(name) == \"product\"")
        let message = try #require(parsed.warnings.first?.message)
        #expect(message.hasSuffix("did you mean \(meant)"), "\(message)")
        let warnings = UnknownNames(in: AttributeSchema())
            .warnings(sort: [name], attributes: [], facets: [])
        #expect(warnings.first?.message.hasSuffix("did you mean \(meant)") == true)
    }

    @Test("give way to a key that the owner of an index has declared")
    func own() throws {
        let schema = try AttributeSchema(declaring: [
            CustomAttributeKey("documentKind", .string), CustomAttributeKey("index", .number),
        ])
        let options = ParseOptions(schema: schema)
        #expect(
            try QueryParser.parse("documentKind == \"a\" && index > 3", options: options).warnings
                .isEmpty)
        #expect(try QueryParser.parse("index > 3").warnings.count == 1)
        let document = Document(uniqueIdentifier: "1", attributes: ["index": .number(4)])
        for (query, isFound) in [("index == 4", true), ("index == \"shop\"", false)] {
            let expression = try QueryParser.parse(query, options: options).expression
            let matcher = ReferenceMatcher(
                expression: try expression.resolved(in: WorkedExamples.context), schema: schema,
                index: "shop")
            #expect(matcher.matches(document) == isFound)
            #expect(!expression.asks(.index, in: schema))
        }
    }

    @Test("of an index are found wherever a query has them")
    func asked() throws {
        let schema = AttributeSchema()
        for query in ["index == a", "title == b && !(index != \"a\" || rating == 2)"] {
            #expect(try QueryParser.parse(query).expression.asks(.index, in: schema))
            #expect(try !QueryParser.parse(query).expression.asks(.kind, in: schema))
        }
        #expect(try !QueryParser.parse("title == index").expression.asks(.index, in: schema))
    }
}
