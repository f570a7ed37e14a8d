import ArgumentParser
import FresnelClient
import FresnelModel

/// How files are turned into documents.
struct SourceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "ndjson, csv or deb822 (default: what the name of the file suggests).",
            valueName: "format"))
    var format: ImportFormat?

    @Option(
        name: .customLong("map"),
        help: ArgumentHelp(
            "CSV: a column becomes this attribute (name, name:type, or - for none).",
            valueName: "column=attribute"))
    var mappings: [String] = []

    /// The options to read one source with.
    func options(for source: ImportSource, schema: AttributeSchema) throws -> ImportOptions {
        let format = format ?? ImportFormat(guessedFrom: source.name)
        // Other formats name their attributes themselves.
        let columns = format == .csv ? try self.columns() : [:]
        return ImportOptions(format: format, schema: schema, columns: columns)
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
