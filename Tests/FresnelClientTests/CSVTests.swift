import FresnelClient
import FresnelModel
import Testing

@Suite("CSV import")
struct CSVTests {
    @Test("Quotes, commas, line breaks and CRLF are read as RFC 4180 says")
    func syntax() throws {
        let text =
            "id,title,description\r\n1,\"a \"\"b\"\", c\",\"two\r\nlines\"\r\n\r\n2,,x\n3,é,\"\""
        let read = try records(text, .csv)
        #expect(read.map { $0.document?.uniqueIdentifier } == ["1", "2", "3"])
        #expect(
            read[0].document?.attributes == [
                "title": .string("a \"b\", c"), "contentDescription": .string("two\r\nlines"),
            ])
        #expect(read[1].document?.attributes == ["contentDescription": .string("x")])
        #expect(read[2].document?.attributes == ["title": .string("é")])
        #expect(read.map(\.line) == [2, 5, 6])
    }

    @Test("Columns take the types of their attributes")
    func types() throws {
        let text = """
            id,keywords,price,rating,modified,com_x_code,domainIdentifier,expirationDate
            1,a; b;;c,6.50,5,2026-11-14T10:00:00Z,007,store,2099-01-01
            """
        let document = try #require(try records(text, .csv).first?.document)
        let modified = try #require(Timestamp(iso8601: "2026-11-14T10:00:00Z"))
        #expect(
            document.attributes == [
                "keywords": .strings(["a", "b", "c"]), "com_fresnel_price": .number(6.5),
                "rating": .number(5), "metadataModificationDate": .date(modified),
                "com_x_code": .string("007"),
            ])
        #expect(document.domainIdentifier == "store")
        #expect(document.expirationDate == Timestamp(iso8601: "2099-01-01"))
    }

    @Test("A mapping names attributes and types, and leaves columns out")
    func mapping() throws {
        let text = "sku,Name,Amount,Note\nx,y,3,z"
        let read = try records(
            text, .csv,
            columns: [
                "sku": "uniqueIdentifier", "Name": "title", "Amount": "com_x_amount:number",
                "Note": "-",
            ])
        let document = try #require(read.first?.document)
        #expect(document.uniqueIdentifier == "x")
        #expect(
            document.attributes == ["title": .string("y"), "com_x_amount": .number(3)])
    }

    @Test("A type that is told twice over, or a key's as one value for a list, is no contradiction")
    func toldTypes() throws {
        var schema = AttributeSchema()
        try schema.declare(CustomAttributeKey("com_x_tags", .strings))
        let read = try records(
            "id,a,b\n1,5,x", .csv, schema: schema,
            columns: ["a": "rating:number", "b": "com_x_tags:string"])
        #expect(
            read.first?.document?.attributes
                == ["rating": .number(5), "com_x_tags": .strings(["x"])])
        #expect(throws: SearchError.self) {
            try records("id,b\n1,x", .csv, schema: schema, columns: ["b": "com_x_tags:number"])
        }
    }

    @Test(
        "A header that cannot be used is an error with its place",
        arguments: [
            ("title\nx", [:], "uniqueIdentifier"),
            ("id,%\n1,2", [:], "1:4"), ("id,unit price,unit_price\n", [:], "same attribute"),
            ("id,title,kMDItemTitle\n", [:], "same attribute"),
            ("id\n1", ["name": "title"], "\"name\""),
            ("id,a\n1", ["a": "com_a:colour"], "\"colour\""),
            ("id,a\n1", ["a": "rating:colour"], "\"colour\""),
            ("id,rating\n1,5", ["rating": "rating:string"], "the type of rating is number"),
            ("id,a\n1,5", ["a": "keywords:string"], "the type of keywords is list of strings"),
            ("id,a\n1,5", ["a": "expirationDate:number"], "the type of expirationDate is date"),
            ("key\n1", ["key": "uniqueIdentifier:number"], "uniqueIdentifier is string"),
            ("", [:], "empty"), ("\"id", [:], "never closed"),
        ] as [(String, [String: String], String)])
    func headers(text: String, columns: [String: String], reason: String) throws {
        let error = #expect(throws: SearchError.self) {
            try records(text, .csv, columns: columns)
        }
        #expect(error?.message.contains(reason) ?? false, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "A row that breaks the rules is refused where it does, and the next is read",
        arguments: [
            ("1,2", 2, 1, "2 cells"), ("1,a\"b,3", 2, 4, "quote inside"),
            ("1,\"a\"b,3", 2, 6, "after the closing"), ("1,x,soon", 2, 5, "no number"),
            ("\"\",x,3", 2, 1, "no uniqueIdentifier"),
        ])
    func rows(row: String, line: Int, column: Int, reason: String) throws {
        let read = try records("id,title,rating\n\(row)\n9,ok,1\n", .csv)
        #expect(read.count == 2, "\(read)")
        let refusal = try #require(read[0].refusal)
        #expect(refusal.line == line && refusal.column == column, "\(refusal)")
        #expect(refusal.reason.contains(reason), "\(refusal)")
        #expect(read[1].document?.uniqueIdentifier == "9")
    }

    @Test("A quote that is never closed is refused where it opens")
    func openQuote() throws {
        let read = try records("id,title\n1,\"a\n2,b\n", .csv)
        #expect(read.map { $0.refusal?.line } == [2])
        #expect(read.first?.refusal?.column == 3)
    }

    @Test("Any cell survives writing and reading", arguments: 0..<200)
    func roundTrip(seed: Int) throws {
        var generator = SeededText(seed: UInt64(seed))
        let title = generator.text()
        // By scalars: a quote with a mark on it is another character, but the same byte.
        let cell = title.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        let read = try records("id,title\n1,\"\(cell)\"\n", .csv)
        let expected: AttributeMap<AttributeValue> = title.isEmpty ? [:] : ["title": .string(title)]
        #expect(read.first?.document?.attributes == expected, "seed \(seed): \(read)")
    }
}
