import FresnelClient
import FresnelModel
import Testing

@Suite("JSON as programs write it")
struct FlatJSONTests {
    @Test("Keys are attributes, nested ones by a.b, lists of objects lists of values")
    func flat() throws {
        let line = """
            {"id":7,"name":"Tea","price":4.5,"stock":null,"note":"","tags":["a","b"],\
            "size":{"width":2,"unit":{"short":"cm"}},"rating":{"rate":3.9},\
            "variants":[{"sku":"x","price":"1"},{"sku":"y"}]}
            """
        let document = try #require(try records(line, .ndjson).first?.document)
        #expect(document.uniqueIdentifier == "7")
        #expect(
            document.attributes == [
                "name": .string("Tea"), "price": .number(4.5), "tags": .strings(["a", "b"]),
                "size.width": .number(2), "size.unit.short": .string("cm"),
                "rating.rate": .number(3.9), "variants.sku": .strings(["x", "y"]),
                "variants.price": .strings(["1"]),
            ], "\(document.attributes)")
    }

    @Test("Attributes that every index knows keep their types, and documents their own form")
    func known() throws {
        let text = """
            {"id":"a","title":1984,"rating":"4.5","dueDate":"2001-01-02","authors":["B"]}
            {"uniqueIdentifier":"b","attributes":{"title":"x"}}
            {"id":"c","type":"products","attributes":{"title":"y"}}
            """
        let read = try records(text, .ndjson)
        #expect(
            read[0].document?.attributes == [
                "title": .string("1984"), "rating": .number(4.5),
                "dueDate": .date(Timestamp(wholeSeconds: 86_400)),
                "authors": .persons([Person(displayName: "B")]),
            ], "\(read)")
        #expect(read[1].document?.attributes == ["title": .string("x")])
        #expect(
            read[2].document?.attributes == ["title": .string("y"), "type": .string("products")])
    }

    @Test("The first value of a key decides its type, and what cannot follow is refused")
    func mixed() throws {
        let text = """
            {"id":1,"code":"A1","price":2}
            {"id":2,"code":12,"price":"3.5"}
            {"id":3,"code":true,"price":"n/a"}
            """
        let read = try records(text, .ndjson)
        #expect(
            read[1].document?.attributes == ["code": .string("12"), "price": .number(3.5)],
            "\(read)")
        let refusal = try #require(read[2].refusal)
        #expect(refusal.line == 3 && refusal.column == 21, "\(refusal)")
        #expect(refusal.reason.contains("--map 'price=NAME:TYPE'"), "\(refusal)")
    }

    @Test(
        "An object that cannot be used says what to do",
        arguments: [
            (#"{"name":"x","sku":"1"}"#, "--map 'KEY=uniqueIdentifier'"),
            (#"{"products":[{"id":1},{"id":2}],"total":2}"#, #"jq '.["products"]'"#),
            (#"{"id":1.5}"#, "whole number"), (#"{"id":""}"#, "not a string"),
            (#"{"id":{"a":1}}"#, "not an object"), (#"{"id":1,"_id":2}"#, "two identifiers"),
            (#"{"id":1,"a.b":1,"a":{"b":2}}"#, "two keys become"),
            (#"{"id":1,"a":[[1]]}"#, "list inside"), (#"{"id":1,"%":1}"#, "cannot be"),
            (#"{"id":1,"a":[{"b":1},2]}"#, "mixes objects"),
        ])
    func refusals(line: String, reason: String) throws {
        let refusal = try #require(try records(line, .ndjson).first?.refusal)
        #expect(refusal.reason.contains(reason), "\(refusal)")
    }

    @Test("Keys are mapped, in objects and in documents")
    func mapping() throws {
        let columns = [
            "sku": "uniqueIdentifier", "size.width": "com_x_width:number", "note": "-",
            "price": "cost",
        ]
        let text = """
            {"sku":"a","id":9,"size":{"width":"2.5"},"note":{"deep":[[1]]},"price":3}
            {"uniqueIdentifier":"b","attributes":{"price":4,"note":"x","title":"t"}}
            """
        let read = try records(text, .ndjson, columns: columns)
        #expect(read[0].document?.uniqueIdentifier == "a", "\(read)")
        #expect(
            read[0].document?.attributes == [
                "com_x_width": .number(2.5), "cost": .number(3), "id": .number(9),
            ])
        #expect(
            read[1].document?.attributes == ["cost": .number(4), "title": .string("t")], "\(read)")
    }

    @Test(
        "A list, and objects over several lines, are read as lines are",
        arguments: [
            #"[{"id":"1"},{"id":"2"}]"#, "[\n  {\"id\": \"1\"},\n  {\"id\": \"2\"}\n]\n",
            "{\n  \"id\": \"1\"\n}\n{\n  \"id\": \"2\"\n}\n",
            "  \n\n[{\"id\":\"1\"}]\n[{\"id\":\"2\"}]",
            #"[{"uniqueIdentifier":"1","attributes":{"title":"]},{\"\\"}},{"id":"2"}]"#,
        ])
    func layouts(text: String) throws {
        let read = try records(text, .ndjson)
        #expect(read.map { $0.document?.uniqueIdentifier } == ["1", "2"], "\(read)")
    }

    @Test(
        "What is wrong in a list is refused with its place, and the others are read",
        arguments: [
            ("[{\"id\":1},\n {\"id\":2,\n  \"a\":[[1]]},\n {\"id\":3}]", 3, 3, "list inside"),
            ("[{\"id\":1},\n 5,\n {\"id\":3}]", 2, 2, "an object"),
            ("[{\"id\":1},\n {\"id\":},\n {\"id\":3}]", 2, 9, "not JSON"),
            ("[{\"id\":1}\n {\"id\":3}]", 2, 2, "comma is missing"),
            ("[{\"id\":1},\n  {\"id\":2,\"a\":NaN},\n{\"id\":3}]", 2, 18, "not JSON"),
            ("[{\"id\":1},\n  {\"id\":2,\"a\":1,},\n{\"id\":3}]", 2, 18, "not JSON"),
            ("[{\"id\":1},{\"id\":3}\n", 1, 1, "not closed"),
            ("[{\"id\":1},{\"id\":3},\n{\"id\":4,\n", 2, 1, "ends inside"),
        ])
    func broken(text: String, line: Int, column: Int, reason: String) throws {
        let read = try records(text, .ndjson)
        #expect(read.compactMap { $0.document?.uniqueIdentifier } == ["1", "3"], "\(read)")
        let refusal = try #require(read.compactMap(\.refusal).first)
        #expect(refusal.line == line && refusal.column == column, "\(refusal)")
        #expect(refusal.reason.contains(reason), "\(refusal)")
    }

    @Test("An object of too many keys is refused at the first one that is too much")
    func tooManyKeys() throws {
        let keys = (0...Limits.attributesPerDocument).map { "\n\"k\($0)\":1" }
        let text = #"[{"id":1,"# + keys.joined(separator: ",") + "}]"
        let refusal = try #require(try records(text, .ndjson).first?.refusal)
        #expect(refusal.line == Limits.attributesPerDocument + 2, "\(refusal)")
        #expect(refusal.reason.contains("more than \(Limits.attributesPerDocument)"))
    }

    @Test("A first line that is cut short swallows no other")
    func cutLine() throws {
        let read = try records("{\"id\":1\n{\"id\":2}\n{\"id\":3}", .ndjson)
        #expect(read.map { $0.document?.uniqueIdentifier } == [nil, "2", "3"])
    }

    @Test("Values on one line are counted one by one, so that an import goes on between them")
    func resuming() throws {
        let text = Array(#"[{"id":"1"},{"id":"2"},{"id":"3"}]"#.utf8)
        let reader = try ImportReader(
            .bytes(text, name: "test"), options: ImportOptions(format: .ndjson))
        var counts: [Int] = []
        while try reader.next() != nil { counts.append(reader.linesConsumed) }
        #expect(counts == [1, 2, 3])
    }
}
