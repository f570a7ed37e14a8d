// Debian's package lists (`apt-cache dumpavail`, `Packages`): paragraphs of "Field: value" lines,
// separated by blank lines; a line that begins with a blank continues the field before it.

/// Reads paragraphs of fields as documents.
final class Deb822Reader: EntryReader {
    private var stream: ByteStream
    private var mapping: DebianPackage

    init(_ source: ImportSource, options: ImportOptions) throws(SearchError) {
        stream = try ByteStream(source)
        do throws(ValueRefusal) {
            mapping = try DebianPackage(options)
        } catch {
            throw SearchError(.invalidArgument, "\(source.name): \(error.reason)")
        }
    }

    var layout: String { "paragraphs of fields, as Debian's package lists have them" }

    /// Those that are mapped: the others have attributes of their own (`DebianPackage`).
    var columns: [ImportedColumn] { mapping.columns }

    var missingColumns: [String] { mapping.missingFields }

    var linesConsumed: Int { stream.line - 1 }

    func next() throws(SearchError) -> ImportRecord? {
        var paragraph: Deb822Paragraph?
        while let (bytes, line) = try stream.nextLine(limit: ImportLimits.entryBytes) {
            guard bytes.map({ !Self.isBlank($0) }) ?? true else {
                if paragraph != nil { break }
                continue
            }
            var current = paragraph ?? Deb822Paragraph(line: line)
            current.append(bytes, line: line)
            paragraph = current
        }
        guard let paragraph else { return nil }
        // A paragraph of comments alone is none.
        if paragraph.isEmpty { return try next() }
        if let refusal = paragraph.refusal { return .refused(refusal) }
        do throws(ImportRefusal) {
            return .document(try mapping.document(paragraph), line: paragraph.line)
        } catch {
            return .refused(error)
        }
    }

    private static func isBlank(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }
}
