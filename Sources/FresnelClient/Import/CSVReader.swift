import FresnelWire

/// Reads a table with a header row.
final class CSVReader: EntryReader {
    private var tokenizer: CSVTokenizer
    private var mappings: [ColumnMapping] = []
    private let delimiter: UInt8
    private let hasDecimalCommas: Bool

    init(_ source: ImportSource, options: ImportOptions) throws(SearchError) {
        hasDecimalCommas = options.hasDecimalCommas
        var stream = try ByteStream(source)
        let beginning = try stream.lookAhead(limit: CSVLayout.headerBytes)
        let layout = CSVLayout(beginning.bytes, told: options.delimiter?.byte)
        if layout.hasOldLineEnds { stream.endLinesWithCarriageReturns() }
        if layout.hasSeparatorLine { _ = try stream.nextLine(limit: CSVLayout.headerBytes) }
        delimiter = layout.delimiter
        tokenizer = CSVTokenizer(stream, delimiter: layout.delimiter)
        let header = try tokenizer.next()
        do throws(ImportRefusal) {
            mappings = try Self.columns(header, options)
        } catch {
            throw SearchError(.invalidArgument, "\(source.name):\(error)", underlying: error)
        }
    }

    var linesConsumed: Int { tokenizer.line - 1 }

    var layout: String {
        let mark = delimiter == UInt8(ascii: "\t") ? "tab" : "\(Unicode.Scalar(delimiter))"
        return "a table, cells separated by \(mark)"
            + (hasDecimalCommas ? ", numbers with a decimal comma" : "")
    }

    var columns: [ImportedColumn] {
        mappings.filter { $0.target != .unnamed }.map {
            ImportedColumn(name: $0.column, attribute: $0.target.name)
        }
    }

    /// A header row without them is refused.
    var missingColumns: [String] { [] }

    func next() throws(SearchError) -> ImportRecord? { try nextRow()?.record }

    func nextEntry(_ types: PlainTypes?) throws(SearchError) -> ImportEntry? { try nextRow() }

    private func nextRow() throws(SearchError) -> ImportEntry? {
        switch try tokenizer.next() {
        case nil: return nil
        case .failure(let refusal)?: return .record(.refused(refusal))
        case .success(let record)?:
            do throws(ImportRefusal) {
                return .flat(try document(record), line: record.line)
            } catch {
                return .record(.refused(error))
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
                throw refused("the name of the column is not UTF-8; save the table as UTF-8")
            }
            let column: ColumnMapping
            do throws(ValueRefusal) {
                column = try ColumnMapping(name, told: options.columns, schema: options.schema)
            } catch {
                throw refused(error.reason)
            }
            guard column.target.isRepeatable || targets.insert(column.target).inserted else {
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
            throw ImportRefusal(line: 1, reason: unidentified(columns))
        }
    }

    /// What to do about a table of which no column names documents.
    private static func unidentified(_ columns: [ColumnMapping]) -> String {
        let names = columns.prefix(10).map { "\"\($0.column)\"" }.joined(separator: ", ")
        let more = columns.count > 10 ? " and \(columns.count - 10) more" : ""
        guard columns.count > 1 else {
            return "no column becomes uniqueIdentifier, and there is one column, \(names); where "
                + "something else than comma, semicolon, tab or | separates cells, give --delimiter"
        }
        return "no column becomes uniqueIdentifier; name one \"id\", or map one to it "
            + "(--map 'COLUMN=uniqueIdentifier'); the columns are \(names)\(more)"
    }

    private func document(_ record: CSVRecord) throws(ImportRefusal) -> Document {
        let count = record.cells.count
        guard count == mappings.count else {
            throw ImportRefusal(
                line: record.line,
                reason:
                    "the row has \(count) \(count == 1 ? "cell" : "cells"), the header "
                    + "\(mappings.count)"
                    + record.extent)
        }
        var document = Document(uniqueIdentifier: "")
        for (cell, column) in zip(record.cells, mappings) {
            do throws(ValueRefusal) {
                try set(column, to: cell.bytes, in: &document)
            } catch {
                throw ImportRefusal(line: cell.line, column: cell.column, reason: error.reason)
            }
        }
        guard !document.uniqueIdentifier.isEmpty else {
            throw ImportRefusal(line: record.line, reason: "the row has no uniqueIdentifier")
        }
        return document
    }

    private func set(
        _ column: ColumnMapping, to bytes: [UInt8], in document: inout Document
    ) throws(ValueRefusal) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ValueRefusal("\(column.column) is not UTF-8; save the table as UTF-8")
        }
        guard !text.isEmpty else { return }
        switch column.target {
        case .nothing: break
        case .unnamed:
            throw ValueRefusal(
                "the cell has a value, but its column has no name; name it in the header row, or "
                    + "leave it out: --map '=-'")
        case .uniqueIdentifier: document.uniqueIdentifier = text
        case .domainIdentifier: document.domainIdentifier = text
        case .expirationDate:
            document.expirationDate = try TextValueDecoder.date(text, of: column.column)
        case .attribute(let name, let type):
            document.attributes[name] = try TextValueDecoder(hasDecimalCommas: hasDecimalCommas)
                .value(text, of: column.column, as: type)
        }
    }
}
