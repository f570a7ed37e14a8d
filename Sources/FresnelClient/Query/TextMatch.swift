import FresnelQuery

/// What a text must be like; every character stands for itself, also `*`, `?` and quotes.
public struct TextMatch: Hashable, Sendable {
    let pieces: [TextPattern.Piece]
    let isWordBased: Bool

    private init(_ pieces: [TextPattern.Piece], isWordBased: Bool = false) {
        self.pieces = pieces.filter { $0 != .literal("") }
        self.isWordBased = isWordBased
    }

    /// The whole value is this text; an empty text never matches.
    public static func exactly(_ text: String) -> TextMatch {
        TextMatch([.literal(text)])
    }

    /// The value begins with this text.
    public static func prefix(_ text: String) -> TextMatch {
        TextMatch([.literal(text), .anyRun])
    }

    /// The value ends with this text.
    public static func suffix(_ text: String) -> TextMatch {
        TextMatch([.anyRun, .literal(text)])
    }

    /// The text stands somewhere in the value.
    public static func contains(_ text: String) -> TextMatch {
        text.isEmpty ? TextMatch([.anyRun]) : TextMatch([.anyRun, .literal(text), .anyRun])
    }

    /// The text stands in the value as a word, or as a phrase when it has several.
    public static func word(_ text: String) -> TextMatch {
        TextMatch([.literal(text)], isWordBased: true)
    }

    /// Some word of the value begins with this text.
    public static func wordPrefix(_ text: String) -> TextMatch {
        TextMatch([.literal(text), .anyRun], isWordBased: true)
    }
}
