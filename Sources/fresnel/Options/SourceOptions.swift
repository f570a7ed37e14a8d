import ArgumentParser
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
            "CSV: a column becomes this attribute (name, name:type, or - for none).",
            valueName: "column=attribute"))
    var mappings: [String] = []

    /// What the command calls the flag of the format; no option itself.
    var formatFlag = "--format"

    private enum CodingKeys: CodingKey {
        case format, mappings
    }

    /// The options to read one source with.
    func options(for source: ImportSource, schema: AttributeSchema) throws -> ImportOptions {
        let format = try layout(of: source)
        // Other formats name their attributes themselves.
        let columns = format == .csv ? try self.columns() : [:]
        return ImportOptions(format: format, schema: schema, columns: columns)
    }

    /// Checks the mappings where they count, before anything is sent.
    func checkColumns(of sources: [ImportSource], schema: AttributeSchema) throws {
        for source in sources { try options(for: source, schema: schema).checkColumns() }
    }

    /// Checks that the format of every source is known, before anything is asked or sent.
    func checkFormats(of sources: [ImportSource]) throws {
        for source in sources { _ = try layout(of: source) }
        _ = try columns()
    }

    /// A wrong guess would read a file as lines that are all refused: better none at all.
    private func layout(of source: ImportSource) throws -> ImportFormat {
        if let format { return format }
        guard case .file(let path) = source else { return .ndjson }
        guard let named = ImportFormat(namedBy: path) else {
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
            guard let sign = mapping.firstIndex(of: "=") else {
                throw CommandError.usage("--map takes COLUMN=ATTRIBUTE, not \"\(mapping)\"")
            }
            columns[String(mapping[..<sign])] = String(mapping[mapping.index(after: sign)...])
        }
        return columns
    }
}
