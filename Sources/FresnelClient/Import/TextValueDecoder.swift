import FresnelQuery

/// Turns the text of a cell or field into an attribute value.
enum TextValueDecoder {
    /// The value; nil when it means "absent".
    ///
    /// Lists are cut at `;`.
    static func value(
        _ text: String, of name: String, as type: AttributeType
    ) throws(ValueRefusal) -> AttributeValue? {
        let value: AttributeValue
        switch type {
        case .string, .url: value = .string(text)
        case .strings: value = .strings(parts(of: text))
        case .number: value = .number(try number(text, of: name))
        case .numbers:
            var numbers: [Double] = []
            for part in parts(of: text) { numbers.append(try number(part, of: name)) }
            value = .numbers(numbers)
        case .boolean: value = .number(try truth(text, of: name))
        case .date: value = .date(try date(text, of: name))
        case .dates:
            var dates: [Timestamp] = []
            for part in parts(of: text) { dates.append(try date(part, of: name)) }
            value = .dates(dates)
        case .persons: value = .persons(parts(of: text).map { Person(displayName: $0) })
        case .bytes:
            guard let bytes = Base64.decode(text) else {
                throw ValueRefusal("\(name) takes bytes in Base64")
            }
            value = .bytes(bytes)
        case .byteStrings, .dictionary:
            throw ValueRefusal("\(name) takes a \(type), which a table cannot hold; use NDJSON")
        }
        return value.normalised(for: type)
    }

    static func number(_ text: String, of name: String) throws(ValueRefusal) -> Double {
        guard let number = NumberLiteral.value(of: trimmed(text)) else {
            throw ValueRefusal("\(name) is \"\(text)\", which is no number; write 6.50")
        }
        return number
    }

    /// ISO 8601, or seconds since 2001.
    static func date(_ text: String, of name: String) throws(ValueRefusal) -> Timestamp {
        let text = trimmed(text)
        if let date = Timestamp(iso8601: text) { return date }
        guard let date = NumberLiteral.value(of: text).flatMap({ Timestamp(seconds: $0) }) else {
            throw ValueRefusal(
                "\(name) is \"\(text)\", which is no date; write 2026-11-18T09:00:00Z")
        }
        return date
    }

    private static func truth(_ text: String, of name: String) throws(ValueRefusal) -> Double {
        switch trimmed(text) {
        case "1", "true": return 1
        case "0", "false": return 0
        default: throw ValueRefusal("\(name) is \"\(text)\"; write true, false, 1 or 0")
        }
    }

    /// The parts between semicolons, without blanks around them and without empty ones.
    private static func parts(of text: String) -> [String] {
        // By bytes: a mark behind a semicolon is one `Character` with it.
        text.utf8.split(separator: UInt8(ascii: ";")).map { trimmed(String(Substring($0))) }
            .filter { !$0.isEmpty }
    }

    /// The text without blanks at its ends.
    static func trimmed(_ text: String) -> String {
        var rest = Substring(text).drop { $0 == " " || $0 == "\t" }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return String(rest)
    }
}
