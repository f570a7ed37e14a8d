import FresnelModel

/// Words that were typed where a query belongs, as into the box of a search engine.
///
/// The language has no words of its own, so every one of them is an error; its hint is the query
/// that finds them.
struct PlainWords {
    private let words: String
    private let areQuoted: Bool

    /// Longer texts are no words that somebody typed.
    private static let mostBytes = 256

    /// The words of a text that is nothing else: no operator, parenthesis or quoted part.
    ///
    /// - Returns: nil of all other texts.
    init?(_ text: String) {
        guard text.utf8.count <= Self.mostBytes else { return nil }
        var trimmed = text[...]
        while trimmed.first?.isWhitespace == true { trimmed.removeFirst() }
        while trimmed.last?.isWhitespace == true { trimmed.removeLast() }
        if let quote = trimmed.first, "\"'“”‘’".contains(quote), trimmed.count > 2,
            let last = trimmed.last, "\"'“”‘’".contains(last)
        {
            trimmed = trimmed.dropFirst().dropLast()
            areQuoted = true
        } else {
            areQuoted = false
        }
        guard
            trimmed.unicodeScalars.contains(where: \.properties.isAlphabetic)
                || trimmed.contains(where: \.isNumber),
            !trimmed.unicodeScalars.contains(where: Self.isSyntax)
        else { return nil }
        words = String(trimmed)
    }

    /// The query that finds them, where the text is not the beginning of a comparison.
    func hint(schema: AttributeSchema) -> String? {
        let parts = words.split(whereSeparator: \.isWhitespace)
        guard let first = parts.first, areQuoted || !isKnown(first, schema) else { return nil }
        let query = "** == \"\(parts.joined(separator: " "))\"cdw"
        guard parts.count > 1 else { return "to find the word write \(query)" }
        return "to find the words in this order write \(query); in any order, \(query)t"
    }

    private func isKnown(_ word: Substring, _ schema: AttributeSchema) -> Bool {
        !AttributeMeaning(String(word), schema: schema).isUnknown
    }

    /// What makes a text something else than words: the signs of the language.
    private static func isSyntax(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "=", "<", ">", "!", "~", "(", ")", "[", "]", "{", "}", "&", "|", "\"", "\\", "$",
            "“", "”":
            true
        default: scalar.properties.generalCategory == .control
        }
    }
}
