import Testing

@testable import FresnelText

@Suite("Folding")
struct FoldingTests {
    @Test(
        "Case folding is full and leaves accents alone",
        arguments: [
            ("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ǅ", "ǆ"), ("ﬁ", "FI"),
            ("\u{212A}elvin", "kelvin"), ("Ⅷ", "ⅷ"), ("ᾼ", "ᾳ"), ("İ", "i\u{307}"),
        ])
    func caseFolding(left: String, right: String) {
        #expect(folded(left, .caseInsensitive) == folded(right, .caseInsensitive))
        #expect(folded(left, []) != folded(right, []))
    }

    @Test(
        "Diacritic folding drops marks and compatibility forms and leaves case alone",
        arguments: [
            ("Frédéric", "Frederic"), ("Crème Brûlée", "Creme Brulee"), ("ｗｉｄｅ", "wide"),
            ("カ\u{301}", "カ"), ("ﾊ", "ハ"), ("ệ", "e"), ("x²", "x2"), ("ᾠδή", "ωδη"), ("ß", "ß"),
            ("ø", "ø"), ("\u{301}", ""),
        ])
    func diacriticFolding(left: String, right: String) {
        #expect(folded(left, .diacriticInsensitive) == right)
    }

    @Test(
        "Vowels, viramas, tones and voicing marks are letters, and stay without diacritics",
        arguments: [
            ("กิน", "กัน"), ("ขาว", "ข่าว"), ("ມື", "ມີ"), ("ទី", "ទិ"), ("ကို", "ကု"), ("दिन", "दान"),
            ("कमल", "कमाल"), ("ক্ষ", "কষ"), ("கல்", "கல"), ("తెలుగు", "తలగ"), ("සිංහල", "සංහල"),
            ("ދިވެހި", "ދވހ"), ("བོད", "བད"), ("が", "か"), ("ぱ", "は"), ("ガ", "カ"), ("ｶﾞ", "ｶ"),
            ("𑀓𑀺", "𑀓"), ("꯭ꯀ", "ꯀ"), ("မြန်မာ", "မနမ"),
        ])
    func letterSigns(left: String, right: String) {
        for options in allFoldings { #expect(folded(left, options) != folded(right, options)) }
        #expect(foldedKey(of: left) != foldedKey(of: right))
    }

    @Test(
        "Accents and points of all scripts go without diacritics",
        arguments: [
            ("كَتَبَ", "كتب"), ("שָׁלוֹם", "שלום"), ("tiếng Việt", "tieng Viet"), ("क़", "क"),
            ("ड\u{93C}", "ड"), ("क\u{951}", "क"), ("й", "и"), ("ά", "α"), ("ガ", "ｶﾞ"),
        ])
    func accents(left: String, right: String) {
        #expect(folded(left, .diacriticInsensitive) == folded(right, .diacriticInsensitive))
        #expect(folded(left, .caseInsensitive) != folded(right, []))
    }

    @Test(
        "What nobody sees, and apostrophes, hyphens and spaces that look alike, do not count",
        arguments: [
            ("co\u{AD}operate", "cooperate"), ("\u{200E}abc\u{200F}", "abc"), ("\u{FEFF}a", "a"),
            ("می\u{200C}خواهم", "میخواهم"), ("كـــتاب", "كتاب"), ("क्\u{200D}ष", "क्ष"),
            ("❤\u{FE0F}", "❤"), ("rock’n’roll", "rock'n'roll"), ("п\u{2BC}ять", "п'ять"),
            ("\u{2BB}okina", "'okina"), ("6\u{2032}", "6'"), ("צ׳", "צ'"), ("בית־ספר", "בית-ספר"),
            ("don´t", "don't"), ("e‐mail", "e-mail"), ("e\u{2011}mail", "e-mail"),
            ("1990–2000", "1990-2000"), ("−5", "-5"), ("a\u{A0}b", "a b"), ("a\u{202F}b", "a b"),
            ("a\u{3000}b", "a b"), ("a\u{200B}b", "a b"),
        ])
    func ignorables(left: String, right: String) {
        let one = FoldedText(left, folding: Folding(.diacriticInsensitive))
        let other = FoldedText(right, folding: Folding(.diacriticInsensitive))
        #expect(one.utf8 == other.utf8)
        #expect(one.traits == other.traits, "words and boundaries are the same")
        #expect(folded(left, .caseInsensitive) != folded(right, .caseInsensitive))
    }

    @Test("The list of what nobody sees is the property of Unicode, and the tatweel, but no space")
    func ignorableList() {
        // What has no name yet may be named otherwise by a later Unicode; the rest is settled.
        for value in UInt32(0)..<0x110000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let properties = scalar.properties
            guard properties.generalCategory != .unassigned else { continue }
            let expected =
                value != 0x200B
                && (properties.isDefaultIgnorableCodePoint || value == 0x640)
            #expect(Ignorables.contains(value) == expected, "U+\(String(value, radix: 16))")
        }
    }

    @Test("What looks alike has the same class of character")
    func lookAlikes() {
        var count = 0
        for value in UInt32(0)..<0x3000 {
            let whole = LookAlikes.whole(value)
            let folded = LookAlikes.folded(whole)
            guard folded != value else { continue }
            count += 1
            #expect(CharacterTraits(scalar: value) == CharacterTraits(scalar: folded))
            #expect(LookAlikes.folded(folded) == folded)
        }
        #expect(count > 12)
    }

    @Test("Vowels and viramas of all scripts with such signs stay, accents of others go")
    func signsByName() {
        let scripts = [
            "THAI", "LAO", "KHMER", "MYANMAR", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI",
            "ORIYA", "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "TIBETAN", "BALINESE",
            "JAVANESE", "SUNDANESE", "CHAM", "TAGALOG", "LIMBU", "BRAHMI", "CHAKMA", "MEETEI MAYEK",
            "NEWA", "TAI THAM", "LEPCHA", "SAURASHTRA", "KAITHI", "GRANTHA", "SHARADA", "BUGINESE",
        ]
        let accents = [
            "COMBINING ", "HEBREW POINT", "ARABIC FATHA", "ARABIC KASRA", "ARABIC DAMMA",
        ]
        var count = 0
        for value in UInt32(0x300)..<0x12000 where UnicodeCategory(of: value) == .mark {
            let name = Unicode.Scalar(value)?.properties.name ?? ""
            let isSign = ["VOWEL SIGN", "VIRAMA", "SIGN MAI", "CHARACTER SARA", "CHARACTER MAI"]
                .contains { name.contains($0) }
            if isSign, scripts.contains(where: { name.hasPrefix($0 + " ") }) {
                count += 1
                // Two vowels of Khmer are for transliteration, and seen by nobody.
                let expected = !Ignorables.contains(value)
                #expect(LetterSigns.contains(value) == expected, "\(name)")
            } else if accents.contains(where: { name.hasPrefix($0) }), !name.contains("KATAKANA") {
                #expect(!LetterSigns.contains(value), "\(name)")
            }
        }
        #expect(count > 300, "names of \(count) signs were seen")
    }

    @Test(
        "Canonically equivalent spellings fold to the same bytes without any modifier",
        arguments: [
            ("é", "e\u{301}"), ("Å", "\u{212B}"), ("한", "\u{1112}\u{1161}\u{11AB}"),
            ("각", "가\u{11A8}"), ("q\u{323}\u{307}", "q\u{307}\u{323}"), ("≠", "=\u{338}"),
            ("ᾴ", "α\u{345}\u{301}"),
        ])
    func canonicalEquivalence(left: String, right: String) {
        for options in allFoldings {
            let one = FoldedText(left, folding: Folding(options))
            let other = FoldedText(right, folding: Folding(options))
            #expect(one.utf8 == other.utf8)
            #expect(one.traits == other.traits)
        }
    }

    @Test(
        "A language keeps its own letters from losing their marks",
        arguments: [
            ("sv", "Åäö é", "Åäö e"), ("fi-FI", "yö ü", "yö u"), ("nb", "Å ö", "Å o"),
            ("da", "æøå", "æøå"), ("de", "Müller", "Muller"), ("es_MX", "año é", "año e"),
            ("tr", "çğöşüâ İ", "çğöşüa İ"), ("en", "ö", "o"), ("", "ö", "o"),
            ("sv", "ǟ", "ä"),
        ])
    func languages(language: String, value: String, expected: String) {
        #expect(folded(value, .diacriticInsensitive, language: language) == decomposed(expected))
    }

    @Test("Turkish folds I to dotless ı and İ to i, and only when asked")
    func turkish() {
        #expect(
            folded("ISI İĞİ I\u{307}", .caseInsensitive, language: "tr") == decomposed("ısı iği i"))
        #expect(folded("ISI", .caseInsensitive, language: "az-Latn") == "ısı")
        #expect(folded("ISI", .caseInsensitive) == "isi")
        #expect(folded("DIŞ", bothFoldings, language: "tr") == decomposed("dış"))
        #expect(folded("I", .diacriticInsensitive, language: "tr") == "I")
    }

    @Test("The folding without modifiers is canonically equivalent to the value", arguments: 1...8)
    func equivalence(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = generator.text(from: trickyCharacters, upTo: 12)
            #expect(folded(value, []) == value, "seed \(seed)")
        }
    }

    @Test("Forty thousand marks on one letter fold in reasonable time and in canonical order")
    func markFlood() {
        let marks = String(repeating: "\u{301}\u{323}", count: 20_000)
        let text = FoldedText("a" + marks, folding: Folding([]))
        let expected =
            String(repeating: "\u{323}", count: 20_000)
            + String(repeating: "\u{301}", count: 20_000)
        #expect(text.utf8 == Array(("a" + expected).utf8))
    }

    private func decomposed(_ text: String) -> String { folded(text, []) }
}

@Suite("Dictionary keys")
struct FoldedKeyTests {
    @Test("Texts equal under any folding have the same key, for every cased or composed scalar")
    func coarseness() {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x33FF, 0xA640...0xA7FF, 0xAB30...0xABBF, 0xF900...0xFFFF, 0x10400...0x104FF,
            0x1D400...0x1D7FF, 0x1E900...0x1E94F,
        ]
        for scalar in ranges.joined() {
            guard let scalar = Unicode.Scalar(scalar) else { continue }
            let key = foldedKey(of: String(scalar))
            for options in allFoldings {
                for language in [nil, "tr", "sv"] {
                    let text = folded(String(scalar), options, language: language)
                    #expect(foldedKey(of: text) == key, "\(scalar.value) \(options) \(text)")
                }
            }
        }
    }

    @Test("Folding a folded text again changes nothing", arguments: 1...8)
    func idempotence(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let value = generator.text(from: trickyCharacters, upTo: 12)
            let key = foldedKey(of: value)
            #expect(foldedKey(of: String(decoding: key, as: UTF8.self)) == key, "seed \(seed)")
            for options in allFoldings {
                let once = folded(value, options)
                #expect(folded(once, options) == once, "seed \(seed)")
                #expect(foldedKey(of: once) == key, "seed \(seed) \(value) \(options)")
            }
        }
    }

    @Test("The key is what the neutral folding of both modifiers gives, but for dotless ı")
    func sameAsFolding() {
        #expect(foldedKey(of: "Crème BRÛLÉE") == Array("creme brulee".utf8))
        #expect(foldedKey(of: "ısı") == foldedKey(of: "ISI"))
        #expect(foldedKey(of: "") == [])
    }
}
