import FresnelModel
import FresnelQuery

/// Makes documents and patterns of few characters, so that they meet often.
struct HighlightGenerator {
    var chance: SeededChance
    private let letters: [String]

    /// Seven characters of these, chosen by the seed.
    private static let characters = [
        "a", "b", "A", "B", "s", "ß", "é", "e\u{301}", "e", "ﬁ", "f", "i", " ", " ", "-", "日", "本",
        "한", "\u{301}", "👨‍👩‍👧", "\u{200D}", "\r\n", "½", "…", "กำ", "ก", "\u{1112}\u{1161}",
        "กิ", "द", "ि", "か", "が", "\u{AD}", "\u{200B}", "\u{200C}", "’", "'", "ـ",
        "ক", "ে", "া", "ো", "\u{3099}", "ﾞ", "ｶ",
    ]

    init(seed: UInt64) {
        chance = SeededChance(seed: seed)
        letters = Array(Self.characters.shuffled(using: &chance).prefix(7)) + ["a", "B"]
    }

    mutating func text(upTo limit: Int) -> String {
        (0..<Int.random(in: 0...limit, using: &chance)).map { _ in chance.choose(letters) }.joined()
    }

    mutating func document() -> Document {
        var document = Document(uniqueIdentifier: "u" + text(upTo: 3))
        document.attributes = [
            "title": .string(text(upTo: 8)), "keywords": .strings(texts()),
            "textContent": .string(text(upTo: 12)),
            "authors": .persons([
                Person(displayName: text(upTo: 6), handles: texts()), Person(handles: texts()),
            ]),
            "displayName": .localized(
                LocalizedString(
                    defaultText: text(upTo: 5),
                    variants: ["de": text(upTo: 5), "fr": text(upTo: 5)])),
            "playCount": .number(Double(Int.random(in: 0...3, using: &chance))),
        ]
        return document
    }

    private mutating func texts() -> [String] {
        (0..<Int.random(in: 0...3, using: &chance)).map { _ in text(upTo: 6) }
    }

    /// A pattern that is not stars alone.
    mutating func pattern() -> TextPattern {
        var pieces: [TextPattern.Piece] = []
        for _ in 0..<Int.random(in: 1...4, using: &chance) {
            let piece: TextPattern.Piece =
                switch Int.random(in: 0..<6, using: &chance) {
                case 0, 1: .anyRun
                case 2: .anyCharacter
                default: .literal(chance.choose(letters) + text(upTo: 1))
                }
            switch (pieces.last, piece) {
            case (.literal, .literal), (.anyRun, .anyRun): continue
            default: pieces.append(piece)
            }
        }
        if pieces == [.anyRun] { pieces = [.literal("a")] }
        return TextPattern(
            pieces: pieces, modifiers: Modifiers(rawValue: UInt8.random(in: 0..<8, using: &chance)))
    }

    mutating func comparison() -> ResolvedComparison {
        let attribute: AttributeReference = chance.choose([
            .searchable, .searchableAndContent, .named("title"), .named("keywords"),
            .named("authors"), .named("displayName"), .named("textContent"), .named("playCount"),
            .named("uniqueIdentifier"),
        ])
        let number = Int.random(in: 0..<4, using: &chance) == 0 ? 2.0 : nil
        return ResolvedComparison(attribute: attribute, test: .text(pattern(), number: number))
    }

    mutating func expression(depth: Int) -> ResolvedExpression {
        let kind = depth == 0 ? 9 : Int.random(in: 0..<7, using: &chance)
        switch kind {
        case 0, 1: return .and(parts(depth: depth))
        case 2, 3: return .or(parts(depth: depth))
        case 4, 5: return .not(expression(depth: depth - 1))
        default:
            switch Int.random(in: 0..<8, using: &chance) {
            case 0: return .constant(Bool.random(using: &chance))
            default: return .comparison(comparison())
            }
        }
    }

    private mutating func parts(depth: Int) -> [ResolvedExpression] {
        (0..<Int.random(in: 2...3, using: &chance)).map { _ in expression(depth: depth - 1) }
    }
}
