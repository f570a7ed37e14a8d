/// Reads a table with a header row.
final class CSVReader: EntryReader {
    private var tokenizer: CSVTokenizer
    private var columns: [ColumnMapping] = []

    init(_ source: ImportSource, options: ImportOptions) throws(SearchError) {
        tokenizer = try CSVTokenizer(source)
        let header = try tokenizer.next()
        do throws(ImportRefusal) {
            columns = try Self.columns(header, options)
        } catch {
            throw SearchError(.invalidArgument, "\(source.name):\(error)", underlying: error)
        }
    }

    var linesConsumed: Int { tokenizer.line - 1 }

    func next() throws(SearchError) -> ImportRecord? {
        switch try tokenizer.next() {
        case nil: return nil
        case .failure(let refusal)?: return .refused(refusal)
        case .success(let record)?:
            do throws(ImportRefusal) {
                return .document(try document(record), line: record.line)
            } catch {
                return .refused(error)
            }
        }
    }

    private static func columns(
        _ header: Result<CSVRecord, ImportRefusal>?, _ options: ImportOptions
    ) throws(ImportRefusal) -> [ColumnMapping] {
        guard let header = try header?.get() else {
            throw ImportRefusal(line: 1, reason: "the table is empty; its first row names columns")
        }
        var columns: [ColumnMapping] = []
        var targets: Set<ColumnMapping.Target> = []
        for cell in header.cells {
            func refused(_ reason: String) -> ImportRefusal {
                ImportRefusal(line: cell.line, column: cell.column, reason: reason)
            }
            guard let name = String(validating: cell.bytes, as: UTF8.self) else {
                throw refused("the name of the column is not UTF-8")
            }
            let column: ColumnMapping
            do throws(ValueRefusal) {
                column = try ColumnMapping(name, told: options.columns, schema: options.schema)
            } catch {
                throw refused(error.reason)
            }
            guard column.target == .nothing || targets.insert(column.target).inserted else {
                throw refused("column \"\(name)\" becomes the same attribute as one before it")
            }
            columns.append(column)
        }
        try check(columns, options)
        return columns
    }

    private static func check(
        _ columns: [ColumnMapping], _ options: ImportOptions
    ) throws(ImportRefusal) {
        let names = Set(columns.map(\.column))
        if let missing = options.columns.keys.sorted().first(where: { !names.contains($0) }) {
            throw ImportRefusal(
                line: 1, reason: "column \"\(missing)\" is mapped but not in the header row")
        }
        guard columns.contains(where: { $0.target == .uniqueIdentifier }) else {
            throw ImportRefusal(
                line: 1,
                reason: "no column becomes uniqueIdentifier; name one \"id\" or map one to it")
        }
    }

    private func document(_ record: CSVRecord) throws(ImportRefusal) -> Document {
        guard record.cells.count == columns.count else {
            throw ImportRefusal(
                line: record.line,
                reason: "the row has \(record.cells.count) cells, the header \(columns.count)"
                    + record.extent)
        }
        var document = Document(uniqueIdentifier: "")
        for (cell, column) in zip(record.cells, columns) {
            do throws(ValueRefusal) {
                try Self.set(column, to: cell.bytes, in: &document)
            } catch {
                throw ImportRefusal(line: cell.line, column: cell.column, reason: error.reason)
            }
        }
        guard !document.uniqueIdentifier.isEmpty else {
            throw ImportRefusal(line: record.line, reason: "the row has no uniqueIdentifier")
        }
        return document
    }

    private static func set(
        _ column: ColumnMapping, to bytes: [UInt8], in document: inout Document
    ) throws(ValueRefusal) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ValueRefusal("\(column.column) is not UTF-8; save the table as UTF-8")
        }
        guard !text.isEmpty else { return }
        switch column.target {
        case .nothing: break
        case .uniqueIdentifier: document.uniqueIdentifier = text
        case .domainIdentifier: document.domainIdentifier = text
        case .expirationDate:
            document.expirationDate = try TextValueDecoder.date(text, of: column.column)
        case .attribute(let name, let type):
            document.attributes[name] = try TextValueDecoder.value(
                text, of: column.column, as: type)
        }
    }
}
