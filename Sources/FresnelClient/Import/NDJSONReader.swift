import FresnelJSON
import FresnelWire

// One JSON object a line (Documentation/client.md). A line that cannot be used is refused with its
// place; the next line is read as if nothing had happened.

/// Reads newline-delimited JSON.
final class NDJSONReader: EntryReader {
    private var stream: ByteStream
    private let decoder: JSONDocumentDecoder
    private var encoder = JSONPlainEncoder()

    init(_ source: ImportSource, schema: AttributeSchema) throws(SearchError) {
        stream = try ByteStream(source)
        decoder = JSONDocumentDecoder(schema: schema)
    }

    var linesConsumed: Int { stream.line - 1 }

    func next() throws(SearchError) -> ImportRecord? {
        switch try nextLine() {
        case .whole(let bytes, let line)?: record(bytes, line: line)
        case .tooLong(let refusal)?: .refused(refusal)
        case nil: nil
        }
    }

    func nextEntry(_ types: PlainTypes) throws(SearchError) -> ImportEntry? {
        switch try nextLine() {
        case .whole(let bytes, let line)?:
            if let document = encoder.document(bytes.span, types) {
                .plain(document, line: line)
            } else {
                .record(record(bytes, line: line))
            }
        case .tooLong(let refusal)?: .record(.refused(refusal))
        case nil: nil
        }
    }

    /// A line that says something.
    private enum Line {
        case whole([UInt8], line: Int)
        case tooLong(ImportRefusal)
    }

    private func nextLine() throws(SearchError) -> Line? {
        while let (bytes, line) = try stream.nextLine(limit: ImportLimits.entryBytes) {
            guard let bytes else {
                let reason = "the line has more than \(ImportLimits.entryBytes) bytes"
                return .tooLong(ImportRefusal(line: line, reason: reason))
            }
            // Blank lines separate nothing and say nothing.
            if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
                continue
            }
            return .whole(bytes, line: line)
        }
        return nil
    }

    private func record(_ bytes: [UInt8], line: Int) -> ImportRecord {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, maximumDepth: Limits.jsonDepth)
        } catch {
            return .refused(
                ImportRefusal(
                    line: line, column: error.position?.column ?? 1, reason: error.reason))
        }
        do throws(ValueRefusal) {
            return try decoder.record(value, line: line)
        } catch {
            let column = JSONKeyLocator.column(of: error.path, in: bytes)
            return .refused(ImportRefusal(line: line, column: column, reason: error.reason))
        }
    }
}

extension JSONError {
    /// What is wrong, without the place, which the refusal has.
    fileprivate var reason: String {
        switch self {
        case .malformed(let reason, _): "not JSON: \(reason)"
        case .tooDeep(let limit, _): "arrays and objects are nested more than \(limit) deep"
        case .equivalentKeys: description
        }
    }
}
