import FresnelModel
import FresnelQuery
import Testing

@testable import FresnelIndex

/// Texts of several words have no column of their own where an attribute has many: its words, and
/// where they stand, tell which texts a pattern on a whole one is held against.
@Suite("Patterns on whole texts that are not in a column")
struct WholeTextTests {
    /// Some begin with a mark that is a token of its own and folds to nothing.
    private static let words = [
        "phone", "phone", "Phone", "phöne", "phonetic", "telephone", "case", "case", "phone's",
        "电话", "™", "№", "½", "ﾞ", "(phone)", "phone™", "ﾞphone", "\u{301}phone", "e\u{301}tui",
        "#1", "\u{E31}phone", "\u{3099}phone", "İstanbul", "I",
    ]
    private static let patterns = [
        "phone", "phone*", "phone case", "phone case*", "phone*case", "case", "case phone*", "pho*",
        "*phone", "*phone*case", "?hone*", "phonetm*", "tmphone*", "no*", "1*", "1⁄2*", "(phone*",
        "#1*", "etui*", "phone's*", " phone", "", "i*", "istanbul*", "\u{E31}phone*", "p*",
        "the case*",
    ]

    private static func text(_ chance: inout MatchingChance) -> String {
        let words = (0..<chance.below(6)).map { _ in chance.pick(Self.words) }
        return chance.pick(["", "", "", "", " ", "-", "the "])
            + words.joined(separator: chance.pick([" ", " ", " ", "", "-"]))
    }

    private static func document(_ name: String, _ chance: inout MatchingChance) -> Document {
        var document = Document(uniqueIdentifier: name)
        let texts = (0..<1 + chance.below(3)).map { _ in Self.text(&chance) }
        document.attributes["title"] = .string(texts[0])
        document.attributes["keywords"] = .strings(texts)
        document.attributes["displayName"] = .string("\(texts[0]) one two three")
        return document
    }

    @Test("find what the reference matcher finds", arguments: 0..<6)
    func agreement(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(round)
        var chance = MatchingChance(seed: seed)
        var corpus = MatchingCorpus(schema: try MatchingChance.schema())
        for batch in 0..<3 {
            // So many that the documents with a word are not all looked at.
            try corpus.append(
                (0..<240).map { Self.document("d\(batch)-\($0)", &chance) }
                    + (0..<60).map { number in
                        var long = Document(uniqueIdentifier: "l\(batch)-\(number)")
                        long.attributes["title"] = .string("one two three four five six")
                        return long
                    })
        }
        let stored = corpus.snapshot.segments.filter {
            $0.segment.attribute(named: "title")?.storedTexts != nil
        }
        #expect(!stored.isEmpty, "FRESNEL_SEED=\(seed): every segment has a column of titles")
        for pattern in Self.patterns {
            let name = chance.pick(["title", "title", "keywords", "displayName", "*"])
            let query = "\(name) == \"\(pattern)\"\(chance.pick(["", "c", "d", "cd", "cd"]))"
            var context = MatchingCorpus.context
            context.language = chance.chance(0.2) ? "tr" : nil
            let search = MatchingCorpus.search(query, context: context)
            #expect(
                try corpus.identifiers(search).sorted() == corpus.expected(search),
                "FRESNEL_SEED=\(seed): \(query) \(context.language ?? "")")
        }
    }
}
