/// One key of a sorted answer; ties of all keys break by `uniqueIdentifier`.
public struct SortKey: Hashable, Sendable {
    /// What documents are ordered by.
    public enum Field: Hashable, Sendable {
        /// The score.
        case relevance
        /// The value of an attribute, under its canonical name; documents without it come last.
        case attribute(String)
    }

    /// What documents are ordered by.
    public var field: Field
    /// Whether small values come first.
    public var isAscending: Bool

    /// Makes a key.
    public init(_ field: Field, isAscending: Bool) {
        self.field = field
        self.isAscending = isAscending
    }

    /// Best first, the order of an answer that names none.
    public static let relevance = SortKey(.relevance, isAscending: false)
}

extension SortKey {
    /// Reads one key: `title`, `-rating`, `+relevance`.
    ///
    /// `-` means descending, `+` ascending; without a sign attributes ascend and relevance
    /// descends. Aliases become canonical names.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` when no name follows the sign.
    public init(parsing text: some StringProtocol) throws(SearchError) {
        let sign = text.first.flatMap { "+-".contains($0) ? $0 : nil }
        let name = String(sign == nil ? text[...] : text.dropFirst())
        guard Self.isName(name) else {
            throw SearchError(.invalidArgument, "\"\(text)\" is not a sort key").hinting(
                "write an attribute or relevance, with - before it to descend")
        }
        let isRelevance = name == "relevance"
        let canonical = AttributeTable.definition(named: name)?.name ?? name
        field = isRelevance ? .relevance : .attribute(canonical)
        isAscending = sign.map { $0 == "+" } ?? !isRelevance
    }

    /// Reads a list of keys separated by commas: `title,-rating`; a blank text is an empty list.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` naming the key that is wrong.
    public static func list(parsing text: String) throws(SearchError) -> [SortKey] {
        if text.utf8.allSatisfy({ $0 == UInt8(ascii: " ") }) { return [] }
        var keys: [SortKey] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            keys.append(try SortKey(parsing: trimmed(part)))
        }
        return keys
    }

    static func isName(_ name: String) -> Bool {
        switch CustomAttributeKey.brokenRule(of: name) {
        case nil, .isNotKnown, .isNotReserved: true
        case .isNotEmpty, .isShortEnough, .hasOnlyLettersDigitsUnderscores, .startsWithoutDigit:
            false
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }
}

extension SortKey: CustomStringConvertible {
    /// The key as it is written in a list.
    public var description: String {
        switch field {
        case .relevance: isAscending ? "+relevance" : "relevance"
        case .attribute(let name): isAscending ? name : "-\(name)"
        }
    }
}
