// Programs write JSON in three ways: one object a line, one list of them, and objects over several
// lines one behind the other (`jq`). The last two are cut here into the objects, by their brackets
// and quotes alone; what is between them is left to who reads it.

/// Cuts JSON that is not one object a line into its objects.
struct JSONValueSplitter {
    /// The text of one value and where it begins.
    struct Piece {
        let bytes: [UInt8]
        let line: Int
        let column: Int
    }

    /// Where the list begins that is being read; nil between lists.
    private var list: (line: Int, column: Int)?
    /// Whether a value of the list was read and no comma behind it.
    private var needsComma = false
    /// Values that were read, with those that cannot be used.
    private(set) var count = 0

    /// The next value; nil at the end.
    mutating func next(
        from stream: inout ByteStream
    ) throws(SearchError) -> Result<Piece, ImportRefusal>? {
        while let byte = try stream.peek() {
            let (line, column) = (stream.line, stream.column)
            switch byte {
            case _ where Self.isSpace(byte): _ = try stream.next()
            case UInt8(ascii: ",") where list != nil && needsComma:
                _ = try stream.next()
                needsComma = false
            case UInt8(ascii: "[") where list == nil:
                _ = try stream.next()
                list = (line, column)
                needsComma = false
            case UInt8(ascii: "]") where list != nil:
                _ = try stream.next()
                list = nil
            case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
                _ = try stream.next()
                let mark = Character(Unicode.Scalar(byte))
                return refused(line, column, "not JSON: \"\(mark)\" where a document is due")
            case _ where list != nil && needsComma:
                needsComma = false
                return refused(line, column, "not JSON: a comma is missing in front of this value")
            default:
                needsComma = true
                return try value(line, column, &stream)
            }
        }
        guard let open = list else { return nil }
        list = nil
        return refused(
            open.line, open.column,
            "the list that begins here is not closed; the file may be cut short")
    }

    /// Reads one value to its end.
    private mutating func value(
        _ line: Int, _ column: Int, _ stream: inout ByteStream
    ) throws(SearchError) -> Result<Piece, ImportRefusal> {
        var bytes: [UInt8] = []
        var size = 0
        var depth = 0
        var isText = false
        while let byte = try stream.peek() {
            if !isText, depth == 0, size > 0, Self.endsScalar(byte) { break }
            _ = try stream.next()
            size += 1
            if size <= ImportLimits.entryBytes { bytes.append(byte) }
            if isText {
                if byte == UInt8(ascii: "\\"), let escaped = try stream.next() {
                    size += 1
                    if size <= ImportLimits.entryBytes { bytes.append(escaped) }
                }
                isText = byte != UInt8(ascii: "\"")
                guard isText || depth > 0 else { break }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: continue
            }
            if depth == 0, !isText { break }
        }
        guard size <= ImportLimits.entryBytes else {
            return refused(
                line, column, "the value has more than \(ImportLimits.entryBytes) bytes")
        }
        guard depth == 0, !isText else {
            return refused(line, column, "the file ends inside the value that begins here")
        }
        count += 1
        return .success(Piece(bytes: bytes, line: line, column: column))
    }

    private mutating func refused(
        _ line: Int, _ column: Int, _ reason: String
    ) -> Result<Piece, ImportRefusal> {
        count += 1
        return .failure(ImportRefusal(line: line, column: column, reason: reason))
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }

    private static func endsScalar(_ byte: UInt8) -> Bool {
        isSpace(byte) || ",[]{}".utf8.contains(byte)
    }
}

extension ByteStream {
    /// Whether what comes is JSON over lines of its own kind: a list, or objects of several lines.
    ///
    /// An object that its line does not close is one of several lines when the next line goes on
    /// with a key; where that begins an object, one line is cut short and the others are whole.
    mutating func hasJSONAcrossLines() throws(SearchError) -> Bool {
        while let byte = try peek(), byte == 0x20 || 9...13 ~= byte { _ = try next() }
        guard let first = try peek() else { return false }
        guard first == UInt8(ascii: "{") else { return first == UInt8(ascii: "[") }
        let line = try lookAhead(limit: ImportLimits.entryBytes)
        guard line.isLine, Self.isOpen(line.bytes) else { return false }
        var offset = line.bytes.count
        while offset < ImportLimits.entryBytes, let byte = try peek(at: offset) {
            guard byte == 0x20 || 9...13 ~= byte else { return byte != first }
            offset += 1
        }
        return false
    }

    /// Whether a line has more opening brackets than closing ones outside of texts.
    private static func isOpen(_ line: [UInt8]) -> Bool {
        var depth = 0
        var isText = false
        var isEscaped = false
        for byte in line {
            if isText {
                if !isEscaped, byte == UInt8(ascii: "\"") { isText = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
        return depth > 0 && !isText
    }
}
