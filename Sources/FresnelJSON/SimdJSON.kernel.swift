import CSimdJSON

/// The C++ library simdjson, which reads JSON as fast as memory gives it.
///
/// It only ever accepts: what it cannot read, and what is valid JSON but refused here, is read
/// again by jansson, which says what is wrong and where. Where both accept a text, they agree on it
/// (a test compares them).
enum SimdJSON {
    /// Reads one value from a whole text; nil where jansson has to decide.
    static func value(parsing bytes: Span<UInt8>, maximumDepth: Int) -> JSONValue? {
        // Newer versions of it pass over a byte order mark, which is no JSON.
        guard bytes.count > 0, bytes[0] != 0xEF else { return nil }
        // The tape is the thread's, and this function stays on its thread until all is copied.
        defer { json_parser_rest() }
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            var tape = unsafe json_tape()
            guard unsafe json_parser_read(buffer.baseAddress, buffer.count, &tape) else {
                return nil
            }
            var reader = unsafe TapeReader(tape, maximumDepth: maximumDepth)
            return unsafe reader.value(depth: 0)
        }
    }
}

/// Walks over a tape of simdjson (its doc/tape.md), which is well formed, because simdjson made it.
@unsafe
private struct TapeReader {
    private let words: UnsafeBufferPointer<UInt64>
    private let texts: UnsafePointer<UInt8>
    private let maximumDepth: Int
    /// The first word is the root.
    private var place = 1

    init(_ tape: json_tape, maximumDepth: Int) {
        unsafe words = UnsafeBufferPointer(start: tape.tape, count: tape.tape_count)
        unsafe texts = tape.texts
        unsafe self.maximumDepth = maximumDepth
    }

    /// The value at the place, which moves behind it; nil where jansson has to decide.
    ///
    /// - Parameter depth: the arrays and objects around it.
    mutating func value(depth: Int) -> JSONValue? {
        let word = unsafe next()
        switch UInt8(truncatingIfNeeded: word >> 56) {
        case UInt8(ascii: "{"): return unsafe object(through: word, depth: depth + 1)
        case UInt8(ascii: "["): return unsafe array(through: word, depth: depth + 1)
        case UInt8(ascii: "\""): return unsafe .string(text(word))
        case UInt8(ascii: "l"): return unsafe .integer(Int64(bitPattern: next()))
        case UInt8(ascii: "d"): return unsafe .number(Double(bitPattern: next()))
        case UInt8(ascii: "t"): return .bool(true)
        case UInt8(ascii: "f"): return .bool(false)
        case UInt8(ascii: "n"): return .null
        // A whole number beyond 64 bits with sign is refused.
        default: return nil
        }
    }

    private mutating func object(through word: UInt64, depth: Int) -> JSONValue? {
        guard unsafe depth <= maximumDepth else { return nil }
        var object = JSONObject()
        let end = unsafe Self.end(word)
        while unsafe place < end {
            let key = unsafe text(next())
            // A repeated key, also in another spelling, and one with NUL are refused.
            guard object[key] == nil, !key.utf8.contains(0),
                let member = unsafe value(depth: depth)
            else { return nil }
            object.append(key, member)
        }
        unsafe place = end + 1
        return .object(object)
    }

    private mutating func array(through word: UInt64, depth: Int) -> JSONValue? {
        guard unsafe depth <= maximumDepth else { return nil }
        var values: [JSONValue] = []
        let end = unsafe Self.end(word)
        while unsafe place < end {
            guard let element = unsafe value(depth: depth) else { return nil }
            values.append(element)
        }
        unsafe place = end + 1
        return .array(values)
    }

    /// The place of the word that ends an array or object: the one before that behind it.
    private static func end(_ word: UInt64) -> Int {
        Int(UInt32(truncatingIfNeeded: word)) - 1
    }

    private mutating func next() -> UInt64 {
        defer { unsafe place += 1 }
        return unsafe words[place]
    }

    /// The text of a word: four bytes of length, and as many of UTF-8, which simdjson has checked.
    private func text(_ word: UInt64) -> String {
        let start = unsafe UnsafeRawPointer(texts) + Int(word & 0x00FF_FFFF_FFFF_FFFF)
        let count = unsafe Int(start.loadUnaligned(as: UInt32.self))
        let bytes = unsafe UnsafeRawBufferPointer(start: start + 4, count: count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }
}
