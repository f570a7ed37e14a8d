import FresnelClient
import FresnelModel
import FresnelWire
import Testing

@Suite("Lines that are encoded without being decoded")
struct PlainLineTests {
    static func schema() throws -> AttributeSchema {
        try AttributeSchema(declaring: [
            CustomAttributeKey("com_shop_note", .string),
            CustomAttributeKey("com_shop_code", .string, isMultiValued: true),
            CustomAttributeKey("com_shop_price", .number),
            CustomAttributeKey("com_shop_day", .date),
            CustomAttributeKey("zz_last", .number),
        ])
    }

    /// Members that an object of attributes may have.
    static let members = [
        #""title":"Tea""#, #""title":"Tee \u00fc \"x\"""#, #""title":"""#, #""title":null"#,
        #""title":7"#, #""title":["a"]"#, #""title":{"default":"a"}"#, #""keywords":["a","b"]"#,
        #""keywords":["a","",null]"#, #""keywords":[]"#, #""keywords":"one""#,
        #""keywords":[1]"#, #""rating":3"#, #""rating":-0.0"#, #""rating":true"#,
        #""rating":"3""#, #""rating":1e2"#, #""rating":12345678901234567890"#, #""allDay":true"#,
        #""allDay":0"#, #""allDay":2"#, #""contentCreationDate":"2026-01-02T03:04:05Z""#,
        #""contentCreationDate":"2026-01-02""#, #""contentCreationDate":"no date""#,
        #""contentCreationDate":12"#, #""contentCreationDate":1.5"#, #""URL":"https://x.y/""#,
        #""com_shop_note":"n""#, #""com_shop_note":5"#, #""com_shop_code":["x","y"]"#,
        #""com_shop_code":"x""#, #""com_shop_price":2.5"#, #""com_shop_price":"2.5""#,
        #""com_shop_day":"2026-01-02""#, #""com_shop_day":3"#, #""zz_last":1"#, #""unknown_x":1"#,
        #""contentType":"public.jpeg""#, #""relatedUniqueIdentifier":"r""#,
        #""contentDescription":"a long text of many words""#, #""pageCount":[1]"#,
        #""importantDates":[1,2]"#, #""authors":[{"displayName":"N"}]"#, #""domainIdentifier":"a""#,
    ]
    /// Members that the object of a document may have beside them.
    static let fields = [
        #""domainIdentifier":"shop.a""#, #""domainIdentifier":null"#, #""domainIdentifier":"""#,
        #""domainIdentifier":"a..b""#, #""kind":"product""#, #""kind":"activity""#,
        #""kind":null"#, #""isUpdate":false"#, #""isUpdate":true"#, #""isUpdate":null"#,
        #""expirationDate":null"#, #""expirationDate":"2026-01-02""#, #""activity":null"#,
        #""other":1"#, #""uniqueIdentifier":"again""#,
    ]

    @Test("are what decoding them gives, or are decoded", arguments: 0..<8)
    func same(round: UInt64) throws {
        var text = SeededText(seed: 0x9E37 &+ round)
        let schema = try Self.schema()
        let types = PlainTypes(schema)
        var lines: [String] = []
        for number in 0..<400 {
            var parts = [#""uniqueIdentifier":"d\#(number)""#]
            for _ in 0..<text.number(below: 2) {
                parts.append(Self.fields[text.number(below: Self.fields.count)])
            }
            let members = (0..<text.number(below: 5)).map { _ in
                Self.members[text.number(below: Self.members.count)]
            }
            parts.append(#""attributes":{\#(members.joined(separator: ","))}"#)
            if text.number(below: 3) == 0 { parts.reverse() }
            lines.append("{\(parts.joined(separator: ","))}")
        }
        let source = ImportSource.bytes(Array(lines.joined(separator: "\n").utf8), name: "lines")
        let known = ImportOptions(format: .ndjson, schema: schema)
        let plain = try ImportReader(source, options: known)
        let decoded = try ImportReader(source, options: known)
        // What a source's own schema does not know yet is inferred, and fits or is refused.
        let inferring = try ImportReader(source, options: ImportOptions(format: .ndjson))
        var plainCount = 0
        for line in lines {
            let record = try #require(try decoded.next())
            let inferred = try #require(try inferring.next()).document
            switch try #require(try plain.nextEntry(types)) {
            case .record(let other): #expect(other == record, "\(line)")
            case .flat(let document, line: let number):
                #expect(.document(document, line: number) == record, "\(line)")
            case .plain(let encoded, let number):
                plainCount += 1
                guard case .document(let document, line: number) = record else {
                    Issue.record("\(line) is \(record)")
                    continue
                }
                let normal = try DocumentValidation.normalised(document, schema: schema)
                #expect(encoded.bytes == DocumentCoding.encode(normal), "\(line)")
                #expect(encoded.uniqueIdentifier == document.uniqueIdentifier)
                let other = try DocumentValidation.normalised(
                    #require(inferred, "\(line)"), schema: schema)
                #expect(encoded.bytes == DocumentCoding.encode(other), "\(line)")
            }
        }
        #expect(plainCount > 60, "round \(round)")
    }

    @Test("are the usual ones, whatever the order of their names")
    func usual() throws {
        let line = """
            {"uniqueIdentifier":"a","domainIdentifier":"shop","kind":"product","attributes":{\
            "zz_last":1,"title":"Tea","com_shop_price":2,"keywords":["green"],"rating":5}}
            """
        let reader = try ImportReader(
            .bytes(Array(line.utf8), name: "line"),
            options: ImportOptions(format: .ndjson, schema: AttributeSchema()))
        let entry = try reader.nextEntry(PlainTypes(try Self.schema()))
        guard case .plain(let document, line: 1)? = entry else {
            Issue.record("it was decoded")
            return
        }
        #expect(document.uniqueIdentifier == "a")
    }
}
