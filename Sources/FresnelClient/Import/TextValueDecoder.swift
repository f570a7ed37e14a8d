import FresnelQuery

/// Turns the text of a cell or field into an attribute value.
struct TextValueDecoder {
    /// Whether numbers are written `1.234,50` instead of `1234.50`.
    var hasDecimalCommas = false

    /// The value; nil when it means "absent".
    ///
    /// Lists are cut at `;`.
    func value(
        _ text: String, of name: String, as type: AttributeType
    ) throws(ValueRefusal) -> AttributeValue? {
        let value: AttributeValue
        switch type {
        case .string, .url: value = .string(text)
        case .strings: value = .strings(Self.parts(of: text))
        case .number: value = .number(try number(text, of: name))
        case .numbers:
            var numbers: [Double] = []
            for part in Self.parts(of: text) { numbers.append(try number(part, of: name)) }
            value = .numbers(numbers)
        // What is true or false makes its key a Boolean one, should it be the first to have it.
        case .boolean: return try truth(text, of: name)
        case .date: value = .date(try Self.date(text, of: name))
        case .dates:
            var dates: [Timestamp] = []
            for part in Self.parts(of: text) { dates.append(try Self.date(part, of: name)) }
            value = .dates(dates)
        case .persons: value = .persons(Self.parts(of: text).map { Person(displayName: $0) })
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

    func number(_ text: String, of name: String) throws(ValueRefusal) -> Double {
        let trimmed = Self.trimmed(text)
        let written = hasDecimalCommas ? Self.withPeriod(trimmed) : trimmed
        if let number = written.flatMap({ NumberLiteral.value(of: $0) }) { return number }
        guard !hasDecimalCommas else {
            throw ValueRefusal(
                "\(name) is \"\(text)\", which is no number with a decimal comma; write 1.234,50 "
                    + "or 1234,50")
        }
        let advice =
            Self.withPeriod(trimmed).map { NumberLiteral.value(of: $0) != nil } ?? false
            ? "write 6.50, or give --decimal-comma where all numbers are written so" : "write 6.50"
        throw ValueRefusal("\(name) is \"\(text)\", which is no number; \(advice)")
    }

    /// A number with a decimal comma as one with a period; nil where its periods do not group
    /// three digits each in front of the comma.
    private static func withPeriod(_ text: String) -> String? {
        let halves = text.utf8.split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard halves.count <= 2, let whole = halves.first else { return nil }
        let groups = whole.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isSigned = "+-".utf8.contains(whole.first ?? 0)
        let leading = (groups.first?.count ?? 0) - (isSigned ? 1 : 0)
        guard groups.count == 1 || 1...3 ~= leading,
            groups.dropFirst().allSatisfy({ $0.count == 3 })
        else { return nil }
        let digits = groups.map { String(Substring($0)) }.joined()
        guard halves.count == 2 else { return digits }
        return digits + "." + String(Substring(halves[1]))
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

    /// True, false, 1 or 0; a key of the index takes other numbers, too.
    private func truth(_ text: String, of name: String) throws(ValueRefusal) -> AttributeValue {
        switch Self.trimmed(text) {
        case "1", "true": return .boolean(true)
        case "0", "false": return .boolean(false)
        default:
            let isKey = AttributeTable.definition(named: name) == nil
            // Why it is no number does not matter where true or false was expected.
            guard isKey, let number = try? number(text, of: name) else {
                throw ValueRefusal("\(name) is \"\(text)\"; write true, false, 1 or 0")
            }
            return .number(number + 0)
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
