import FresnelJSON
import FresnelWire

// One JSON object a line (Documentation/client.md), or a list of objects, or objects of several
// lines, which the beginning shows. What cannot be used is refused with its place; what follows is
// read as if nothing had happened.

/// Reads JSON: newline-delimited, or as programs write it.
final class NDJSONReader: EntryReader {
    private var stream: ByteStream
    private let decoder: JSONDocumentDecoder
    private var flatDecoder: JSONFlatDecoder
    private var encoder = JSONPlainEncoder()
    /// The keys that are mapped and were not seen yet.
    private var unseen: Set<String>
    private let hasMappings: Bool
    private var isBegun = false
    /// What the first refusal adds where the source does not begin as JSON does.
    private var advice: String?
    /// Cuts what is not one object a line; nil for lines.
    private var splitter: JSONValueSplitter?

    init(_ source: ImportSource, options: ImportOptions) throws(SearchError) {
        stream = try ByteStream(source)
        decoder = JSONDocumentDecoder(schema: options.schema, told: options.columns)
        flatDecoder = JSONFlatDecoder(options)
        hasMappings = !options.columns.isEmpty
        unseen = Set(options.columns.keys)
    }

    /// Several values may be on one line: they are counted where they are not lines.
    var linesConsumed: Int { splitter?.count ?? stream.line - 1 }

    var layout: String { splitter == nil ? "JSON, one document a line" : "JSON" }

    var columns: [ImportedColumn] { flatDecoder.columns }

    var missingColumns: [String] {
        unseen.subtracting(flatDecoder.seen).sorted()
    }

    func next() throws(SearchError) -> ImportRecord? {
        switch try nextPiece() {
        case .whole(let bytes, let place)?: entry(bytes, at: place).record
        case .refused(let refusal)?: .refused(refusal)
        case nil: nil
        }
    }

    func nextEntry(_ types: PlainTypes?) throws(SearchError) -> ImportEntry? {
        switch try nextPiece() {
        case .whole(let bytes, let place)?:
            if let types, !hasMappings, let document = encoder.document(bytes.span, types) {
                .plain(document, line: place.line)
            } else {
                entry(bytes, at: place)
            }
        case .refused(let refusal)?: .record(.refused(refusal))
        case nil: nil
        }
    }

    /// Where a piece begins.
    private struct Place {
        let line: Int
        let column: Int

        /// A place in the piece, as one in the source.
        func refusal(
            line innerLine: Int, column innerColumn: Int, _ reason: String
        ) -> ImportRefusal {
            ImportRefusal(
                line: line + innerLine - 1,
                column: innerLine == 1 ? column + innerColumn - 1 : innerColumn, reason: reason)
        }
    }

    /// A line or value that says something.
    private enum Piece {
        case whole([UInt8], Place)
        case refused(ImportRefusal)
    }

    private func nextPiece() throws(SearchError) -> Piece? {
        if !isBegun {
            isBegun = true
            if try stream.hasJSONAcrossLines() {
                splitter = JSONValueSplitter()
            } else if try stream.peek().map({ $0 != UInt8(ascii: "{") }) ?? false {
                advice = "; this is read as JSON: give --format csv where it is a table"
            }
        }
        guard splitter == nil else { return try nextValue() }
        while true {
            let column = stream.column
            guard let (bytes, line) = try stream.nextLine(limit: ImportLimits.entryBytes) else {
                return nil
            }
            guard let bytes else {
                let reason = "the line has more than \(ImportLimits.entryBytes) bytes"
                return .refused(ImportRefusal(line: line, reason: reason))
            }
            // Blank lines separate nothing and say nothing.
            if bytes.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) {
                continue
            }
            return .whole(bytes, Place(line: line, column: column))
        }
    }

    private func nextValue() throws(SearchError) -> Piece? {
        switch try splitter?.next(from: &stream) {
        case .success(let piece)?:
            .whole(piece.bytes, Place(line: piece.line, column: piece.column))
        case .failure(let refusal)?: .refused(refusal)
        case nil: nil
        }
    }

    private func entry(_ bytes: [UInt8], at place: Place) -> ImportEntry {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONValue(parsing: bytes, maximumDepth: Limits.jsonDepth)
        } catch {
            let (line, column) = (error.position?.line ?? 1, error.position?.column ?? 1)
            let reason = error.reason + (advice ?? "")
            advice = nil
            return .record(.refused(place.refusal(line: line, column: column, reason)))
        }
        do throws(ValueRefusal) {
            guard let object = value.object, JSONFlatDecoder.isFlat(object) else {
                if hasMappings, let keys = value.object?["attributes"]?.object {
                    unseen = unseen.filter { keys[$0] == nil }
                }
                return .record(try decoder.record(value, line: place.line))
            }
            return .flat(try flatDecoder.document(object), line: place.line)
        } catch {
            let (line, column) = JSONKeyLocator.place(of: error.path, in: bytes)
            return .record(.refused(place.refusal(line: line, column: column, error.reason)))
        }
    }
}

extension JSONError {
    /// What is wrong, without the place, which the refusal has.
    fileprivate var reason: String {
        switch self {
        case .malformed("end of file expected near ','", _):
            "not JSON: a comma behind the document; a list of documents begins with [ and ends "
                + "with ]"
        case .malformed(let reason, _): "not JSON: \(reason)"
        case .tooDeep(let limit, _): "arrays and objects are nested more than \(limit) deep"
        case .equivalentKeys: description
        }
    }
}
