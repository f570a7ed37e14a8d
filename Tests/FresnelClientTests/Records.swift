import FresnelClient
import FresnelModel

/// Everything that a text gives, read in a format.
func records(
    _ text: String, _ format: ImportFormat, schema: AttributeSchema = AttributeSchema(),
    columns: [String: String] = [:]
) throws -> [ImportRecord] {
    let options = ImportOptions(format: format, schema: schema, columns: columns)
    let reader = try ImportReader(.bytes(Array(text.utf8), name: "test"), options: options)
    var records: [ImportRecord] = []
    while let record = try reader.next() { records.append(record) }
    return records
}

extension ImportRecord {
    var document: Document? {
        if case .document(let document, _) = self { document } else { nil }
    }

    var patch: DocumentPatch? {
        if case .patch(let patch, _) = self { patch } else { nil }
    }

    var refusal: ImportRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }

    var line: Int {
        switch self {
        case .document(_, let line), .patch(_, let line): line
        case .refused(let refusal): refusal.line
        }
    }
}
