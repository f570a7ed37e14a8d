import FresnelClient
import FresnelModel
import Testing

@Suite("Layouts of tables")
struct CSVLayoutTests {
    @Test(
        "Comma, semicolon, tab and old ends of lines are recognised",
        arguments: [
            "id,title,price\n1,Tea,4.5\n", "id;title;price\n1;Tea;4.5\n",
            "id\ttitle\tprice\r\n1\tTea\t4.5\r\n", "id,title,price\r1,Tea,4.5\r",
            "\u{FEFF}sep=;\r\nid;title;price\r\n1;Tea;4.5",
            "\"id\";\"title\";price\n1;Tea;\"4.5\"", "id|title|price\n1|Tea|4.5\n",
            "id,title,price\r\r\n1,Tea,\"4.5\"\r\r\n", "sep=;\rid;title;price\r1;Tea;4.5\r",
            "id,title,price,\n1,Tea,4.5,\n",
        ])
    func layouts(text: String) throws {
        let read = try records(text, .csv)
        let attributes = read.first?.document?.attributes
        #expect(
            attributes == ["title": .string("Tea"), "com_fresnel_price": .number(4.5)], "\(read)")
        #expect(read.count == 1)
    }

    @Test("A delimiter that is given counts, whatever else is in the header row")
    func told() throws {
        let options = ImportOptions(format: .csv, delimiter: CellDelimiter("pipe"))
        let reader = try ImportReader(
            .bytes(Array("id|title;x\n1|Tea".utf8), name: "test"), options: options)
        #expect(try reader.next()?.document?.attributes == ["title_x": .string("Tea")])
        for wrong in ["", "ab", "\"", "a", "7", "\n", "é"] { #expect(CellDelimiter(wrong) == nil) }
    }

    @Test("Old ends of lines are recognised around a cell of several lines")
    func oldLineEnds() throws {
        let read = try records("id,title\r1,\"a\nb\"\r2,c\r", .csv)
        #expect(read.map { $0.document?.uniqueIdentifier } == ["1", "2"], "\(read)")
        #expect(read.first?.document?.attributes == ["title": .string("a\nb")])
    }

    @Test("A value in a column without a name is refused with its place")
    func unnamed() throws {
        let read = try records(",id\n,1\nx,2\n", .csv)
        #expect(read.first?.document?.uniqueIdentifier == "1")
        let refusal = try #require(read.last?.refusal)
        #expect(refusal.line == 3 && refusal.column == 1, "\(refusal)")
        #expect(refusal.reason.contains("--map '=-'"))
        let mapped = try records(",id\n,1\nx,2\n", .csv, columns: ["": "-"])
        #expect(mapped.map { $0.document?.uniqueIdentifier } == ["1", "2"])
    }

    @Test("Where a mapping names the documents, a column called id is like any other")
    func mappedIdentifier() throws {
        let read = try records("id,sku\n1,a\n", .csv, columns: ["sku": "uniqueIdentifier"])
        #expect(read.first?.document?.uniqueIdentifier == "a", "\(read)")
        #expect(read.first?.document?.attributes == ["id": .string("1")])
    }

    @Test("A table of one column says what separates cells")
    func oneColumn() {
        let error = #expect(throws: SearchError.self) { try records("a:b\n1:2", .csv) }
        #expect(error?.message.contains("--delimiter") ?? false)
    }

    @Test(
        "Decimal commas are read where they are asked for, and nothing is taken for another number",
        arguments: [
            ("4,5", 4.5), ("1.234,50", 1234.5), ("1.234.567", 1_234_567), ("-0,25", -0.25),
            ("12", 12), ("4.5", nil), ("1.23,4", nil), ("1,2,3", nil), (",5", nil),
            ("1234.567,8", nil),
        ] as [(String, Double?)])
    func decimalCommas(text: String, number: Double?) throws {
        let options = ImportOptions(format: .csv, hasDecimalCommas: true)
        let reader = try ImportReader(
            .bytes(Array("id;price\n1;\(text)".utf8), name: "test"), options: options)
        let record = try #require(try reader.next())
        #expect(
            record.document?.attributes == number.map { ["com_fresnel_price": .number($0)] },
            "\(record)")
    }

    @Test("A decimal comma that nobody asked for names the option")
    func unasked() throws {
        let read = try records("id;price\n1;4,5", .csv)
        #expect(read.first?.refusal?.reason.contains("--decimal-comma") ?? false, "\(read)")
    }

    @Test(
        "Columns are called as they are, without what an attribute's name may not have",
        arguments: [
            ("Body (HTML)", "Body_HTML"), ("unit price", "unit_price"), ("Größe", "Grosse"),
            ("2nd", "_2nd"), ("a.b", "a.b"), ("Title", "title"), ("a - b/c%", "a_b_c"),
        ])
    func names(column: String, attribute: String) throws {
        let read = try records("ID,\(column)\n1,x", .csv)
        #expect(read.first?.document?.attributes == [attribute: .string("x")], "\(read)")
    }
}
