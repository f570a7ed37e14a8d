import FresnelKernels

// What the first bytes of a source say, whatever its name is: files are renamed, and a pipe has no
// name. Compressed ones are unpacked; of what cannot be read the user learns what it is, instead of
// as many refusals as it has line breaks.

/// The first bytes of a source.
struct SourceBeginning {
    /// As many as the longest mark has.
    static let byteCount = 16

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let utf16 = "text in UTF-16; save it as UTF-8, or: iconv -f UTF-16 -t UTF-8"
    /// How files begin that are no text, what they are, and what to do.
    private static let strangers: [(mark: [UInt8], advice: String)] = [
        ([0xFF, 0xFE, 0, 0], "text in UTF-32; save it as UTF-8"),
        ([0xFF, 0xFE], utf16), ([0xFE, 0xFF], utf16),
        (
            Array("PK\u{3}\u{4}".utf8),
            "a ZIP file; unpack it, or, where it is a workbook (.xlsx, .ods), save the sheet as CSV"
        ),
        (
            [0xD0, 0xCF, 0x11, 0xE0],
            "a workbook or document of old Office; save the sheet as CSV in UTF-8"
        ),
        (Array("SQLite format 3\0".utf8), "an SQLite database; export it: sqlite3 -csv -header"),
        (Array("PAR1".utf8), "a Parquet file; convert it to CSV or NDJSON, as DuckDB does"),
        (Array("BZh".utf8), "packed by bzip2; unpack it: bzip2 -dc FILE | fresnel index -"),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A], "packed by xz; unpack it: xz -dc FILE | fresnel index -"),
        ([0x04, 0x22, 0x4D, 0x18], "packed by lz4; unpack it: lz4 -dc FILE | fresnel index -"),
        ([0x37, 0x7A, 0xBC, 0xAF], "a 7-Zip file; unpack it"),
        (Array("Obj\u{1}".utf8), "an Avro file; convert it to NDJSON: avrocat, or DuckDB"),
        (Array("%PDF".utf8), "a PDF document; its text must be extracted first"),
    ]

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// How the source is compressed; nil for not at all, or in a way that is not read here.
    var form: StreamUnpacker.Form? {
        StreamUnpacker.Form.allCases.first { bytes.starts(with: $0.mark) }
    }

    /// The bytes of a mark that says UTF-8 and nothing else.
    var markCount: Int {
        bytes.starts(with: Self.byteOrderMark) ? Self.byteOrderMark.count : 0
    }

    /// What a page of the Web is, which a server may have sent instead of the file; nil otherwise.
    private var markup: String? {
        let text = bytes.drop { $0 == 0x20 || 9...13 ~= $0 }.map { $0 | 0x20 }
        if ["<!doctype", "<html"].contains(where: { text.starts(with: $0.utf8) }) {
            return "a page of HTML, perhaps an error of the server it came from"
        }
        guard text.starts(with: "<?xml".utf8) else { return nil }
        return "XML; convert it to CSV or NDJSON"
    }

    /// Refuses what is no text in UTF-8.
    func check(of name: String) throws(SearchError) {
        let stranger = Self.strangers.first { bytes.starts(with: $0.mark) }?.advice ?? markup
        // A text of letters and digits in UTF-16 without a mark has a zero in every second byte.
        let isWide =
            bytes.count >= 4 && (bytes[0] == 0) == (bytes[2] == 0)
            && (bytes[1] == 0) == (bytes[3] == 0) && (bytes[0] == 0) != (bytes[1] == 0)
        guard let advice = stranger ?? (isWide ? Self.utf16 : nil) else { return }
        throw SearchError(.invalidArgument, "\(name) is \(advice)")
    }
}
