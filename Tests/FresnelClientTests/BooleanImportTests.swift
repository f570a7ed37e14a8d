import FresnelModel
import Testing

@testable import FresnelClient

/// Keys whose first value is true or false, however documents are written.
@Suite("Imported Booleans")
struct BooleanImportTests {
    private static func preview(
        _ text: String, _ format: ImportFormat, schema: AttributeSchema = AttributeSchema(),
        columns: [String: String] = [:]
    ) throws -> (preview: ImportPreview, refusals: [ImportRefusal]) {
        let options = ImportOptions(format: format, schema: schema, columns: columns)
        let reader = try ImportReader(.bytes(Array(text.utf8), name: "test"), options: options)
        var preview = ImportPreview(schema)
        var refusals: [ImportRefusal] = []
        while let entry = try reader.nextEntry(nil) {
            if let refusal = preview.take(entry) { refusals.append(refusal) }
        }
        return (preview, refusals)
    }

    @Test(
        "The first value of a key decides that it is Boolean",
        arguments: [
            (#"{"id":"a","sold":true}"#, AttributeType.boolean), (#"{"id":"a","sold":1}"#, .number),
            (#"{"uniqueIdentifier":"a","attributes":{"sold":false}}"#, .boolean),
            (#"{"uniqueIdentifier":"a","isUpdate":true,"attributes":{"sold":true}}"#, .boolean),
            (#"{"id":"a","sold":[true,false]}"#, .numbers),
            (#"[{"id":"a","sold":true},{"id":"b","sold":15},{"id":"c","sold":"2.5"}]"#, .boolean),
            (#"[{"id":"a","sold":15},{"id":"b","sold":true}]"#, .number),
        ])
    func json(text: String, type: AttributeType) throws {
        let (preview, refusals) = try Self.preview(text, .ndjson)
        #expect(refusals.isEmpty, "\(refusals)")
        #expect(preview.schema.definition(named: "sold")?.valueType == type)
    }

    @Test("A mapping to a Boolean makes such a key, of tables and of JSON")
    func mapped() throws {
        for (text, format) in [
            ("id,x\na,true\nb,0\nc,7\n", ImportFormat.csv), (#"{"id":"a","x":1}"#, .ndjson),
        ] {
            let (preview, refusals) = try Self.preview(
                text, format, columns: ["x": "sold:boolean"])
            #expect(refusals.isEmpty, "\(refusals)")
            #expect(preview.schema.definition(named: "sold")?.valueType == .boolean)
            #expect(preview.sortedAttributes.first?.first == .boolean(true))
        }
    }

    @Test(
        "Documents are taken where the key is a number, and numbers where it is Boolean",
        arguments: [AttributeType.number, .boolean])
    func known(type: AttributeType) throws {
        let schema = try AttributeSchema(declaring: [CustomAttributeKey("sold", type)])
        let text = """
            {"id":"a","sold":true}
            {"id":"b","sold":0}
            {"id":"c","sold":15.5}
            {"uniqueIdentifier":"d","attributes":{"sold":false}}
            {"uniqueIdentifier":"e","attributes":{"sold":15.5}}
            {"uniqueIdentifier":"f","attributes":{"sold":"yes"}}
            {"id":"g","sold":"true"}
            """
        let (preview, refusals) = try Self.preview(text, .ndjson, schema: schema)
        #expect(refusals.map(\.line) == (type == .boolean ? [6] : [6, 7]), "\(refusals)")
        let shown = preview.sortedAttributes.first?.first
        #expect(shown == (type == .boolean ? .boolean(true) : .number(1)))
    }

    @Test("An attribute that every index knows takes true, false, 1 and 0 alone")
    func builtIn() throws {
        let text = """
            {"id":"a","allDay":true}
            {"id":"b","allDay":1}
            {"id":"c","allDay":2}
            """
        let (preview, refusals) = try Self.preview(text, .ndjson)
        #expect(refusals.map(\.line) == [3], "\(refusals)")
        #expect(preview.sortedAttributes.first?.first == .boolean(true))
    }

    @Test("Written as JSON, true is read as true again")
    func written() throws {
        let document = Document(
            uniqueIdentifier: "a", attributes: ["sold": .boolean(true), "stock": .number(1)])
        #expect(document.jsonText.contains(#""attributes":{"sold":true,"stock":1}"#))
        let (preview, _) = try Self.preview(document.jsonText, .ndjson)
        #expect(preview.documents == [document])
    }
}
