import Testing

@testable import FresnelText

@Suite("Rules of globs")
struct GlobRuleTests {
    @Test(
        "A wildcard takes what the decisions say",
        arguments: [
            // A question mark is one original character, however it is spelt or folded.
            GlobRow("caf?", "", "cafe\u{301}", true), GlobRow("caf?", "", "café", true),
            GlobRow("caf??", "", "cafe\u{301}", false), GlobRow("stra?e", "c", "Straße", true),
            GlobRow("stra??e", "c", "Straße", false), GlobRow("?", "", "한", true),
            GlobRow("?", "", "\u{1112}\u{1161}\u{11AB}", true), GlobRow("?", "d", "ﬁ", true),
            // A star may cut an expansion, never a letter from its mark.
            GlobRow("stras*", "c", "Straße", true), GlobRow("*s*", "c", "ß", true),
            GlobRow("cafe*", "", "café", false), GlobRow("cafe*", "d", "café", true),
            GlobRow("stras", "c", "Straß", false), GlobRow("*s?", "c", "ßx", true),
            GlobRow("*\u{301}*", "", "café", false), GlobRow("s?", "c", "ßx", false),
            GlobRow("s*?", "c", "ßx", false),
            GlobRow("s*?y", "c", "ßxy", false), GlobRow("s*y", "c", "ßxy", true),
            // A run of separators ends with a whole one.
            GlobRow("a *..b", "dw", "a…b", false), GlobRow("a *..b", "dw", "a ..b", true),
            GlobRow(".*", "dw", "…", false), GlobRow("*.", "dw", "…", false),
            GlobRow(".*", "dw", "….", true), GlobRow(".*", "d", "…", true),
            // Word-based wildcards stay inside a word, and outside scripts without spaces.
            GlobRow("apple*pie", "w", "apple pie", false), GlobRow("a?b", "w", "a b", false),
            GlobRow("a?b", "w", "x axb y", true), GlobRow("Tokyo*", "w", "Tokyo東京", true),
            GlobRow("東*", "w", "東京", true), GlobRow("東*京", "w", "東北京", false),
            GlobRow("?", "w", "東", false), GlobRow("?", "", "東", true),
            GlobRow("京", "w", "東京都", true), GlobRow("東京", "w", "東京都", true),
            GlobRow("*", "w", "—", true), GlobRow("?", "w", "—", false),
            // White space in a word-based pattern is one or more separators.
            GlobRow("a b", "w", "a -- b", true), GlobRow("a b", "w", "ab", false),
            GlobRow("a  b", "w", "a.b", true), GlobRow(" a ", "w", "x-a", true),
            GlobRow("a-b", "w", "a b", false), GlobRow("a-b", "w", "x a-b", true),
            GlobRow("日 本", "w", "日本", false), GlobRow("a * b", "w", "a x b", true),
            GlobRow("a * b", "w", "a x y b", false), GlobRow("a *b", "w", "a cb", true),
            // Korean puts spaces between words.
            GlobRow("한국", "w", "한국어", false), GlobRow("한국*", "w", "한국어", true),
        ])
    func rules(row: GlobRow) {
        #expect(row.glob.matches(row.value) == row.matches)
    }

    @Test("A pattern of nothing matches nothing", arguments: ["", "c", "w", "cdw"])
    func empty(modifiers: String) {
        #expect(!GlobPattern(text: "", modifiers: modifiers).matches(""))
        #expect(!GlobPattern(text: "", modifiers: modifiers).matches("a"))
        #expect(!GlobPattern(text: " ", modifiers: "w").matches("a b"))
        #expect(!GlobPattern(text: "\u{301}", modifiers: "d").matches("\u{301}"))
    }

    @Test(
        "Ranges name the original bytes that matched",
        arguments: [
            ("*apple*", "c", "Apple pineapple", [0..<5, 10..<15]),
            ("appl*", "wc", "an Apple, applet", [3..<7, 10..<14]),
            ("apple pie", "wc", "my apple-pie.jpg", [3..<12]), ("apple*", "c", "ApplePie", [0..<5]),
            ("*pie", "c", "ApplePie", [5..<8]), ("a*e", "", "apple", [0..<5]),
            ("*creme*", "cd", "Une Crème.", [4..<10]), ("window", "wc", "MyWindowClass", [2..<8]),
            ("*s*", "c", "aßs", [1..<3, 3..<4]), ("東", "w", "東京東", [0..<3, 6..<9]),
            ("*", "", "x", []), ("*ppl*", "w", "Snapple apple", [3..<6, 9..<12]),
            ("*pp?*", "w", "ppé-app", [0..<4]), ("stras*", "wc", "Straße", [0..<6]),
            ("*e", "w", "apple e", [4..<5, 6..<7]), ("a*e", "w", "an apple", [3..<8]),
            ("a *", "w", "a pie, a tart", [0..<5, 7..<13]), ("* b", "w", "a b", [0..<3]),
            ("東*", "w", "東京", [0..<3]), ("*?*", "w", "ab 東", [0..<1, 1..<2]),
            ("apple", "", "apple", [0..<5]), ("?b", "", "xb", [0..<2]), ("z", "w", "a b", []),
        ])
    func ranges(pattern: String, modifiers: String, value: String, expected: [Range<Int>]) {
        let glob = GlobPattern(text: pattern, modifiers: modifiers)
        #expect(glob.ranges(in: value) == expected)
        #expect(glob.firstRange(in: value) == expected.first)
    }

    @Test("A language protects its letters in patterns and values alike")
    func language() {
        let swedish = GlobPattern(text: "ö*", modifiers: "cdw", language: "sv-SE")
        #expect(swedish.matches("Östersund") && !swedish.matches("Ostersund"))
        let neutral = GlobPattern(text: "ö*", modifiers: "cdw")
        #expect(neutral.matches("Östersund") && neutral.matches("Ostersund"))
        let turkish = GlobPattern(text: "ısı", modifiers: "c", language: "tr")
        #expect(turkish.matches("ISI") && !turkish.matches("İSİ"))
    }
}
