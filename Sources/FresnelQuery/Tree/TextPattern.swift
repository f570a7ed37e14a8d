/// A string literal as a glob with its modifiers.
package struct TextPattern: Hashable, Sendable {
    /// One piece of a glob.
    package enum Piece: Hashable, Sendable {
        /// These characters, unescaped; never empty; neighbours are never both literals.
        case literal(String)
        /// `*`: any run, also empty; never two in a row.
        case anyRun
        /// `?`: exactly one character.
        case anyCharacter
    }

    /// The glob; empty for `""`, which never matches.
    package var pieces: [Piece]
    /// The modifiers c, d, w.
    package var modifiers: Modifiers

    package init(pieces: [Piece], modifiers: Modifiers) {
        self.pieces = pieces
        self.modifiers = modifiers
    }
}
