/// How many columns of a terminal a text takes.
enum DisplayWidth {
    /// The columns of a text: 2 for East Asian wide characters and pictures, 1 for others.
    static func columns(of text: some StringProtocol) -> Int {
        text.reduce(0) { $0 + columns(of: $1) }
    }

    /// The text cut or filled to exactly so many columns; `…` shows that something is missing.
    static func fit(_ text: String, to width: Int) -> String {
        let columns = columns(of: text)
        if columns <= width { return text + String(repeating: " ", count: width - columns) }
        var kept = ""
        var used = 0
        for character in text {
            let next = self.columns(of: character)
            if used + next > width - 1 { break }
            kept.append(character)
            used += next
        }
        return kept + "…" + String(repeating: " ", count: max(0, width - used - 1))
    }

    private static func columns(of character: Character) -> Int {
        guard let scalar = character.unicodeScalars.first else { return 0 }
        return isWide(scalar) || scalar.properties.isEmojiPresentation ? 2 : 1
    }

    /// The blocks that Unicode's annex 11 calls wide, roughly.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
