/// How the bytes of a source are laid out.
public enum ImportFormat: String, Hashable, Sendable, CaseIterable {
    /// One JSON object a line.
    case ndjson
    /// A table with a header row (RFC 4180).
    case csv
    /// Paragraphs of fields, as Debian's package lists are.
    case deb822

    /// The format that a file name suggests: by its ending, NDJSON when it says nothing.
    public init(guessedFrom name: String) {
        self = ImportFormat(namedBy: name) ?? .ndjson
    }

    /// The format that a file name says by its ending; nil when it says none.
    public init?(namedBy name: String) {
        if name.hasSuffix(".csv") {
            self = .csv
        } else if ["Packages", "available", "status"].contains(where: { name.hasSuffix($0) })
            || name.hasSuffix(".deb822")
        {
            self = .deb822
        } else if [".ndjson", ".jsonl", ".json"].contains(where: { name.hasSuffix($0) }) {
            self = .ndjson
        } else {
            return nil
        }
    }
}

/// How a source is turned into documents.
public struct ImportOptions: Sendable {
    /// How the bytes are laid out.
    public var format: ImportFormat
    /// The keys that the index has declared: they decide the types of custom attributes.
    ///
    /// Take them from the index (`SearchableIndex.schema()`). Other types than its own would hold
    /// for some lines and not for others.
    public var schema: AttributeSchema
    /// CSV: column → attribute; see `ColumnMapping`.
    public var columns: [String: String]

    /// Makes options.
    public init(
        format: ImportFormat, schema: AttributeSchema = AttributeSchema(),
        columns: [String: String] = [:]
    ) {
        self.format = format
        self.schema = schema
        self.columns = columns
    }
}
