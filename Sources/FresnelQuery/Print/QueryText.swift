/// Puts text into query strings so that it cannot act as syntax.
package enum QueryText {
    /// `text` with a backslash before every character that means something inside quotes.
    ///
    /// The result stands for exactly `text` between either kind of quote: `\`, `"`, `'`, `*` and
    /// `?` become literal.
    package static func escaped(_ text: String) -> String {
        escaped(text, escaping: ["\\", "\"", "'", "*", "?"])
    }

    /// `text` as a whole string literal in double quotes.
    package static func quoted(_ text: String) -> String {
        "\"\(escaped(text, escaping: ["\\", "\"", "*", "?"]))\""
    }

    /// The query for what a person typed into a search field.
    ///
    /// Every word must occur somewhere, in any order, without regard to case and accents; the last
    /// may be the beginning of a word. Empty text finds everything that has a text at all.
    package static func typed(_ text: String) -> String {
        "** == \"\(escaped(text, escaping: ["\\", "\"", "*", "?"]))*\"cdwt"
    }

    /// A glob as it stands between double quotes.
    package static func pattern(_ pieces: [TextPattern.Piece]) -> String {
        var pattern = ""
        for piece in pieces {
            switch piece {
            case .literal(let text): pattern += escaped(text, escaping: ["\\", "\"", "*", "?"])
            case .anyRun: pattern += "*"
            case .anyCharacter: pattern += "?"
            }
        }
        return pattern
    }

    /// Works by scalar, as the parser does: a mark after `*` makes another character of it.
    private static func escaped(_ text: String, escaping special: Set<Unicode.Scalar>) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if special.contains(scalar) { result.append("\\") }
            result.append(scalar)
        }
        return String(result)
    }
}
