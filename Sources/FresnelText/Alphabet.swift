/// The letters with marks that a language counts as letters of their own.
///
/// Diacritic folding keeps the mark of such a letter, so that a Swedish query tells `ö` from `o`.
/// German has no entry on purpose: `Müller` and `Muller` are taken for the same name there.
/// Letters that do not decompose (`æ`, `ø`, `ß`) are never folded and need no protection.
package enum Alphabet: UInt8, Hashable, Sendable {
    /// No language, or one without protected letters.
    case neutral
    /// Swedish and Finnish: å ä ö.
    case swedish
    /// Danish and Norwegian: å.
    case danish
    /// Spanish and Galician: ñ.
    case spanish
    /// Turkish and Azerbaijani: ç ğ ö ş ü, and dotted İ i apart from dotless I ı.
    case turkish

    /// The alphabet of a BCP 47 tag; only its first part counts, in any case.
    package init(language: String?) {
        let first = language?.lowercased().split { $0 == "-" || $0 == "_" }.first
        self =
            switch first.map(String.init) {
            case "sv", "fi": .swedish
            case "da", "nb", "nn", "no": .danish
            case "es", "gl": .spanish
            case "tr", "az": .turkish
            default: .neutral
            }
    }

    /// Whether folding keeps `mark` behind `base`, both decomposed; the base in either case.
    func protects(_ base: UInt32, _ mark: UInt32) -> Bool {
        let letter = base < 0x80 ? base | 0x20 : base
        return switch self {
        case .neutral: false
        case .swedish: Self.isSwedish(letter, mark)
        case .danish: letter == 0x61 && mark == 0x30A
        case .spanish: letter == 0x6E && mark == 0x303
        case .turkish: Self.isTurkish(letter, mark)
        }
    }

    private static func isSwedish(_ letter: UInt32, _ mark: UInt32) -> Bool {
        switch (letter, mark) {
        case (0x61, 0x30A), (0x61, 0x308), (0x6F, 0x308): true  // å ä ö
        default: false
        }
    }

    private static func isTurkish(_ letter: UInt32, _ mark: UInt32) -> Bool {
        switch (letter, mark) {
        case (0x63, 0x327), (0x67, 0x306), (0x69, 0x307): true  // ç ğ İ
        case (0x6F, 0x308), (0x73, 0x327), (0x75, 0x308): true  // ö ş ü
        default: false
        }
    }
}
