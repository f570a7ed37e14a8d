/// The number syntax of the query language: `[+-] digits [. digits] [e [+-] digits]`.
package enum NumberLiteral {
    /// Whether all of `text` is a number literal.
    package static func isNumber(_ text: String) -> Bool {
        var rest = Substring(text).utf8
        skip("+", or: "-", in: &rest)
        guard skipDigits(in: &rest) else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard skipDigits(in: &rest) else { return false }
        }
        if skip("e", or: "E", in: &rest) {
            skip("+", or: "-", in: &rest)
            guard skipDigits(in: &rest) else { return false }
        }
        return rest.isEmpty
    }

    /// The value of a number literal, or nil when `text` is none or is too large.
    package static func value(of text: String) -> Double? {
        guard isNumber(text), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The shortest literal that reads as `number`, whole numbers without a fraction.
    package static func text(of number: Double) -> String {
        guard let whole = Int64(exactly: number), abs(number) < 1e15 else { return "\(number)" }
        return "\(whole)"
    }

    @discardableResult
    private static func skip(
        _ first: Unicode.Scalar, or second: Unicode.Scalar, in rest: inout Substring.UTF8View
    ) -> Bool {
        guard rest.first == UInt8(ascii: first) || rest.first == UInt8(ascii: second) else {
            return false
        }
        rest.removeFirst()
        return true
    }

    private static func skipDigits(in rest: inout Substring.UTF8View) -> Bool {
        let before = rest.count
        rest = rest.drop { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return rest.count < before
    }
}
