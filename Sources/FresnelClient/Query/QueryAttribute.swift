import FresnelQuery

/// The left side of a condition: an attribute, or one of the two wildcards.
public struct QueryAttribute: Hashable, Sendable {
    let reference: AttributeReference

    /// One attribute by name; lets `.attribute("rating") >= 4` stand without a type before the dot.
    public static func attribute(_ name: AttributeName) -> QueryAttribute {
        QueryAttribute(reference: .named(name.text))
    }

    /// The attribute has a value.
    public var exists: Query { comparison(.exists) }

    /// Some value of the attribute matches.
    public func matches(_ match: TextMatch, _ options: TextOptions = []) -> Query {
        // A lone star asks for existence, whatever the modifiers say.
        guard match.pieces != [.anyRun] else { return exists }
        var modifiers = options.modifiers
        if match.isWordBased || isTextContent { modifiers.insert(.wordBased) }
        return comparison(.matches(TextPattern(pieces: match.pieces, modifiers: modifiers)))
    }

    /// Text content is always compared by words; the parser adds that, so the builder does too.
    private var isTextContent: Bool {
        guard case .named(let name) = reference else { return false }
        return AttributeTable.definition(named: name)?.isTextContent ?? false
    }

    func comparison(_ relation: Relation) -> Query {
        Query(.comparison(Comparison(attribute: reference, relation: relation)))
    }
}

extension Query {
    /// One attribute by name.
    public static func attribute(_ name: AttributeName) -> QueryAttribute {
        .attribute(name)
    }

    /// Every text that is searchable by default, without the text content (`*`).
    public static let anyAttribute = QueryAttribute(reference: .searchable)

    /// Every text that is searchable by default, and the text content (`**`).
    public static let anything = QueryAttribute(reference: .searchableAndContent)

    /// What a person typed into a search field: words in any order, the last may be unfinished.
    ///
    /// The same as `** == "typed text*"cdwt`: letters are compared without case and accents, each
    /// word may stand in another attribute, and an empty field finds every document with text.
    public static func everything(_ typed: String) -> Query {
        let pieces: [TextPattern.Piece] =
            typed.isEmpty ? [.anyRun] : [.literal(typed), .anyRun]
        let modifiers: Modifiers = [.caseInsensitive, .diacriticInsensitive, .wordBased]
        let parts = TextPattern.tokens(of: pieces).map { token in
            token == [.anyRun]
                ? Query.anything.exists
                : Query.anything.comparison(
                    .matches(TextPattern(pieces: token, modifiers: modifiers)))
        }
        return .allOf(parts)
    }
}
