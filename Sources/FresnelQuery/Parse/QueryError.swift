/// Why a query was refused and where: Core Spotlight's `invalidQuery`, with a position.
package struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The code of every such error in `CSSearchQueryErrorDomain`.
    package static let code = -2002

    /// UTF-8 offset in the query string of what is wrong; at most its length.
    package let offset: Int
    /// What would have been accepted there.
    package let expected: String
    /// What stands there instead.
    package let found: String
    /// What the author probably wants to write.
    package let hint: String?

    package init(offset: Int, expected: String, found: String, hint: String? = nil) {
        self.offset = offset
        self.expected = expected
        self.found = found
        self.hint = hint
    }

    /// The error on one line, without the query.
    package var description: String {
        let advice = hint.map { "; \($0)" } ?? ""
        return """
            invalid query (\(Self.code)) at offset \(offset): \
            expected \(expected), found \(found)\(advice)
            """
    }
}
