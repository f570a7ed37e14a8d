import FresnelClient
import FresnelModel
import Testing

@Suite("NDJSON import")
struct NDJSONTests {
    @Test("A document has every field that its line says")
    func wholeDocument() throws {
        let line = """
            {"uniqueIdentifier":"a1","domainIdentifier":"store.visits","kind":"activity",\
            "expirationDate":"2099-01-01T00:00:00Z","attributes":{"title":"Tea"},\
            "activity":{"activityType":"org.x.view","userInfo":{"b":1,"a":[2]},\
            "requiredUserInfoKeys":["a"],"webpageURL":"https://x.example/","persistentIdentifier":\
            "p","targetContentIdentifier":null}}
            """
        let expiration = try #require(Timestamp(iso8601: "2099-01-01"))
        let expected = Document(
            uniqueIdentifier: "a1", domainIdentifier: "store.visits", kind: .activity,
            expirationDate: expiration, attributes: ["title": .string("Tea")],
            activity: ActivityDetails(
                activityType: "org.x.view", userInfo: #"{"a":[2],"b":1}"#,
                requiredUserInfoKeys: ["a"], webpageURL: "https://x.example/",
                persistentIdentifier: "p"))
        #expect(try records(line, .ndjson) == [.document(expected, line: 1)])
        #expect(try records(expected.jsonText, .ndjson) == [.document(expected, line: 1)])
    }

    @Test(
        "A value becomes what its attribute takes",
        arguments: [
            (#""title":"x""#, "title", .string("x")),
            (
                #""title":{"default":"x","de":"y"}"#, "title",
                .localized(LocalizedString(defaultText: "x", variants: ["de": "y"]))
            ),
            (
                #""title":{"default":"x","variants":{"de":"y"}}"#, "title",
                .localized(LocalizedString(defaultText: "x", variants: ["de": "y"]))
            ),
            (#""keywords":"one""#, "keywords", .strings(["one"])),
            (#""keywords":["a","",null,"b"]"#, "keywords", .strings(["a", "b"])),
            (#""rating":5"#, "rating", .number(5)),
            (#""rating":true"#, "rating", .number(1)),
            (#""allDay":false"#, "allDay", .boolean(false)),
            (#""dueDate":"2001-01-02""#, "dueDate", .date(Timestamp(wholeSeconds: 86_400))),
            (#""dueDate":86400"#, "dueDate", .date(Timestamp(wholeSeconds: 86_400))),
            (
                #""importantDates":["2001-01-01T00:00:01Z",2]"#, "importantDates",
                .dates([Timestamp(wholeSeconds: 1), Timestamp(wholeSeconds: 2)])
            ),
            (#""thumbnailData":"AQID""#, "thumbnailData", .bytes([1, 2, 3])),
            (
                #""authors":[{"displayName":"A","handles":["a@x"]},"B"]"#, "authors",
                .persons([
                    Person(displayName: "A", handles: ["a@x"]), Person(displayName: "B"),
                ])
            ),
            (
                #""emailHeaders":{"To":["a","b"],"X":"c"}"#, "emailHeaders",
                .dictionary(["To": ["a", "b"], "X": ["c"]])
            ),
            (#""com_x_date":"2001-01-02""#, "com_x_date", .string("2001-01-02")),
            (#""com_x_flag":true"#, "com_x_flag", .boolean(true)),
            (#""com_x_list":[1,2.5]"#, "com_x_list", .numbers([1, 2.5])),
            (
                #""com_x_who":{"displayName":"A"}"#, "com_x_who",
                .persons([Person(displayName: "A")])
            ),
            (#""com_x_day":"2001-01-02""#, "com_x_day", .date(Timestamp(wholeSeconds: 86_400))),
        ] as [(String, String, AttributeValue)])
    func values(json: String, name: String, value: AttributeValue) throws {
        let schema = try AttributeSchema(declaring: [CustomAttributeKey("com_x_day", .date)])
        let line = #"{"uniqueIdentifier":"a","attributes":{\#(json)}}"#
        let record = try #require(try records(line, .ndjson, schema: schema).first)
        #expect(record.document?.attributes == [name: value], "\(record)")
    }

    @Test(
        "Null, empty texts and empty lists mean absent",
        arguments: ["null", "\"\"", "[]", "[null]", "[\"\"]"])
    func absent(json: String) throws {
        let line = #"{"uniqueIdentifier":"a","attributes":{"keywords":\#(json),"com_x":null}}"#
        #expect(try records(line, .ndjson).first?.document?.attributes == [:])
    }

    @Test(
        "A line that cannot be used is refused where it is wrong",
        arguments: [
            (#"{"uniqueIdentifier":"a","colour":1}"#, 25, "\"colour\""),
            (#"{"uniqueIdentifier":"a","title":"x"}"#, 25, "belongs into"),
            (#"{"attributes":{}}"#, 1, "uniqueIdentifier"),
            (#"{"uniqueIdentifier":7}"#, 2, "not a number"),
            (#"{"uniqueIdentifier":"a","kind":"item"}"#, 25, "\"item\""),
            (#"{"uniqueIdentifier":"a","attributes":{"é":1}}"#, 39, "cannot be an attribute"),
            (
                #"{"uniqueIdentifier":"ä","attributes":{"title":"\"rating\"","rating":"5"}}"#, 60,
                "takes a number"
            ),
            (#"{"uniqueIdentifier":"a","attributes":{"dueDate":"soon"}}"#, 39, "no date"),
            (#"{"uniqueIdentifier":"a","attributes":{"title":["a","b"]}}"#, 39, "not a list of 2"),
            (#"{"uniqueIdentifier":"a","attributes":{"com_x":[1,"a"]}}"#, 39, "mixes"),
            (#"{"uniqueIdentifier":"a","attributes":{"com_x":[[1]]}}"#, 39, "list inside"),
            (#"{"uniqueIdentifier":"a","attributes":{"thumbnailData":"*"}}"#, 39, "Base64"),
            (#"{"uniqueIdentifier":"a","attributes":{"com_x":{"a":1}}}"#, 39, "object"),
            (#"{"uniqueIdentifier":"a","activity":{}}"#, 25, "activity"),
            (#"{"uniqueIdentifier":"a","kind":"activity","activity":{}}"#, 43, "activityType"),
            (#"{"uniqueIdentifier":"a","isUpdate":1}"#, 25, "isUpdate"),
            ("[1]", 1, "an object"), ("{\"a\":}", 7, "not JSON"), ("{", 2, "not JSON"),
        ])
    func refusals(line: String, column: Int, reason: String) throws {
        let good = #"{"uniqueIdentifier":"g"}"#
        let read = try records("\(good)\n\n\(line)\r\n\(good)", .ndjson)
        #expect(read.count == 3)
        let refusal = try #require(read[1].refusal, "\(read[1])")
        #expect(refusal.line == 3)
        #expect(refusal.column == column, "\(refusal)")
        #expect(refusal.reason.contains(reason), "\(refusal)")
        #expect(read[2].document?.uniqueIdentifier == "g")
        #expect(read[2].line == 4)
    }

    @Test("An update leaves, removes and sets")
    func patch() throws {
        let line = """
            {"isUpdate":true,"uniqueIdentifier":"a","domainIdentifier":null,\
            "attributes":{"title":null,"keywords":[],"rating":2}}
            """
        let expected = DocumentPatch(
            uniqueIdentifier: "a", domainIdentifier: .remove,
            attributes: ["title": .remove, "keywords": .remove, "rating": .set(.number(2))])
        #expect(try records(line, .ndjson) == [.patch(expected, line: 1)])
    }

    @Test("A byte order mark and a missing last line break do no harm")
    func edges() throws {
        let read = try records("\u{FEFF}{\"uniqueIdentifier\":\"a\"}", .ndjson)
        #expect(read.map { $0.document?.uniqueIdentifier } == ["a"])
        #expect(try records("", .ndjson).isEmpty)
        #expect(try records("\n \n", .ndjson).isEmpty)
    }

    @Test("The reader says how many lines were consumed")
    func consumedLines() throws {
        let text = "\n{\"uniqueIdentifier\":\"a\"}\n{\"uniqueIdentifier\":\"b\"}\n"
        let reader = try ImportReader(
            .bytes(Array(text.utf8), name: "t"), options: ImportOptions(format: .ndjson))
        #expect(reader.linesConsumed == 0)
        _ = try reader.next()
        #expect(reader.linesConsumed == 2)
        _ = try reader.next()
        #expect(reader.linesConsumed == 3)
    }

    @Test("Any bytes give documents or refusals, never a crash", arguments: 0..<200)
    func anyBytes(seed: Int) throws {
        var generator = SeededText(seed: UInt64(seed) + 7)
        var bytes = Array(#"{"uniqueIdentifier":"a","attributes":{"title":"x"}}"#.utf8)
        for _ in 0..<4 {
            bytes[generator.number(below: bytes.count)] = UInt8(generator.number(below: 256))
        }
        for format in ImportFormat.allCases {
            let options = ImportOptions(format: format)
            do {
                let reader = try ImportReader(.bytes(bytes, name: "t"), options: options)
                var count = 0
                while try reader.next() != nil { count += 1 }
                #expect(count <= 5, "seed \(seed)")
            } catch {
                #expect(format == .csv, "seed \(seed): \(error)")
            }
        }
    }
}
