extension JSONValue {
    /// The value as compact JSON text.
    ///
    /// Numbers have as few digits as reading the same double back needs; whole ones that 64 bits
    /// hold have all of theirs and no fraction. JSON has no infinities: a number that is not finite
    /// becomes `null`.
    ///
    /// - Parameter sortedKeys: whether keys stand in order of their bytes instead of as given.
    package func serialized(sortedKeys: Bool = false) -> String {
        String(decoding: bytes(sortedKeys: sortedKeys), as: UTF8.self)
    }

    /// The value as compact JSON text in UTF-8; see `serialized(sortedKeys:)`.
    package func bytes(sortedKeys: Bool = false) -> [UInt8] {
        var writer = Writer(sortsKeys: sortedKeys)
        writer.write(self)
        return writer.bytes
    }
}

/// Appends values as JSON text.
private struct Writer {
    let sortsKeys: Bool
    var bytes: [UInt8] = []

    init(sortsKeys: Bool) { self.sortsKeys = sortsKeys }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let truth): append(truth ? "true" : "false")
        case .integer(let number): append(String(number))
        case .number(let number): write(number)
        case .string(let text): write(text)
        case .array(let elements): write(elements)
        case .object(let members): write(members)
        }
    }

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func write(_ number: Double) {
        guard number.isFinite else { return append("null") }
        let isNegativeZero = number == 0 && number.sign == .minus
        guard !isNegativeZero, let whole = Int64(exactly: number) else {
            return append(number.description)
        }
        append(String(whole))
    }

    private mutating func write(_ elements: [JSONValue]) {
        bytes.append(UInt8(ascii: "["))
        for (position, element) in elements.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            write(element)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ members: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        if sortsKeys {
            let sorted = members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
            write(members: sorted)
        } else {
            write(members: members)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func write(members: some Sequence<(String, JSONValue)>) {
        var isFirst = true
        for (key, value) in members {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(key)
            bytes.append(UInt8(ascii: ":"))
            write(value)
        }
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if text.utf8.contains(where: Self.needsEscape) {
            for byte in text.utf8 { writeEscaped(byte) }
        } else {
            bytes.append(contentsOf: text.utf8)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func writeEscaped(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0A: append("\\n")
        case 0x0C: append("\\f")
        case 0x0D: append("\\r")
        case 0x00..<0x20:
            append(byte < 0x10 ? "\\u000" : "\\u00")
            append(String(byte, radix: 16))
        default: bytes.append(byte)
        }
    }
}
