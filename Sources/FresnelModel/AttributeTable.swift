/// The attributes every index knows: the 190 public ones of `CSSearchableItemAttributeSet`.
///
/// Apple publishes neither which of them the wildcards cover nor how much each weighs. The rule
/// here: `*` covers texts written for people, no identifiers, addresses of files, numbers or dates;
/// `**` adds the text content. Weights follow what is known of ranking: titles are what people look
/// for, then other names, then keywords; text content is long and weighs least.
public enum AttributeTable {
    /// All definitions, grouped as Apple's headers group them.
    public static let all: [AttributeDefinition] =
        general + documents + events + media + music + images + places + messaging + actions

    /// The definition of an attribute by its name or one of its aliases; nil when unknown.
    public static func definition(named name: String) -> AttributeDefinition? {
        byName[name]
    }

    /// The definitions `*` covers.
    public static let searchableByDefault = all.filter(\.isSearchableByDefault)

    /// The definitions only `**` covers.
    public static let textContent = all.filter(\.isTextContent)

    /// Every name and alias; they are distinct (a test says so).
    private static let byName: [String: AttributeDefinition] = {
        var byName: [String: AttributeDefinition] = [:]
        for definition in all {
            byName[definition.name] = definition
            for alias in definition.aliases { byName[alias] = definition }
        }
        return byName
    }()
}

extension AttributeTable {
    /// Which wildcards cover a row.
    enum Coverage {
        /// None: the attribute must be named.
        case named
        /// `*` and `**`.
        case byDefault
        /// `**` only, and always word based.
        case textContent
    }

    /// One row of the table.
    static func row(
        _ name: String, _ type: AttributeType, _ coverage: Coverage = .named,
        weight: Double? = nil, length: Double = AttributeDefinition.ordinaryLength,
        aliases: [String] = []
    ) -> AttributeDefinition {
        let isContent = coverage == .textContent
        let textWeight =
            isContent ? AttributeDefinition.contentWeight : AttributeDefinition.ordinaryWeight
        return AttributeDefinition(
            name: name, aliases: aliases, valueType: type, isSearchable: true,
            isSearchableByDefault: coverage == .byDefault, isTextContent: isContent,
            isInterned: false, weight: weight ?? (type.isText || isContent ? textWeight : 0),
            referenceLength: length, isCustom: false)
    }
}
