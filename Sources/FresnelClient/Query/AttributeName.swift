/// The name of an attribute as the query language writes it.
public struct AttributeName: Hashable, Sendable {
    /// ASCII letters, digits and `_`, with `.` between them, not starting with a digit; canonical
    /// where it was an alias.
    public let text: String

    /// Checks a name that comes from outside the program.
    ///
    /// - Throws: `SearchError` of code `.invalidQuery` when it cannot be a name.
    public init(validating text: String) throws(SearchError) {
        guard Self.isName(text) else {
            throw SearchError(.invalidQuery, "\"\(text)\" cannot be the name of an attribute")
                .hinting(
                    """
                    a name has 1 to \(Limits.attributeNameBytes) ASCII letters, digits and _ \
                    and starts with no digit
                    """)
        }
        self.text = AttributeTable.definition(named: text)?.name ?? text
    }

    private static func isName(_ text: String) -> Bool {
        switch CustomAttributeKey.brokenRule(of: text) {
        case nil, .isNotKnown, .isNotReserved: true
        case .isNotEmpty, .isShortEnough, .hasOnlyLettersDigitsUnderscores, .startsWithoutDigit:
            false
        }
    }
}

extension AttributeName: ExpressibleByStringLiteral {
    /// A name written in the program; one that cannot be a name is a mistake in the program.
    public init(stringLiteral text: String) {
        precondition(Self.isName(text), "\"\(text)\" cannot be the name of an attribute")
        self.text = AttributeTable.definition(named: text)?.name ?? text
    }
}
