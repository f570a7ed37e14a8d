import FresnelModel
import Testing

@testable import FresnelClient

@Suite("Previews of imports")
struct ImportPreviewTests {
    /// The preview of one source, its columns and its refusals.
    private static func preview(
        _ text: String, _ format: ImportFormat, schema: AttributeSchema = AttributeSchema(),
        columns: [String: String] = [:]
    ) throws -> (preview: ImportPreview, reader: ImportReader, refusals: [ImportRefusal]) {
        let options = ImportOptions(format: format, schema: schema, columns: columns)
        let reader = try ImportReader(.bytes(Array(text.utf8), name: "test"), options: options)
        var preview = ImportPreview(schema)
        var refusals: [ImportRefusal] = []
        while let entry = try reader.nextEntry(nil) {
            if let refusal = preview.take(entry) { refusals.append(refusal) }
        }
        return (preview, reader, refusals)
    }

    @Test("Of every column its attribute, type, first value and number of documents are known")
    func table() throws {
        let text = "id;Größe;price;stock;x\n1;M;4.5;7;\n2;;3;8;\n3;L;;9;\n"
        let (preview, reader, refusals) = try Self.preview(text, .csv, columns: ["x": "-"])
        #expect(refusals.isEmpty, "\(refusals)")
        #expect(reader.layout == "a table, cells separated by ;")
        #expect(
            reader.columns.map(\.attribute) == [
                "uniqueIdentifier", "Grosse", "com_fresnel_price", "stock", nil,
            ])
        let attributes = preview.sortedAttributes
        #expect(attributes.map(\.name) == ["Grosse", "com_fresnel_price", "stock"])
        #expect(attributes.map(\.count) == [2, 2, 3])
        #expect(attributes.map(\.type) == [.string, .number, .string])
        #expect(attributes.map(\.isNumeric) == [false, false, true])
        #expect(attributes.first?.first == .string("M"))
        #expect(preview.accepted == 3 && preview.documents.map(\.uniqueIdentifier) == ["1", "2"])
    }

    @Test("Documents that would replace earlier ones are counted")
    func repeated() throws {
        let (preview, _, _) = try Self.preview("id,title\na,1\nb,2\na,3\na,4\n", .csv)
        #expect(preview.accepted == 4 && preview.repeated == 2)
    }

    @Test("What the index would refuse is refused, as in an import")
    func refusals() throws {
        let schema = try AttributeSchema(declaring: [CustomAttributeKey("size", .number)])
        let long = String(repeating: "k", count: Limits.identifierBytes + 1)
        let text = """
            {"uniqueIdentifier":"a","attributes":{"com_x":1}}
            {"uniqueIdentifier":"b","attributes":{"com_x":"one"}}
            {"id":"c","size":"large"}
            {"uniqueIdentifier":"\(long)"}
            {"uniqueIdentifier":"d","isUpdate":true,"attributes":{"size":2}}
            """
        let (preview, reader, refusals) = try Self.preview(text, .ndjson, schema: schema)
        #expect(refusals.map(\.line) == [2, 3, 4], "\(refusals)")
        #expect(preview.accepted == 2 && preview.refused == 3)
        #expect(reader.columns.map(\.name) == ["id", "size"])
    }

    @Test("Keys that only hold others are no columns, and mapped keys that never come are missing")
    func keys() throws {
        let text = """
            {"id":1,"size":{"width":2},"note":"x"}
            {"uniqueIdentifier":"b","attributes":{"grade":4}}
            """
        let columns = ["note": "-", "grade": "com_grade", "absent": "title"]
        let (_, reader, _) = try Self.preview(text, .ndjson, columns: columns)
        #expect(
            reader.columns == [
                ImportedColumn(name: "id", attribute: "uniqueIdentifier"),
                ImportedColumn(name: "size.width", attribute: "size.width"),
                ImportedColumn(name: "note", attribute: nil),
            ])
        #expect(reader.missingColumns == ["absent"])
    }

    @Test("Fields of package lists are mapped, in place of what they usually become")
    func fields() throws {
        let text = """
            Package: tea
            Version: 1.2
            Section: drinks
            Installed-Size: 12
            Multi-Arch: same
            """
        let columns = [
            "section": "com_x_section", "Multi-Arch": "com_x_multi", "Version": "-",
            "Installed-Size": "com_x_size:number", "Absent": "com_x_absent",
        ]
        let (preview, reader, refusals) = try Self.preview(text, .deb822, columns: columns)
        #expect(refusals.isEmpty, "\(refusals)")
        let document = try #require(preview.documents.first)
        #expect(document.domainIdentifier == "debian.drinks")
        #expect(
            document.attributes == [
                "title": .string("tea"), "contentType": .string("public.data"),
                "contentTypeTree": .strings(["public.data", "public.item"]),
                "com_x_section": .string("drinks"), "com_x_multi": .string("same"),
                "com_x_size": .number(12),
            ], "\(document.attributes)")
        #expect(reader.missingColumns == ["Absent"])
    }
}
