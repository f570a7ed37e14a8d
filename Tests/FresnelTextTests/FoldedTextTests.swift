import Testing

@testable import FresnelText

@Suite("Folded text and its way back")
struct FoldedTextTests {
    @Test("The ASCII path gives what the general path gives", arguments: 1...8)
    func pathsAgree(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let ascii = (UInt8(0)..<128).map { String(decoding: [$0], as: UTF8.self) }
        for options in allFoldings {
            for _ in 0..<50 {
                let value = generator.text(from: ascii, upTo: 40)
                let fast = FoldedText(value, folding: Folding(options))
                var general = FoldedText("", folding: Folding(options))
                general.appendClusters(value.utf8.span)
                #expect(fast.utf8 == general.utf8, "seed \(seed)")
                #expect(fast.traits == general.traits, "seed \(seed)")
                #expect(general.offsets == (0..<UInt32(value.utf8.count)).map { $0 })
                #expect(fast.offsets.isEmpty)
            }
        }
    }

    @Test("Offsets ascend, name clusters of the original and cover it", arguments: 1...8)
    func offsets(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let value = generator.text(from: trickyCharacters, upTo: 12)
            for options in allFoldings {
                let text = FoldedText(value, folding: Folding(options))
                #expect(text.utf8.count == text.traits.count)
                let starts = clusterStarts(of: value)
                for position in 0..<text.count {
                    let offset = text.originalOffset(at: position)
                    #expect(starts.contains(offset), "seed \(seed) \(value)")
                    let next = text.originalOffset(at: position + 1)
                    let isSame = !text.isClusterStart(position + 1)
                    #expect(isSame ? next == offset : next > offset, "seed \(seed) \(value)")
                }
            }
        }
    }

    private func clusterStarts(of value: String) -> Set<Int> {
        var starts: Set<Int> = []
        let view = value.utf8
        let span = view.span
        var offset = 0
        while offset < span.count {
            starts.insert(offset)
            offset = Cluster(span, at: offset).end
        }
        return starts
    }

    @Test(
        "Boundaries are those of the original value",
        arguments: [
            ("iPhone", [0, 1, 6]), ("NSWindow", [0, 8]), ("MyWindowClass", [0, 2, 8, 13]),
            ("MP3 player", [0, 3, 4, 10]), ("a_b", [0, 1, 2, 3]), ("can't", [0, 3, 4, 5]),
            ("日本x", [0, 3, 6, 7]), ("x日", [0, 1, 4]), ("한국", [0, 18]), ("éÉ", [0, 3, 6]),
            ("กินข้าว", [0, 6, 9, 15, 18, 21]), ("かな7", [0, 3, 6, 7]), ("", [0]),
            ("--", [0, 1, 2]),
        ])
    func boundaries(value: String, expected: [Int]) {
        let text = FoldedText(value, folding: Folding([]))
        #expect((0...text.count).filter { text.isBoundary($0) } == expected)
    }

    @Test("The original range of folded bytes holds whole characters")
    func originalRange() {
        let text = FoldedText("xßy", folding: Folding(.caseInsensitive))
        #expect(text.originalRange(of: 1..<2) == 1..<3)
        #expect(text.originalRange(of: 2..<4) == 1..<4)
        #expect(text.originalRange(of: 0..<4) == 0..<4)
    }

    @Test("A lone mark that folds away leaves its boundary to the next letter")
    func loneMark() {
        let pattern = GlobPattern(text: "abc", modifiers: "dw")
        #expect(pattern.matches("\u{301}abc"))
    }

    @Test("Bytes that are not UTF-8 are separators and stop nothing")
    func brokenBytes() {
        let bytes: [UInt8] = [
            0x61, 0xFF, 0x62, 0xE2, 0x82, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0x63, 0xF0,
        ]
        let text = FoldedText(utf8: bytes.span, folding: Folding(.caseInsensitive))
        #expect(text.originalOffset(at: text.count) == bytes.count)
        let words = Tokenizer.tokens(of: bytes).tokens.map { $0.range.lowerBound }
        #expect(words == [0, 2, 10])
    }

    @Test("Scripts without spaces are the named ones, and no other letter is taken for them")
    func scripts() {
        let prefixes = [
            "CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "HIRAGANA ", "KATAKANA",
            "HALFWIDTH KATAKANA", "THAI ", "LAO ", "KHMER ", "MYANMAR ", "IDEOGRAPHIC ITERATION",
            "HANGZHOU NUMERAL", "HENTAIGANA ", "VERTICAL IDEOGRAPHIC", "COMBINING KATAKANA",
        ]
        for value in UInt32(0)..<0x1FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let traits = CharacterTraits(scalar: value)
            guard traits.contains(.word) else { continue }
            let properties = scalar.properties
            let name = properties.name ?? ""
            let isNamed = prefixes.contains { name.hasPrefix($0) }
            guard name != "" || properties.isIdeographic else { continue }
            let isOther = ["TANGUT", "NUSHU", "KHITAN"].contains { name.hasPrefix($0) }
            let expected = (isNamed || properties.isIdeographic) && !isOther
            #expect(traits.contains(.spaceless) == expected, "\(name) \(value)")
        }
    }
}
