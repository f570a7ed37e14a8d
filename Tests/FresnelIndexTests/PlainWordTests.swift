import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelText
import Testing

/// Words of ASCII are planned without compiling anything, and mostly decided by their keys alone;
/// a language that folds neutrally sends the same pattern the general way.
@Suite("Plain words are planned as all patterns are")
struct PlainWordTests {
    private static let alphabet = Array("abAB09zZiI")

    private static func pattern(_ chance: inout MatchingChance) -> TextPattern {
        let word = String((0..<1 + chance.below(4)).map { _ in chance.pick(alphabet) })
        var pieces: [TextPattern.Piece] = [.literal(word)]
        if chance.chance(0.3) {
            let others = (0..<1 + chance.below(3)).map { _ in
                String((0..<1 + chance.below(3)).map { _ in chance.pick(alphabet) })
            }
            pieces = [.literal(([word] + others).joined(separator: " "))]
        }
        if chance.chance(0.5) { pieces.append(.anyRun) }
        if chance.chance(0.5) { pieces.insert(.anyRun, at: 0) }
        var modifiers: Modifiers = []
        if chance.chance(0.5) { modifiers.insert(.caseInsensitive) }
        if chance.chance(0.5) { modifiers.insert(.diacriticInsensitive) }
        if chance.chance(0.7) { modifiers.insert(.wordBased) }
        return TextPattern(pieces: pieces, modifiers: modifiers)
    }

    private static func narrowings(_ plan: PatternPlan) -> [KeyNarrowing] {
        switch plan.shape {
        case .token(let token): [token.narrowing]
        case .values(let narrowing): [narrowing]
        case .phrase(let tokens): tokens.map(\.narrowing)
        }
    }

    private static func tokens(_ plan: PatternPlan) -> [TokenPlan] {
        switch plan.shape {
        case .token(let token): [token]
        case .values: []
        case .phrase(let tokens): tokens
        }
    }

    @Test("Both ways give the same plan", arguments: [1, 2, 3])
    func plans(seed: UInt64) {
        var chance = MatchingChance(seed: seed)
        for _ in 0..<300 {
            let pattern = Self.pattern(&chance)
            let fast = PatternPlan(pattern, language: nil)
            let general = PatternPlan(pattern, language: "en")
            #expect(
                Self.narrowings(fast) == Self.narrowings(general), "seed \(seed): \(pattern)")
            #expect(fast.isWordBased == general.isWordBased)
            #expect(fast.isDecidedByValues == general.isDecidedByValues)
            #expect(fast.decidesFolded == general.decidesFolded, "seed \(seed): \(pattern)")
            #expect(fast.hasIrregularTexts == general.hasIrregularTexts)
            #expect(fast.isPartedByWhitespace == general.isPartedByWhitespace)
            for (word, other) in zip(Self.tokens(fast), Self.tokens(general)) {
                #expect(word.decidesFolded == other.decidesFolded, "seed \(seed): \(pattern)")
                #expect(word.isAdjacent == other.isAdjacent)
            }
        }
    }

    @Test("Words that a character parts, which is no white space, are not said to be parted by it")
    func parted() {
        for scalar in (UInt32(0x80)...0x2FFFF).compactMap(Unicode.Scalar.init) {
            let text = "it\(scalar)s"
            let isCut = Tokenizer.tokens(of: text).tokens.count > 1
            guard isCut, !scalar.properties.isWhitespace else { continue }
            for modifiers in [[.caseInsensitive, .wordBased], [.wordBased]] as [Modifiers] {
                let pattern = TextPattern(pieces: [.literal(text)], modifiers: modifiers)
                let plan = PatternPlan(pattern, language: nil)
                guard case .phrase = plan.shape, plan.isPartedByWhitespace else { continue }
                Issue.record("U+\(String(scalar.value, radix: 16))")
            }
        }
    }

    @Test(
        "Terms are those that the pattern itself matches", arguments: [4, 5, 6],
        [
            "abAB09zZiIéİß", "abzi09éßﬁ",
            // So few originals that a packed dictionary lists them.
            String(repeating: "abzi09", count: 60) + "Bßé",
            // What folds to ASCII by its case alone, and marks that stand alone or are letters.
            "abziBI\u{212A}\u{17F}ß\u{FB01}\u{301}\u{345}é",
        ])
    func terms(seed: UInt64, alphabet: String) throws {
        let dictionary = try expect(seed, alphabet, lengths: 6, count: 600)
        #expect(dictionary.parted != nil)
    }

    @Test("Terms are those where more boundaries stand inside than are kept", arguments: [7])
    func manyBoundaries(seed: UInt64) throws {
        let dictionary = try expect(seed, "abzABé", lengths: 60, count: 900, patterns: 15)
        #expect(dictionary.parted == nil)
    }

    @discardableResult
    private func expect(
        _ seed: UInt64, _ alphabet: String, lengths: Int, count: Int, patterns: Int = 150
    ) throws -> TermDictionary {
        var chance = MatchingChance(seed: seed)
        let letters = Array(alphabet.unicodeScalars)
        let texts = (0..<count).map { _ in
            var text = String.UnicodeScalarView()
            for _ in 0..<1 + chance.below(lengths) { text.append(chance.pick(letters)) }
            return String(text)
        }
        var corpus = MatchingCorpus(schema: AttributeSchema())
        try corpus.append([
            Document(
                uniqueIdentifier: "d", attributes: ["title": .string(texts.joined(separator: " "))])
        ])
        let dictionary = try #require(corpus.snapshot.segments.first).segment.terms
        for _ in 0..<patterns {
            let pattern = Self.pattern(&chance)
            let plan = PatternPlan(pattern, language: nil)
            for token in Self.tokens(plan) {
                let found = try TextCandidates.terms(
                    of: token, in: dictionary, control: SearchControl(time: ManualTime()))
                let expected = (0..<TermID(dictionary.count)).filter { term in
                    token.glob.matches(utf8: dictionary.original(of: term).span)
                }
                #expect(found == expected, "seed \(seed): \(pattern)")
            }
        }
        return dictionary
    }
}
