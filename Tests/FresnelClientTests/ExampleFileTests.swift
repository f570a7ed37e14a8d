import FresnelClient
import FresnelModel
import Testing

@Suite("Example catalogues")
struct ExampleFileTests {
    private static var folder: String {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/") + "/Examples/"
    }

    @Test(
        "Every entry of the example catalogues is a valid document",
        arguments: [
            ("green-grocer.ndjson", 73), ("candy.ndjson", 30), ("retro-computers.ndjson", 75),
            ("pictures.ndjson", 44), ("prices.csv", 34),
        ])
    func examples(name: String, count: Int) throws {
        let source = ImportSource.file(Self.folder + name)
        let options = ImportOptions(format: ImportFormat(guessedFrom: name))
        let reader = try ImportReader(source, options: options)
        var schema = AttributeSchema()
        var found = 0
        while let record = try reader.next() {
            let document = try #require(record.document, "\(record)")
            _ = try schema.declareMissing(for: document)
            try DocumentValidation.validate(document, schema: schema)
            found += 1
        }
        #expect(found == count)
    }

    @Test("A file that is not there is an error that names it")
    func missing() {
        let error = #expect(throws: SearchError.self) {
            try ImportReader(.file("/nowhere/x"), options: ImportOptions(format: .ndjson))
        }
        #expect(error?.message.contains("/nowhere/x") ?? false)
    }
}
