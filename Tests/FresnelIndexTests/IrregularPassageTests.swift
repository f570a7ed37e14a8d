import FresnelIndex
import FresnelKernels
import FresnelText
import Testing

/// A word of letters and digits of ASCII that a folded text has, and no token of the text, stands
/// across an irregular character; only then are texts read.
@Suite("Passages around irregular characters")
struct IrregularPassageTests {
    private static func passages(of texts: [String]) -> IrregularPassages {
        var passages = IrregularPassages()
        for (number, text) in texts.enumerated() {
            let view = text.utf8
            IrregularPassage.forEach(in: view.span) {
                passages.insert($0, of: DocumentNumber(number))
            }
        }
        passages.finish()
        return passages
    }

    private static func touched(_ key: String, _ passages: IrregularPassages) -> Set<UInt32> {
        var documents: [DocumentNumber] = []
        passages.append(touchedBy: Array(key.utf8), to: &documents)
        return Set(documents)
    }

    @Test("name the texts in which a word stands across such a character, and few others")
    func words() {
        let passages = Self.passages(of: [
            "Kindle™ Fire", "the Kindle Fire", "kit", "Fire™ TV", "½ab½", "№5", "\u{3164} ab", "™",
            "Kindle™ Fire", "foo⑴ bar",
        ])
        #expect(Self.touched("kindle", passages) == [])
        #expect(Self.touched("fire", passages) == [])
        #expect(Self.touched("kindletm", passages) == [0, 8])
        #expect(Self.touched("letm", passages) == [0, 8])
        #expect(Self.touched("firetm", passages) == [3])
        #expect(Self.touched("tm", passages) == [0, 3, 7, 8])
        #expect(Self.touched("tmfire", passages) == [])
        #expect(Self.touched("2ab1", passages) == [4])
        #expect(Self.touched("no5", passages) == [5])
        // Nothing is left of the filler, so that what stands beside it may be one word.
        #expect(Self.touched("ab", passages) == [4, 6])
        #expect(Self.touched("a", passages) == [4, 6, 9])
        // A word ends at the bracket that no token ends with.
        #expect(Self.touched("foo", passages) == [9])
    }

    @Test("miss no word that a folded text has and no token", arguments: [1, 2, 3, 4])
    func completeness(seed: UInt64) {
        var chance = MatchingChance(seed: seed)
        var met = 0
        for _ in 0..<400 {
            let text = chance.text(6)
            let folded = foldedKey(of: text)
            let tokens = Tokenizer.tokens(of: text).tokens.map { token in
                foldedKey(of: String(decoding: Array(text.utf8)[token.range], as: UTF8.self))
            }
            let passages = Self.passages(of: [text])
            for word in folded.split(whereSeparator: { !Self.isPlain($0) }) {
                for start in word.indices {
                    for end in start + 1...min(word.endIndex, start + 9) {
                        let key = Array(word[start..<end])
                        guard !tokens.contains(where: { Self.contains(key, $0) }) else { continue }
                        met += 1
                        var found: [DocumentNumber] = []
                        passages.append(touchedBy: key, to: &found)
                        #expect(
                            !found.isEmpty,
                            "seed \(seed): \(String(decoding: key, as: UTF8.self)) in \(text)")
                    }
                }
            }
        }
        #expect(met > 100, "seed \(seed): \(met) words across irregular characters")
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        0x61...0x7A ~= byte || 0x30...0x39 ~= byte
    }

    private static func contains(_ key: [UInt8], _ text: [UInt8]) -> Bool {
        ByteSearch.firstOffset(of: key.span, in: text.span) != nil
    }
}
