import FresnelClient
import FresnelJSON
import FresnelModel

/// One run of `fresnel index --dry-run`: reads the sources to their ends, shows what would come of
/// them, and changes nothing.
///
/// What is shown goes to the standard output, refusals to the standard error as in an import.
struct ImportDryRun {
    /// Refusals of all sources that are printed.
    private static let printedRefusals = 10
    /// Columns of the terminal where there is none: enough to know a document by.
    private static let plainWidth = 120

    private var preview: ImportPreview
    private let isJSON: Bool
    private var sourcesAsJSON: [JSONValue] = []

    /// - Parameters:
    ///   - schema: of the index.
    ///   - keys: that are declared beside it.
    init(
        _ schema: AttributeSchema, declaring keys: [CustomAttributeKey], isJSON: Bool
    ) throws {
        preview = ImportPreview(schema)
        for key in keys { try preview.declare(key) }
        self.isJSON = isJSON
    }

    /// Reads the sources one after the other; `options` says how each is read.
    mutating func run(
        _ sources: [ImportSource], options: (ImportSource) throws -> ImportOptions
    ) throws -> ExitStatus {
        var hasUnreadableSource = false
        for source in sources {
            let options = try options(source)
            do {
                try read(source, options)
            } catch let error as SearchError {
                guard sources.count > 1 else { throw error }
                hasUnreadableSource = true
                Streams.complain(of: error)
            }
        }
        finish()
        return preview.refused == 0 && !hasUnreadableSource ? .complete : .failed
    }

    private mutating func read(_ source: ImportSource, _ options: ImportOptions) throws {
        let reader = try ImportReader(source, options: options)
        preview.begin()
        // What was read of a source that is damaged further on is shown, too.
        defer { show(reader) }
        while let entry = try reader.nextEntry(nil) {
            guard let refusal = preview.take(entry) else { continue }
            if preview.refused <= Self.printedRefusals {
                Streams.complain("\(source.name):\(refusal)")
            }
        }
        for column in reader.missingColumns {
            Streams.complain(ImportRun.missing(column, in: source))
        }
    }

    private mutating func show(_ reader: ImportReader) {
        let rows = rows(reader.columns)
        guard !isJSON else { return note(reader, rows) }
        Streams.say("\(reader.source.name): \(reader.layout)")
        if !rows.isEmpty {
            var table = Table([
                .init(title: "column"), .init(title: "attribute"), .init(title: "type"),
                .init(title: "documents", isNumber: true), .init(title: "first value"),
            ])
            let lines = table.lines(
                rows.map { row in
                    [
                        row.column, row.attribute ?? "- (left out)", row.type,
                        row.known.map { "\($0.count)" } ?? "",
                        row.known.map { ValueText.text($0.first) } ?? "",
                    ]
                })
            for line in lines { Streams.say(line) }
        }
        for document in preview.documents {
            Streams.say("")
            let width = Terminal.columns ?? Self.plainWidth
            let lines = DocumentText.lines(document, style: Style(isColoured: false))
            for line in lines { Streams.say(Self.cut(line, to: width)) }
        }
        Streams.say("")
        if let advice = numbers(rows) { Streams.say(advice) }
    }

    /// One column, or an attribute that no column names.
    private struct Row {
        var column = ""
        let attribute: String?
        let type: String
        let known: ImportPreview.Attribute?
    }

    private func rows(_ columns: [ImportedColumn]) -> [Row] {
        var rest: [(key: ExactText, value: ImportPreview.Attribute)] = preview.sortedAttributes
            .map { (ExactText($0.name), $0) }
        let known = Dictionary(rest, uniquingKeysWith: { first, _ in first })
        let named = Set(columns.compactMap(\.attribute).map { ExactText($0) })
        rest.removeAll { named.contains($0.key) }
        let rows = columns.map { column in
            let attribute = column.attribute.flatMap { known[ExactText($0)] }
            return Row(
                column: column.name, attribute: column.attribute,
                type: column.attribute.flatMap { type(of: $0, attribute) } ?? "", known: attribute)
        }
        return rows
            + rest.map { Row(attribute: $1.name, type: "\($1.type)", known: $1) }
    }

    private func type(of name: String, _ attribute: ImportPreview.Attribute?) -> String? {
        if let attribute { return "\(attribute.type)" }
        return preview.schema.definition(named: name).map { "\($0.valueType)" }
    }

    /// What to do about texts that are numbers: `stock < 5` finds nothing in them.
    private func numbers(_ rows: [Row]) -> String? {
        let numeric = rows.filter { row in
            row.known.map { $0.isNumeric && $0.type == .string } ?? false && !row.column.isEmpty
                && preview.schema.customKeys[row.attribute ?? ""] != nil
        }
        guard let first = numeric.first, let attribute = first.attribute else { return nil }
        let names = numeric.prefix(8).map { "\"\($0.column)\"" }.joined(separator: ", ")
        return "texts, all of which are numbers: \(names)"
            + (numeric.count > 8 ? " and \(numeric.count - 8) more" : "")
            + "; to compare them as numbers: --map '\(first.column)=\(attribute):number'"
    }

    private func finish() {
        guard !isJSON else {
            let line: JSONValue = [
                "status": "dryRun", "accepted": .integer(Int64(preview.accepted)),
                "refused": .integer(Int64(preview.refused)),
                "repeated": .integer(Int64(preview.repeated)), "sources": .array(sourcesAsJSON),
            ]
            return Streams.say(line)
        }
        let hidden = preview.refused - Self.printedRefusals
        if hidden > 0 { Streams.complain("\(hidden) more refused") }
        let repeated =
            preview.repeated == 0
            ? ""
            : ", \(preview.repeated) of them with an identifier that came before and would replace "
                + "that document"
        Streams.say(
            "dry run: \(ValueText.count(preview.accepted, "document")) accepted\(repeated), "
                + "\(preview.refused) refused; nothing was changed")
    }

    private mutating func note(_ reader: ImportReader, _ rows: [Row]) {
        sourcesAsJSON.append([
            "name": .string(reader.source.name), "layout": .string(reader.layout),
            "columns": .array(
                rows.map { row in
                    [
                        "column": row.column.isEmpty ? .null : .string(row.column),
                        "attribute": row.attribute.map { .string($0) } ?? .null,
                        "type": row.type.isEmpty ? .null : .string(row.type),
                        "documents": row.known.map { .integer(Int64($0.count)) } ?? .null,
                    ]
                }),
        ])
    }

    private static func cut(_ line: String, to width: Int) -> String {
        DisplayWidth.columns(of: line) > width ? DisplayWidth.fit(line, to: width) : line
    }
}
