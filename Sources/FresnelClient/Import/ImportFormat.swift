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

    /// The format that a file name says by its ending, in front of `.gz` or `.zst`; nil when it
    /// says none.
    public init?(namedBy name: String) {
        let name = Self.unpackedName(name)
        if [".csv", ".tsv", ".CSV", ".TSV"].contains(where: { name.hasSuffix($0) }) {
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

    /// A file's name without the ending that says how it is compressed.
    private static func unpackedName(_ name: String) -> String {
        let ending = [".gz", ".zst"].first { name.hasSuffix($0) }
        return String(name.dropLast(ending?.count ?? 0))
    }
}

/// What separates the cells of a table: an ASCII character, none of letters, digits, quotes and
/// ends of lines.
public struct CellDelimiter: Hashable, Sendable {
    let byte: UInt8

    /// - Returns: nil for any other text than one such character or its name: `tab`, `comma`,
    ///   `semicolon`, `pipe`, `\t`.
    public init?(_ text: String) {
        let names = ["tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|"]
        let bytes = Array((names[text] ?? text).utf8)
        let isWord = { (byte: UInt8) in
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
        }
        guard bytes.count == 1, let byte = bytes.first, byte == UInt8(ascii: "\t") || byte >= 0x20,
            byte < 0x7F, byte != UInt8(ascii: "\""), !isWord(byte)
        else { return nil }
        self.byte = byte
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
    /// Column, key or field → attribute; see `ColumnMapping`.
    public var columns: [String: String]
    /// CSV: what separates cells; nil to find it in the header row (comma, semicolon, tab
    /// or `|`).
    public var delimiter: CellDelimiter?
    /// CSV: whether numbers are written `1.234,50` instead of `1234.50`.
    public var hasDecimalCommas: Bool

    /// Makes options.
    public init(
        format: ImportFormat, schema: AttributeSchema = AttributeSchema(),
        columns: [String: String] = [:], delimiter: CellDelimiter? = nil,
        hasDecimalCommas: Bool = false
    ) {
        self.format = format
        self.schema = schema
        self.columns = columns
        self.delimiter = delimiter
        self.hasDecimalCommas = hasDecimalCommas
    }
}
