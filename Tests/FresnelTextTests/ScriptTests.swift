import Testing

@testable import FresnelText

/// What `d` does to each script: the table of Documentation/query-language.md, and some more.
@Suite("Scripts without diacritics")
struct ScriptTests {
    @Test(
        "Scripts of South and South-East Asia: signs are letters, nuktas and recitation are not",
        arguments: [
            GlobRow("กิน", "cd", "กัน", false), GlobRow("กิน", "cd", "กิน", true),
            GlobRow("ขาว", "cd", "ข่าว", false), GlobRow("ข่า*", "cd", "ข่าว", true),
            GlobRow("กำ", "cd", "กา", false), GlobRow("ກິນ", "cd", "ກັນ", false),
            GlobRow("ទី", "cd", "ទិ", false), GlobRow("ကို", "cd", "ကု", false),
            GlobRow("दिन", "cd", "दान", false), GlobRow("दिन", "cd", "दिन", true),
            GlobRow("कमल", "cd", "कमाल", false), GlobRow("क्ष", "cd", "कष", false),
            GlobRow("फिल्म", "cd", "फ़िल्म", true), GlobRow("फिल्म", "c", "फ़िल्म", false),
            GlobRow("कि", "cd", "कि\u{951}", true), GlobRow("কে", "cd", "কো", false),
            GlobRow("কে*", "cd", "কোন", false), GlobRow("কে*", "c", "কোন", false),
            GlobRow("ক*", "cd", "কোন", true), GlobRow("கெ*", "cd", "கொடு", false),
            GlobRow("கல்", "cd", "கல", false), GlobRow("ක්", "cd", "ක", false),
        ])
    func southAsia(row: GlobRow) { #expect(row.glob.matches(row.value) == row.matches) }

    @Test(
        "Japanese and Korean: voicing and syllables are letters, widths are not",
        arguments: [
            GlobRow("か", "cd", "が", false), GlobRow("か*", "cd", "がく", false),
            GlobRow("か*", "c", "か\u{3099}く", false), GlobRow("が*", "cd", "か\u{3099}く", true),
            GlobRow("は", "cd", "ぱ", false), GlobRow("ば", "cd", "ぱ", false),
            GlobRow("ガ", "cd", "ｶﾞ", true), GlobRow("カ", "cd", "ｶﾞ", false),
            GlobRow("ｶ*", "c", "ｶﾞｸ", false), GlobRow("パン", "cd", "ﾊﾟﾝ", true),
            GlobRow("か", "cd", "カ", false), GlobRow("か?", "cd", "がき", false),
            GlobRow("か", "cd", "か\u{301}", true), GlobRow("ー", "cd", "-", false),
            GlobRow("한", "cd", "\u{1112}\u{1161}\u{11AB}", true), GlobRow("하", "cd", "한", false),
            GlobRow("하*", "cd", "하나", true), GlobRow("각", "cd", "갂", false),
            GlobRow("ㅎ", "d", "\u{1112}", true), GlobRow("ㅎ", "c", "\u{1112}", false),
        ])
    func eastAsia(row: GlobRow) { #expect(row.glob.matches(row.value) == row.matches) }

    @Test(
        "Hebrew and Arabic: points, harakat and hamza on a bearer go, letters stay",
        arguments: [
            GlobRow("שלום", "d", "שָׁלוֹם", true), GlobRow("שלום", "c", "שָׁלוֹם", false),
            GlobRow("שם", "cd", "שמ", false), GlobRow("צ'", "d", "צ׳", true),
            GlobRow("בית-ספר", "d", "בית־ספר", true), GlobRow("كتب", "d", "كَتَبَ", true),
            GlobRow("كتب", "c", "كَتَبَ", false), GlobRow("محمد", "d", "محمّد", true),
            GlobRow("كتاب", "d", "كـــتاب", true), GlobRow("كتاب", "c", "كـــتاب", false),
            GlobRow("احمد", "d", "أحمد", true), GlobRow("سوال", "d", "سؤال", true),
            GlobRow("مدرسه", "cd", "مدرسة", false), GlobRow("علي", "cd", "على", false),
            GlobRow("کتاب", "cd", "كتاب", false), GlobRow("میخواهم", "d", "می\u{200C}خواهم", true),
            GlobRow("3", "cd", "٣", false),
        ])
    func middleEast(row: GlobRow) { #expect(row.glob.matches(row.value) == row.matches) }

    @Test(
        "Latin, Greek and Cyrillic: accents go, letters of their own without an accent stay",
        arguments: [
            GlobRow("strasse", "c", "Straße", true), GlobRow("strasse", "d", "straße", false),
            GlobRow("STRASSE", "cd", "straße", true), GlobRow("ẞ", "c", "ß", true),
            GlobRow("Muller", "d", "Müller", true), GlobRow("Mueller", "cd", "Müller", false),
            GlobRow("istanbul", "cd", "İstanbul", true),
            GlobRow("istanbul", "c", "İstanbul", false),
            GlobRow("isik", "cd", "ışık", false), GlobRow("ışık", "cd", "IŞIK", false),
            GlobRow("tieng viet", "cd", "Tiếng Việt", true), GlobRow("da", "cd", "đa", false),
            GlobRow("lodz", "cd", "Łódź", false), GlobRow("łodz", "cd", "Łódź", true),
            GlobRow("smorrebrod", "cd", "smørrebrød", false),
            GlobRow("oeuvre", "cd", "œuvre", false),
            GlobRow("fish", "d", "ﬁsh", true), GlobRow("αθηνα", "cd", "Αθήνα", true),
            GlobRow("σισυφος", "cd", "ΣΊΣΥΦΟΣ", true), GlobRow("елка", "cd", "ёлка", true),
            GlobRow("мои", "cd", "мой", true), GlobRow("п'ять", "d", "п\u{2BC}ять", true),
            GlobRow("it's", "dw", "it’s", true), GlobRow("e-mail", "d", "e\u{2011}mail", true),
            GlobRow("cooperate", "cdw", "co\u{AD}operate", true),
        ])
    func europe(row: GlobRow) { #expect(row.glob.matches(row.value) == row.matches) }

    @Test(
        "In Turkish ı and i are two letters, and so are the capitals",
        arguments: [
            ("ışık", "IŞIK", true), ("isik", "IŞIK", false), ("istanbul", "İstanbul", true),
            ("istanbul", "Istanbul", false), ("seker", "şeker", false),
        ])
    func turkish(pattern: String, value: String, matches: Bool) {
        let glob = GlobPattern(text: pattern, modifiers: "cd", language: "tr")
        #expect(glob.matches(value) == matches)
    }

    /// An index decides by their bytes what such texts match.
    @Test("Of a text that is its own key every beginning that is its own key matches")
    func beginnings() throws {
        let letters = ["e", "ก", "か", "あ", "カ", "ア", "ｶ", "ｱ", "ক", "ে", "க", "ெ", "न", "ك", "ᄒ"]
        let signs: [UInt32] =
            LetterSignTable.ranges.flatMap { $0.first...$0.last } + [0x301, 0xFF9E, 0xFF9F]
        var count = 0
        var missed: [String] = []
        for letter in letters {
            for sign in signs.compactMap(Unicode.Scalar.init(_:)) {
                let text = letter + String(Character(sign)) + "x"
                guard foldedKey(of: text) == Array(text.utf8),
                    foldedKey(of: letter) == Array(letter.utf8)
                else { continue }
                count += 1
                for options in allFoldings {
                    let pieces: [GlobPiece] = [.literal(letter), .anyRun]
                    if GlobPattern(pieces: pieces, options: options).matches(text) { continue }
                    missed.append("\(letter) U+\(String(sign.value, radix: 16)) \(options)")
                }
            }
        }
        #expect(missed.isEmpty)
        #expect(count > 5000)
    }

    @Test(
        "A literal with stars that matches goes on matching when more is ignored", arguments: 1...12
    )
    func monotone(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var found = 0
        for _ in 0..<4000 {
            let count = Int.random(in: 2...5, using: &generator)
            let alphabet = Array(trickyCharacters.shuffled(using: &generator).prefix(count))
            let value = generator.text(from: alphabet, upTo: 5)
            let literal = generator.text(from: alphabet, upTo: 3)
            guard !literal.isEmpty else { continue }
            let shapes: [[GlobPiece]] = [
                [.literal(literal)], [.literal(literal), .anyRun],
                [.anyRun, .literal(literal), .anyRun],
            ]
            for pieces in shapes {
                for finer in [[], .caseInsensitive, .diacriticInsensitive] as [FoldingOptions]
                where GlobPattern(pieces: pieces, options: finer, wordBased: false).matches(value) {
                    found += 1
                    let coarse = GlobPattern(
                        pieces: pieces, options: bothFoldings, wordBased: false)
                    // A literal of which nothing is left matches nothing by itself.
                    let isNothing = foldedKey(of: literal).isEmpty
                    #expect(
                        coarse.matches(value) || isNothing,
                        "seed \(seed): \(pieces) \(finer) in \(value.unicodeScalars.map(\.value))")
                }
            }
        }
        #expect(found > 100)
    }
}
