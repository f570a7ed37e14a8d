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
            ("がぎ", "かき"), ("ﾊﾞ", "ハ"), ("ệ", "e"), ("x²", "x2"), ("ᾠδή", "ωδη"), ("ß", "ß"),
            ("ø", "ø"), ("\u{301}", ""),
        ])
    func diacriticFolding(left: String, right: String) {
        #expect(folded(left, .diacriticInsensitive) == right)
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
