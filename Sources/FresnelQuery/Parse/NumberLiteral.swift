/// The number syntax of the query language: `[+-] digits [. digits] [e [+-] digits]`.
package enum NumberLiteral {
    /// Whether all of `text` is a number literal.
    package static func isNumber(_ text: String) -> Bool {
        var bytes = Bytes(text)
        bytes.skip("+", or: "-")
        guard bytes.skipDigits() else { return false }
        if bytes.skip(".", or: "."), !bytes.skipDigits() { return false }
        if bytes.skip("e", or: "E") {
            bytes.skip("+", or: "-")
            guard bytes.skipDigits() else { return false }
        }
        return bytes.next == nil
    }

    /// Whether a number literal can begin with a character.
    static func mayBegin(with scalar: Unicode.Scalar) -> Bool {
        scalar == "+" || scalar == "-" || ("0"..."9").contains(scalar)
    }

    /// The value of a number literal, or nil when `text` is none or is too large.
    package static func value(of text: String) -> Double? {
        guard isNumber(text), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The shortest literal that reads as `number`, whole numbers without a fraction.
    package static func text(of number: Double) -> String {
        guard let whole = Int64(exactly: number) else { return "\(number)" }
        return "\(whole)"
    }

    /// The bytes of a text, one after the other.
    private struct Bytes {
        private var rest: String.UTF8View.Iterator
        /// The byte that is looked at; nil at the end.
        private(set) var next: UInt8?

        init(_ text: String) {
            rest = text.utf8.makeIterator()
            next = rest.next()
        }

        @discardableResult
        mutating func skip(_ first: Unicode.Scalar, or second: Unicode.Scalar) -> Bool {
            guard next == UInt8(ascii: first) || next == UInt8(ascii: second) else { return false }
            next = rest.next()
            return true
        }

        /// Whether there was at least one.
        mutating func skipDigits() -> Bool {
            var isSkipped = false
            while let byte = next, 0x30...0x39 ~= byte {
                isSkipped = true
                next = rest.next()
            }
            return isSkipped
        }
    }
}
