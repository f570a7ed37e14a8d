/// The checked name of an index; it is also the name of a folder.
public struct IndexName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// 1...64 of `a-z`, `0-9`, `.`, `_`, `-`, starting with a letter or digit.
    public let text: String

    /// The index that is meant when none is named.
    public static let standard = IndexName(unchecked: "default")

    /// Makes a name.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` with the rule.
    public init(_ text: String) throws(SearchError) {
        guard Self.isValid(text) else {
            throw SearchError(.invalidArgument, "\"\(text)\" is not an index name").hinting(
                """
                use 1 to \(Limits.indexNameBytes) of a-z 0-9 . _ - and start with a letter \
                or digit
                """)
        }
        self.text = text
    }

    /// Whether a text is an index name.
    public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (1...Limits.indexNameBytes).contains(bytes.count) else { return false }
        guard let first = bytes.first, isLetterOrDigit(first) else { return false }
        return bytes.allSatisfy { isLetterOrDigit($0) || ".-_".utf8.contains($0) }
    }

    /// Names order as their bytes.
    public static func < (lhs: IndexName, rhs: IndexName) -> Bool {
        lhs.text.utf8.lexicographicallyPrecedes(rhs.text.utf8)
    }

    /// The name.
    public var description: String { text }

    private init(unchecked text: String) { self.text = text }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
