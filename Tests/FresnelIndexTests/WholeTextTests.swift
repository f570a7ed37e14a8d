import FresnelIndex
import FresnelModel
import FresnelQuery
import Testing

/// Texts of several words have no column of their own where an attribute has many: its words, and
/// where they stand, tell which texts a pattern on a whole one is held against.
@Suite("Patterns on whole texts that are not in a column")
struct WholeTextTests {
    private static let words = [
        "phone", "Phone", "phöne", "phonetic", "telephone", "case", "phone's", "电话", "™", "№",
        "½", "ﾞ", "(phone)", "phone™", "ﾞphone", "\u{301}phone", "e\u{301}tui",
        "#1",
    ]
    private static let patterns = [
        "phone", "phone*", "phone case", "phone case*", "phone*case", "case", "case phone*", "pho*",
        "*phone", "?hone*", "phonetm*", "tmphone*", "no*", "1*", "1⁄2*", "(phone*", "#1*", "etui*",
        "phone's*", " phone", "",
    ]

    private static func text(_ chance: inout MatchingChance) -> String {
        let words = (0..<chance.below(5)).map { _ in chance.pick(Self.words) }
        return chance.pick(["", "", "", " ", "-"])
            + words.joined(separator: chance.pick([" ", " ", "", "-"]))
    }

    @Test("find what the reference matcher finds", arguments: 0..<12)
    func agreement(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        for batch in 0..<3 {
            try corpus.append(
                (0..<60).map { number in
                    var document = Document(uniqueIdentifier: "d\(batch)-\(number)")
                    let texts = (0..<1 + chance.below(3)).map { _ in Self.text(&chance) }
                    document.attributes["title"] = .string(texts[0])
                    // Many texts of several tokens: without them an attribute keeps its column.
                    document.attributes["keywords"] = .strings(texts)
                    document.attributes["displayName"] = .string("\(texts[0]) one two three")
                    return document
                })
        }
        for pattern in Self.patterns {
            let name = chance.pick(["title", "keywords", "displayName", "*", "**"])
            let query = "\(name) == \"\(pattern)\"\(chance.pick(["", "c", "d", "cd", "cd"]))"
            let search = MatchingCorpus.search(query)
            #expect(
                try corpus.identifiers(search).sorted() == corpus.expected(search),
                "FRESNEL_SEED=\(seed): \(query)")
        }
    }
}
