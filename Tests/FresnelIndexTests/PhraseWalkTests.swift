import FresnelModel
import FresnelSystem
import Testing

@Suite("Phrases in documents that repeat words")
struct PhraseWalkTests {
    private static let words = ["red", "green", "blue"]

    /// Random words, and one document with more places of a word than are kept at once.
    private static func texts(seed: UInt64) -> [[String]] {
        var generator = SeededGenerator(seed: seed)
        var texts = (0..<300).map { _ in
            (0..<Int.random(in: 1...14, using: &generator)).map { _ in
                words[Int.random(in: 0..<3, using: &generator)]
            }
        }
        texts.append(Array(repeating: "red", count: 5_000) + ["green", "blue"])
        texts.append(Array(repeating: "red", count: 5_000) + ["blue", "green"])
        return texts
    }

    private static func holds(_ phrase: [String], _ text: [String]) -> Bool {
        guard text.count >= phrase.count else { return false }
        return (0...text.count - phrase.count).contains { start in
            Array(text[start..<start + phrase.count]) == phrase
        }
    }

    /// Words in every so many documents, so that of a block of 128 none, one, few or many are met.
    private static let periods = ["red": 1, "green": 2, "blue": 31, "grey": 43, "pink": 97]

    private static func sparseTexts(seed: UInt64) -> [[String]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<2500).map { number in
            let mine = periods.filter { number.isMultiple(of: $0.value) }.keys.sorted()
            return (0..<2).flatMap { _ in mine.shuffled(using: &generator) }
        }
    }

    @Test("are those of a walk over every word", arguments: [1, 2, 3] as [UInt64])
    func plain(seed: UInt64) throws {
        try expect(
            [
                ["red", "green"], ["red", "red"], ["blue", "red", "blue"],
                ["red", "red", "red"], ["green", "green", "blue", "red"],
                ["red", "green", "blue"],
            ], in: Self.texts(seed: seed), seed: seed)
    }

    @Test("are those where few documents of a block have all words", arguments: [4, 5] as [UInt64])
    func sparse(seed: UInt64) throws {
        var phrases = [["red", "green", "blue"], ["blue", "red", "green"]]
        let words = Self.periods.keys.sorted()
        for first in words { phrases += words.map { [first, $0] } }
        try expect(phrases, in: Self.sparseTexts(seed: seed), seed: seed)
    }

    private func expect(_ phrases: [[String]], in texts: [[String]], seed: UInt64) throws {
        var corpus = MatchingCorpus(schema: AttributeSchema())
        // The corpus packs one segment of three, the first of all.
        if seed.isMultiple(of: 2) { try corpus.append([Document(uniqueIdentifier: "other")]) }
        try corpus.append(
            texts.enumerated().map { number, words in
                Document(
                    uniqueIdentifier: "d\(number)",
                    attributes: [
                        "contentDescription": .string(words.joined(separator: " "))
                    ])
            })
        for phrase in phrases {
            let query = "contentDescription == \"\(phrase.joined(separator: " "))\"w"
            let found = try corpus.identifiers(MatchingCorpus.search(query)).sorted()
            let expected = texts.indices.filter { Self.holds(phrase, texts[$0]) }
            #expect(found == expected.map { "d\($0)" }.sorted(), "\(query), seed \(seed)")
        }
    }
}
