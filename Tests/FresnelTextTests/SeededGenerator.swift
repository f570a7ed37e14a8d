@testable import FresnelText

/// A small reproducible source of chance (SplitMix64), for tests that print their seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Up to `limit` members of `alphabet` in a row.
    mutating func text(from alphabet: [String], upTo limit: Int) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...limit, using: &self) {
            text += alphabet.randomElement(using: &self) ?? ""
        }
        return text
    }
}

/// Characters that between them meet every rule of folding, clusters and boundaries.
let trickyCharacters = [
    "a", "b", "s", "A", "B", "S", "I", "i", "ı", "İ", "e", "é", "e\u{301}", "\u{301}", "\u{323}",
    "ß", "ﬁ", "½", "…", " ", "-", "_", "7", "日", "本", "か", "が", "ก", "กี", "한", "\u{1112}",
    "\u{1161}", "\u{11AB}", "≠", "ö", "ŉ", "\u{345}", "ᾳ", "Ω", "\u{2126}", "ﾊ", "ﾞ", "\u{A0}", "😀",
    "ิ", "ั", "่", "ำ", "द", "ि", "ा", "्", "\u{93C}", "က", "ု", "\u{AD}", "\u{200B}", "\u{200C}",
    "\u{200D}", "\u{FEFF}", "ـ", "ب", "َ", "\u{2BC}", "’", "'", "´", "‐", "–", "\u{3164}",
    "\u{FE0F}", "\u{3099}", "ｶ", "カ", "ক", "ে", "া", "ো", "\u{9BC}", "\u{5F3}", "\u{2BB}",
]

/// The folded form of a value as text, for comparing.
func folded(
    _ value: String, _ options: FoldingOptions, language: String? = nil
) -> String {
    let text = FoldedText(value, folding: Folding(options, language: language))
    return String(decoding: text.utf8, as: UTF8.self)
}

let bothFoldings: FoldingOptions = [.caseInsensitive, .diacriticInsensitive]
let allFoldings: [FoldingOptions] = [
    [], .caseInsensitive, .diacriticInsensitive, bothFoldings,
]
