import Testing

@testable import FresnelText

@Suite("Tokens")
struct TokenizerTests {
    @Test(
        "A value is cut into runs of word characters",
        arguments: [
            ("Fuji Apple", ["Fuji", "Apple"]), ("apple-pie.jpg", ["apple", "pie", "jpg"]),
            ("O'Brien \"Best\" Potatoes", ["O", "Brien", "Best", "Potatoes"]),
            ("MyWindowClass", ["MyWindowClass"]), ("MP3", ["MP3"]), ("a_b", ["a", "b"]),
            ("Crème Bru\u{302}lée", ["Crème", "Bru\u{302}lée"]),
            ("東京タワー", ["東", "京", "タ", "ワ", "ー"]),
            ("iPhone15を買う", ["iPhone15", "を", "買", "う"]), ("한국어 책", ["한국어", "책"]),
            ("กินข้าว", ["กิ", "น", "ข้", "า", "ว"]), ("", []), (" -… ", []),
            ("50% off*", ["50", "off"]),
            ("½ x²", ["½", "x²"]), ("\u{301}a", ["\u{301}a"]), ("=\u{338}a", ["a"]),
        ])
    func runs(value: String, expected: [String]) {
        let bytes = Array(value.utf8)
        let list = Tokenizer.tokens(of: value)
        let words = list.tokens.map { String(decoding: bytes[$0.range], as: UTF8.self) }
        #expect(words.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
        #expect(list.tokens.map(\.position) == (0..<UInt32(expected.count)).map { $0 })
    }

    @Test("Tokens know the separators before them and their script")
    func surroundings() {
        let tokens = Tokenizer.tokens(of: "Tokyo東京 23é").tokens
        #expect(tokens.map(\.followsSeparator) == [false, false, false, true])
        #expect(tokens.map(\.isSpaceless) == [false, true, true, false])
        #expect(tokens.map(\.isASCII) == [true, false, false, false])
        #expect(Tokenizer.tokens(of: "-a").tokens.map(\.followsSeparator) == [true])
    }

    @Test("Tokens know the boundaries inside them")
    func innerBoundaries() {
        let list = Tokenizer.tokens(of: "NSWindow MyWindowClass iPhone x")
        let inner = list.tokens.map { Array(list.innerBoundaries(of: $0)) }
        #expect(inner == [[], [11, 17], [24], []])
    }

    @Test("Tokens and the boundaries of folded text agree", arguments: 1...8)
    func agreement(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var list = TokenList()
        for _ in 0..<300 {
            let value = generator.text(from: trickyCharacters, upTo: 12)
            let view = value.utf8
            Tokenizer.tokenize(view.span, into: &list)
            let text = FoldedText(value, folding: Folding([]))
            var places: Set<Int> = []
            var wordOffsets: Set<Int> = []
            for position in 0..<text.count {
                let traits = text.traits[position]
                let offset = text.originalOffset(at: position)
                if traits.contains(.boundary), traits.contains(.word) { places.insert(offset) }
                if traits.contains(.word) { wordOffsets.insert(offset) }
            }
            let starts = list.tokens.map { $0.range.lowerBound }
            let expected = Set(starts).union(list.boundaries.map { Int($0) })
            #expect(places == expected, "seed \(seed) \(value)")
            let isCovered = wordOffsets.allSatisfy { offset in
                list.tokens.contains { $0.range.contains(offset) }
            }
            #expect(isCovered, "seed \(seed) \(value)")
        }
    }
}
