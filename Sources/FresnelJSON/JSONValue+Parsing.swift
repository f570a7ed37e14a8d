extension JSONValue {
    /// Nested arrays and objects accepted unless the caller says otherwise.
    package static let defaultDepth = 64

    /// Reads one value from a whole text.
    ///
    /// Repeated keys, keys with the character NUL, bytes that are not UTF-8, numbers beyond a
    /// double and anything after the value are refused.
    ///
    /// - Throws: `JSONError` with the position.
    package init(
        parsing bytes: Span<UInt8>, maximumDepth: Int = defaultDepth
    ) throws(JSONError) {
        guard !bytes.isEmpty else {
            let start = JSONError.Position(line: 1, column: 1, offset: 0)
            throw .malformed(reason: "the text is empty", at: start)
        }
        if let value = SimdJSON.value(parsing: bytes, maximumDepth: maximumDepth) {
            self = value
            return
        }
        try Self.checkDepth(of: bytes, atMost: maximumDepth)
        self = try Jansson.value(parsing: bytes)
    }

    /// Reads one value from a whole text, given as UTF-8.
    ///
    /// - Throws: `JSONError` with the position.
    package init(
        parsing bytes: [UInt8], maximumDepth: Int = defaultDepth
    ) throws(JSONError) {
        try self.init(parsing: bytes.span, maximumDepth: maximumDepth)
    }

    /// Reads one value from a whole text.
    ///
    /// - Throws: `JSONError` with the position.
    package init(
        parsing text: String, maximumDepth: Int = defaultDepth
    ) throws(JSONError) {
        try self.init(parsing: text.utf8.span, maximumDepth: maximumDepth)
    }

    /// Refuses text that is nested too deeply, before any recursion sees it.
    ///
    /// Counts brackets outside of strings; what else is wrong is for the parser to say.
    private static func checkDepth(
        of bytes: Span<UInt8>, atMost limit: Int
    ) throws(JSONError) {
        var depth = 0
        var isInString = false
        var isEscaped = false
        for index in bytes.indices {
            let byte = bytes[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            guard depth <= limit else {
                throw .tooDeep(limit: limit, at: JSONError.Position(of: index, in: bytes))
            }
        }
    }
}

extension JSONError.Position {
    /// The place of a byte in a text.
    init(of offset: Int, in bytes: Span<UInt8>) {
        var line = 1
        var column = 1
        for index in 0..<min(offset, bytes.count) {
            if bytes[index] == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if bytes[index] & 0xC0 != 0x80 {
                // Continuation bytes belong to the character before them.
                column += 1
            }
        }
        self.init(line: line, column: column, offset: offset)
    }
}
