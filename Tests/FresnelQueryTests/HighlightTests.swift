import FresnelModel
import FresnelQuery
import Testing

@Suite("Highlights")
struct HighlightTests {
    @Test(
        "What matched in a title is marked, in bytes of the title as it is written",
        arguments: [
            // Words, prefixes, infixes, suffixes, phrases.
            ("\"Apple\"", "[Apple]"), ("\"apple\"wc", "[Apple] and [apple]-pie, apples"),
            ("\"app*\"wc", "[App]le pine[App]le [app]"), ("\"app*\"c", "[App]le app"),
            ("\"*pie*\"c", "[Pie] in a [piepie], s[pie]s"), ("\"*pie\"c", "pie [Pie]"),
            ("\"*pie\"wc", "ap[Pie], mag[pie] pier"), ("\"apple pie\"wc", "my [Apple-Pie].jpg"),
            ("\"apple * pie\"wc", "my [apple or pie]"), ("\"apple *\"wc", "[apple pie] now"),
            ("\"a*e\"w", "an [apple], [axle]"), ("\"c?t\"w", "[cat] [cut] cart"),
            ("\"a*e\"", "[apple pie]"), ("\"pie apple\"cwdt", "[Apple] and [pie]"),
            ("\"a?*\"w", "a [ax]e [ac]id"), ("\"window\"wc", "My[Window]Class"),
            // Folded texts of another length.
            ("\"*fi*\"cd", "e[ﬁ] [FI]"), ("\"*i*\"cd", "[ﬁ]x"), ("\"strasse\"wc", "[Straße]"),
            ("\"stras*\"wc", "[Straß]e"), ("\"*s*\"c", "a[ß]a"), ("\"*ss*\"c", "[ß]"),
            ("\"creme\"cdw", "Une [Cre\u{300}me] [crème]."), ("\"e*\"d", "[e\u{301}\u{323}]x"),
            ("\"cre*\"cdw", "[Cre\u{300}]me"), ("\"½\"d", "[½]"), ("\"*1*\"d", "a[½]b"),
            ("\"*…b*\"d", "a[…b]"), ("\"ö*\"cdw", "[Ö]stersund [o]stern"),
            // Scripts without spaces, Hangul in both spellings, characters of many scalars.
            ("\"東京\"w", "[東京]都と[東京]"), ("\"東京*\"cw", "[東京]都"), ("\"*京*\"", "東[京]都"),
            ("\"한국*\"w", "[한국]어"), ("\"*한*\"", "x[\u{1112}\u{1161}\u{11AB}]y"),
            ("\"*👩*\"", "x[👨‍👩‍👧]y"), ("\"*🇵*\"", "a[🇯🇵]b"), ("\"*ก*\"", "[กำ]"),
            // Letters that are marks, and what nobody sees.
            ("\"กิน\"cdw", "กัน [กิน]"), ("\"*दिन*\"cd", "दान[दिन] दा"),
            ("\"cooperate\"cdw", "[co\u{AD}operate] x"),
            ("\"*op*\"d", "co\u{AD}[op]e"), ("\"*oo*\"d", "c[o\u{AD}o]pe"),
            ("\"it's\"dw", "[it’s] so"),
            ("\"*か*\"d", "が[か]"), ("\"*が*\"d", "か[か\u{3099}]"),
            ("\"b\"dw", "a\u{200B}[b]"), ("\"كتاب\"dw", "[كـــتاب] "),
            // Together.
            ("\"*a*\" && title == \"*b*\"", "[ab]c[a]"),
            ("\"*ab*\" || title == \"*bc*\"", "x[abc]"),
            ("\"*ab*\" && title == \"*b*\"", "[ab] c[b]"),
        ])
    func titles(comparison: String, marked: String) throws {
        let text = String(marked.filter { $0 != "[" && $0 != "]" })
        let document = Document(uniqueIdentifier: "1", attributes: ["title": .string(text)])
        let found = try Highlighting.highlights("title == \(comparison)", in: document)
        #expect(found.count == 1)
        let first = try #require(found.first)
        #expect(first.attribute == "title" && first.element == 0 && first.part == .text)
        #expect(first.isComplete)
        #expect(Highlighting.marked(text, first.ranges) == marked)
    }

    static let document = Document(
        uniqueIdentifier: "urn:apple", domainIdentifier: "store.apple",
        attributes: [
            "title": .localized(
                LocalizedString(defaultText: "Apple", variants: ["de": "Apfel", "fr": "Pomme"])),
            "keywords": .strings(["apple", "pear", "", "apple tree"]),
            "authors": .persons([
                Person(handles: ["+49 30 1"]),
                Person(displayName: "Apple Lee", handles: ["lee@example.org", "apple@b.org"]),
            ]),
            "textContent": .string("A pineapple is no apple."),
            "HTMLContentData": .bytes(Array("<p>An apple</p>".utf8)),
            "rating": .number(5), "playCount": .number(42),
            "dueDate": .date(Timestamp(wholeSeconds: 816_825_600)),
        ])

    static let everywhere = [
        "authors 1 displayName 0-5", "keywords 0 text 0-5", "keywords 3 text 0-5",
        "title 0 text 0-5",
    ]

    @Test(
        "Each text that matched has its entry, in order",
        arguments: [
            ("* == \"apple\"wc", everywhere.inserting("authors 1 handle 1 0-5", at: 1)),
            ("title == \"Pomme\"", ["title 0 variant fr 0-5"]),
            ("title == \"ap*\"c", ["title 0 text 0-2", "title 0 variant de 0-2"]),
            ("authors == \"lee\"wc", ["authors 1 displayName 6-9", "authors 1 handle 0 0-3"]),
            ("authors == \"+49*\"", ["authors 0 handle 0 0-3"]),
            ("keywords == \"tree\"w", ["keywords 3 text 6-10"]),
            ("textContent == \"apple\"", ["textContent 0 text 18-23"]),
            ("uniqueIdentifier == \"*apple\"", ["uniqueIdentifier 0 text 4-9"]),
            ("domainIdentifier == \"store*\"", ["domainIdentifier 0 text 0-5"]),
            (
                "title == \"Apfel\" && keywords == \"pear\"",
                ["keywords 1 text 0-4", "title 0 variant de 0-5"]
            ),
            ("title == \"Apfel\" || keywords == \"plum\"", ["title 0 variant de 0-5"]),
            (
                "keywords == \"pear\" || (title == \"Apfel\" && keywords == \"plum\")",
                ["keywords 1 text 0-4"]
            ),
            ("keywords == \"pear\" && !(title == \"Plum\")", ["keywords 1 text 0-4"]),
            ("!(keywords != \"pear\" || rating < 5)", ["keywords 1 text 0-4"]),
            ("keywords == \"pear\" && rating > 4", ["keywords 1 text 0-4"]),
        ])
    func entries(query: String, expected: [String]) throws {
        let found = try Highlighting.highlights(query, in: Self.document)
        #expect(found.map(Highlighting.line) == expected)
    }

    @Test(
        "What is no place in a text gives nothing",
        arguments: [
            "rating == 5", "playCount == \"42\"", "dueDate > 0", "InRange(rating, 4, 6)", "true",
            "title == \"*\"", "** == \"* \"w", "keywords != \"plum\"", "!(title == \"Plum\")",
            "HTMLContentData == \"apple\"", "title == \"Plum\"", "",
            "keywords == \"pear\" && title == \"Plum\"", "false && keywords == \"pear\"",
        ])
    func nothing(query: String) throws {
        let query = query.isEmpty ? "title == \"\"" : query
        #expect(try Highlighting.highlights(query, in: Self.document).isEmpty)
    }

    @Test("Only wanted attributes are looked at, and the fields that every hit carries")
    func wanted() throws {
        let query = "** == \"apple\"wc || uniqueIdentifier == \"urn*\""
        let some = try Highlighting.highlights(query, in: Self.document, ["title", "rating"])
        #expect(some.map(Highlighting.line) == ["title 0 text 0-5", "uniqueIdentifier 0 text 0-3"])
        let none = try Highlighting.highlights(query, in: Self.document, [])
        #expect(none.map(Highlighting.line) == ["uniqueIdentifier 0 text 0-3"])
    }

    @Test(
        "One text has at most 64 ranges, the first, and says when there are more",
        arguments: 62...67)
    func limit(count: Int) throws {
        let text = String(repeating: "a ", count: count)
        let document = Document(uniqueIdentifier: "1", attributes: ["title": .string(text)])
        for query in ["title == \"a\"w", "title == \"a\"w && title == \"*a*\""] {
            let found = try #require(try Highlighting.highlights(query, in: document).first)
            #expect(found.ranges == (0..<min(count, 64)).map { 2 * $0..<2 * $0 + 1 })
            #expect(found.isComplete == (count <= 64))
        }
    }

    @Test("A language protects the letters of its alphabet in highlights too")
    func language() throws {
        let document = Document(uniqueIdentifier: "1", attributes: ["title": .string("Öl ol")])
        let found = try Highlighting.highlights("title == \"ol\"cdw", in: document, language: "sv")
        #expect(found.map(Highlighting.line) == ["title 0 text 4-6"])
    }
}

extension [String] {
    /// The list with one more at a place.
    fileprivate func inserting(_ new: String, at position: Int) -> [String] {
        Array(self[..<position]) + [new] + Array(self[position...])
    }
}
