import CJSON

/// The C library jansson, which reads JSON strictly and says where it failed.
///
/// Each call owns the tree it makes: it is converted to values and released before the return, so
/// no pointer outlives its function.
enum Jansson {
    /// Reads one value from a whole text that is not nested too deeply for recursion.
    static func value(parsing bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        try unsafe bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
            var error = json_error_t()
            let flags = JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL
            // An empty buffer may have no address, and then there is nothing to read.
            let start = unsafe UnsafeRawPointer(buffer.baseAddress)
            let text = unsafe start?.assumingMemoryBound(to: CChar.self)
            var tree = unsafe json_loadb(text, buffer.count, Int(flags), &error)
            if unsafe tree == nil, isOverflow(error) {
                // A whole number beyond 64 bits is a number like 1e20: all are read as doubles.
                let real = Int(flags | JSON_DECODE_INT_AS_REAL)
                unsafe tree = json_loadb(text, buffer.count, real, &error)
            }
            guard let tree = unsafe tree else {
                throw failure(error, count: buffer.count, in: bytes)
            }
            defer { unsafe json_decref(tree) }
            return try unsafe value(of: tree)
        }
    }

    /// Whether a number was too large for what it was read as.
    private static func isOverflow(_ error: json_error_t) -> Bool {
        // The last byte of the text holds the code.
        let code = unsafe withUnsafeBytes(of: error.text) { text in unsafe text.last ?? 0 }
        return UInt32(code) == json_error_numeric_overflow.rawValue
    }

    /// The value of a tree; the tree is well formed, because jansson made it.
    private static func value(
        of tree: UnsafeMutablePointer<json_t>
    ) throws(JSONError) -> JSONValue {
        switch unsafe tree.pointee.type {
        case JSON_OBJECT: try unsafe .object(members(of: tree))
        case JSON_ARRAY: try unsafe .array(elements(of: tree))
        case JSON_STRING: unsafe .string(text(json_string_value(tree), json_string_length(tree)))
        case JSON_INTEGER: unsafe .integer(Int64(json_integer_value(tree)))
        case JSON_REAL: unsafe .number(json_real_value(tree))
        case JSON_TRUE: .bool(true)
        case JSON_FALSE: .bool(false)
        default: .null
        }
    }

    private static func members(
        of tree: UnsafeMutablePointer<json_t>
    ) throws(JSONError) -> JSONObject {
        var object = JSONObject()
        var isASCII = true
        var iterator = unsafe json_object_iter(tree)
        while let current = unsafe iterator {
            let key = unsafe text(json_object_iter_key(current), json_object_iter_key_len(current))
            isASCII = isASCII && key.utf8.allSatisfy { $0 < 0x80 }
            // jansson compares bytes; here two spellings of one text are one key.
            guard isASCII || object[key] == nil else { throw .equivalentKeys(key) }
            if let member = unsafe json_object_iter_value(current) {
                try unsafe object.append(key, value(of: member))
            }
            unsafe iterator = json_object_iter_next(tree, current)
        }
        return object
    }

    private static func elements(
        of tree: UnsafeMutablePointer<json_t>
    ) throws(JSONError) -> [JSONValue] {
        let count = unsafe json_array_size(tree)
        var values: [JSONValue] = []
        values.reserveCapacity(count)
        for position in 0..<count {
            if let element = unsafe json_array_get(tree, position) {
                try unsafe values.append(value(of: element))
            }
        }
        return values
    }

    /// Copies a text that lives in the tree; jansson has checked that it is UTF-8.
    private static func text(_ start: UnsafePointer<CChar>?, _ count: Int) -> String {
        guard let start = unsafe start else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    private static func failure(
        _ error: json_error_t, count: Int, in bytes: Span<UInt8>
    ) -> JSONError {
        let reason = unsafe withUnsafeBytes(of: error.text) { text in
            // The last byte holds jansson's error code.
            unsafe String(decoding: text.dropLast().prefix { $0 != 0 }, as: UTF8.self)
        }
        let offset = min(max(0, Int(error.position)), count)
        return .malformed(reason: reason, at: JSONError.Position(of: offset, in: bytes))
    }
}
