import FresnelIndex
import FresnelModel
import Testing

@Suite("Phrases")
struct MatchingPhraseTests {
    private static let titles = [
        "a": "MyWindow Window", "b": "My WindowClass", "c": "my window", "d": "window my",
        "e": "My-Window", "f": "My, Window", "g": "My Big Window", "h": "東京 タワー", "i": "東 京",
        "j": "KindleMy™ Window", "k": "My Window™", "l": "MyWindow", "m": "My™Window",
    ]

    @Test(
        "are found by places exactly where the text has them",
        arguments: [
            (#"title == "My Window"w"#, "b e f j k m"),
            (#"title == "my window"cw"#, "b c e f j k m"),
            (#"title == "Window Window"w"#, "a"),
            (#"title == "My-Window"w"#, "e"),
            (#"title == "My * Window"w"#, "f g j"),
            (#"title == "M? Win*"w"#, "b e f j k m"),
            (#"title == "東京"w"#, "h"),
            (#"title == "東 京"w"#, "i"),
            (#"title == "My™ Window"wd"#, "j"),
            (#"title == "mytm window"cwd"#, "j"),
        ])
    func phrase(query: String, expected: String) throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append(
            Self.titles.sorted { $0.key < $1.key }.map { identifier, title in
                Document(uniqueIdentifier: identifier, attributes: ["title": .string(title)])
            })
        let oracle = try corpus.expected(MatchingCorpus.search(query))
        let found = try corpus.identifiers(MatchingCorpus.search(query)).sorted()
        #expect(found == oracle)
        #expect(found.joined(separator: " ") == expected)
    }

    @Test("do not run from one element or attribute into the next")
    func elements() throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append([
            Document(
                uniqueIdentifier: "a", attributes: ["keywords": .strings(["red apple", "pie"])]),
            Document(
                uniqueIdentifier: "b",
                attributes: ["title": .string("red apple"), "displayName": .string("pie")]),
        ])
        #expect(try corpus.identifiers(MatchingCorpus.search("* == \"apple pie\"w")).isEmpty)
        #expect(try corpus.identifiers(MatchingCorpus.search("* == \"red apple\"w")).count == 2)
    }
}
