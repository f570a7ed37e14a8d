import ArgumentParser
import Foundation
import FresnelClient
import FresnelModel

/// How files are turned into documents.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "ndjson, csv or deb822 (default: what the name of the file says).",
            valueName: "format"))
    var format: ImportFormat?

    @Option(
        name: .customLong("map"),
        help: ArgumentHelp(
            "A column, key or field becomes this attribute (name, name:type, or - for none).",
            valueName: "column=attribute"))
    var mappings: [String] = []

    @Option(
        help: ArgumentHelp(
            "CSV: what separates cells (default: comma, semicolon, tab or | of the header row).",
            valueName: "character|tab"))
    var delimiter: String?

    @Flag(help: "Numbers in texts are written 1.234,50.")
    var decimalComma = false

    /// What the command calls the flag of the format; no option itself.
    var formatFlag = "--format"

    private enum CodingKeys: CodingKey {
        case format, mappings, delimiter, decimalComma
    }

    /// The options to read one source with.
    func options(for source: ImportSource, schema: AttributeSchema) throws -> ImportOptions {
        let format = try layout(of: source)
        return ImportOptions(
            format: format, schema: schema, columns: try columns(), delimiter: try cellDelimiter(),
            hasDecimalCommas: decimalComma)
    }

    /// Checks the mappings where they count, before anything is sent.
    func checkColumns(of sources: [ImportSource], schema: AttributeSchema) throws {
        for source in sources { try options(for: source, schema: schema).checkColumns() }
    }

    /// Checks that the format of every source is known, before anything is asked or sent.
    func checkFormats(of sources: [ImportSource]) throws {
        for source in sources { _ = try layout(of: source) }
        _ = try columns()
        _ = try cellDelimiter()
    }

    private func cellDelimiter() throws -> CellDelimiter? {
        guard let delimiter else { return nil }
        guard let found = CellDelimiter(delimiter) else {
            throw CommandError.usage(
                "--delimiter takes one character, none of letters, digits and quotes, or tab, "
                    + "semicolon or pipe, not \"\(delimiter)\"")
        }
        return found
    }

    /// A wrong guess would read a file as lines that are all refused: better none at all.
    private func layout(of source: ImportSource) throws -> ImportFormat {
        if let format { return format }
        guard case .file(let path) = source else { return .ndjson }
        guard let named = ImportFormat(namedBy: path) else {
            // A path that cannot be looked at is refused where it is opened.
            let values = try? URL(fileURLWithPath: path).resourceValues(forKeys: [.isDirectoryKey])
            guard values?.isDirectory != true else {
                throw CommandError.usage("\(path): it is a directory; name the files in it")
            }
            throw CommandError.usage(
                "\(path): the name does not say what is in it; give \(formatFlag) ndjson, csv or "
                    + "deb822")
        }
        return named
    }

    /// The files in order; `-` is the standard input.
    func sources(_ names: [String]) -> [ImportSource] {
        names.map { $0 == "-" ? .standardInput : .file($0) }
    }

    private func columns() throws -> [String: String] {
        var columns: [String: String] = [:]
        for mapping in mappings {
            // A column may have it in its name, an attribute may not.
            guard let sign = mapping.lastIndex(of: "=") else {
                throw CommandError.usage("--map takes COLUMN=ATTRIBUTE, not \"\(mapping)\"")
            }
            columns[String(mapping[..<sign])] = String(mapping[mapping.index(after: sign)...])
        }
        return columns
    }
}
