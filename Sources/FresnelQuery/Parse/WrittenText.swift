import FresnelModel

/// A string literal or bareword as written.
struct WrittenText {
    private(set) var pieces: [TextPattern.Piece] = []
    let isQuoted: Bool
    /// Literal characters that are not in `pieces` yet; appending to the last piece would copy it.
    private var pending = String.UnicodeScalarView()

    init(isQuoted: Bool) { self.isQuoted = isQuoted }

    mutating func append(literal scalar: Unicode.Scalar) { pending.append(scalar) }

    /// Adds characters that are no wildcards.
    mutating func append(literal text: String) {
        if pending.isEmpty {
            pending = text.unicodeScalars
        } else {
            pending.append(contentsOf: text.unicodeScalars)
        }
    }

    /// Adds a scalar that was not escaped.
    mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "*":
            endLiteral()
            if pieces.last != .anyRun { pieces.append(.anyRun) }
        case "?":
            endLiteral()
            pieces.append(.anyCharacter)
        default:
            pending.append(scalar)
        }
    }

    /// Ends the literal characters; `pieces` is whole afterwards.
    mutating func endLiteral() {
        guard !pending.isEmpty else { return }
        let literal = TextPattern.Piece.literal(String(pending))
        // Mostly the only one, which is made room for at once.
        if pieces.isEmpty { pieces = [literal] } else { pieces.append(literal) }
        pending = String.UnicodeScalarView()
    }

    /// The text when it has no wildcards.
    var plain: String? {
        guard let first = pieces.first else { return "" }
        guard pieces.count == 1, case .literal(let text) = first else { return nil }
        return text
    }

    /// What it is, for an error message.
    var description: String {
        let text = QueryScanner.printable(QueryText.pattern(pieces))
        return isQuoted ? "the string \"\(text)\"" : "the text '\(text)'"
    }

    /// What to write instead where only numbers and dates are allowed.
    func hintForOrder(attribute: String?) -> String {
        if let plain {
            if ISO8601(plain) != nil { return "did you mean $time.iso(\(plain))" }
            if isQuoted, NumberLiteral.value(of: plain) != nil {
                return "did you mean \(plain), without quotes"
            }
            if let number = NumberLiteral.value(of: "0" + plain) {
                return "did you mean \(NumberLiteral.text(of: number))"
            }
        }
        guard let attribute else { return "text has no order and no ranges" }
        let text = QueryText.pattern(pieces)
        let star = text.hasSuffix("*") ? "" : "*"
        return "text has no order; did you mean \(attribute) == \"\(text)\(star)\""
    }
}
