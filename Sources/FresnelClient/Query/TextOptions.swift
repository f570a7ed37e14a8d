import FresnelQuery

/// How letters are compared; exact unless an option says otherwise.
public struct TextOptions: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Large and small letters are the same (`c`).
    public static let caseInsensitive = TextOptions(rawValue: 1)
    /// Letters with and without accents are the same (`d`).
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
    /// Both, as people expect of a search field.
    public static let folded: TextOptions = [.caseInsensitive, .diacriticInsensitive]

    var modifiers: Modifiers {
        var modifiers: Modifiers = []
        if contains(.caseInsensitive) { modifiers.insert(.caseInsensitive) }
        if contains(.diacriticInsensitive) { modifiers.insert(.diacriticInsensitive) }
        return modifiers
    }
}
