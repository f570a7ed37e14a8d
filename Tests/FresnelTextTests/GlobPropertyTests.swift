import Testing

@testable import FresnelText

@Suite("Globs on random texts")
struct GlobPropertyTests {
    static let fewCharacters = [
        "a", "b", "A", "B", " ", "-", "ß", "s", "é", "e\u{301}", "e", "日", "…", "가", "\u{301}",
        ".",
    ]

    /// A random pattern with at most six pieces.
    private func pattern(_ generator: inout SeededGenerator, _ alphabet: [String]) -> GlobPattern {
        var pieces: [GlobPiece] = []
        for _ in 0..<Int.random(in: 0...6, using: &generator) {
            switch Int.random(in: 0..<6, using: &generator) {
            case 0, 1: pieces.append(.anyRun)
            case 2: pieces.append(.anyCharacter)
            default:
                let text = generator.text(from: alphabet, upTo: 3)
                if case .literal(let former)? = pieces.last {
                    pieces[pieces.count - 1] = .literal(former + text)
                } else if !text.isEmpty {
                    pieces.append(.literal(text))
                }
            }
        }
        return GlobPattern(
            pieces: pieces, options: allFoldings.randomElement(using: &generator) ?? [],
            wordBased: Bool.random(using: &generator))
    }

    @Test("A pattern matches what trying everything matches", arguments: 1...12)
    func oracle(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var found = 0
        for _ in 0..<1500 {
            let count = Int.random(in: 2...Self.fewCharacters.count, using: &generator)
            let alphabet = Array(Self.fewCharacters.shuffled(using: &generator).prefix(count))
            let glob = pattern(&generator, alphabet)
            let value = generator.text(from: alphabet, upTo: 8)
            let expected = GlobOracle(glob, value).matches
            if expected { found += 1 }
            #expect(
                glob.matches(value) == expected,
                "seed \(seed): \(glob.pieces) w \(glob.isWordBased) \(glob.folding) in \(value)")
        }
        #expect(found > 100, "seed \(seed) tried too few matches")
    }

    @Test(
        "Ranges are disjoint, ascending, present when something matches, and match again",
        arguments: 1...12)
    func ranges(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1000 {
            let count = Int.random(in: 2...Self.fewCharacters.count, using: &generator)
            let alphabet = Array(Self.fewCharacters.shuffled(using: &generator).prefix(count))
            let glob = pattern(&generator, alphabet)
            let value = generator.text(from: alphabet, upTo: 10)
            let ranges = glob.ranges(in: value)
            let first = glob.firstRange(in: value)
            #expect(first?.lowerBound == ranges.first?.lowerBound, "seed \(seed)")
            #expect(first?.upperBound ?? 0 <= ranges.first?.upperBound ?? 0, "seed \(seed)")
            if case .everything = glob.form { continue }
            #expect(glob.matches(value) == !ranges.isEmpty, "seed \(seed)")
            var last = 0
            for range in ranges {
                #expect(range.lowerBound >= last && !range.isEmpty, "seed \(seed)")
                last = range.upperBound
                let part = String(decoding: Array(value.utf8)[range], as: UTF8.self)
                #expect(
                    glob.matches(part),
                    "seed \(seed): \(glob.pieces) w \(glob.isWordBased) in \(value) at \(range)")
            }
        }
    }

    @Test(
        "A pattern longer than a machine word matches like a short one",
        arguments: [60, 63, 64, 65, 130, 700])
    func longPatterns(length: Int) {
        let word = String(repeating: "ab", count: length / 2)
        for modifiers in ["", "w", "c", "cdw"] {
            let glob = GlobPattern(text: "\(word)?*\(word) x*", modifiers: modifiers)
            #expect(glob.matches("\(word)q\(word) xyz"))
            #expect(glob.matches("\(word)qqq\(word) x"))
            #expect(!glob.matches("\(word)\(word) x"))
            #expect(glob.ranges(in: "\(word)qr\(word) x").count == 1)
        }
        let phrase = GlobPattern(text: "\(word) *\(word) x", modifiers: "w")
        #expect(phrase.matches("! \(word) - \(word) x"))
        #expect(!phrase.matches("\(word)\(word) x"))
    }

    @Test("No pattern is slow out of proportion to its value")
    func floods() {
        let value = String(repeating: "a", count: 20_000)
        let stars = GlobPattern(text: String(repeating: "a*", count: 200) + "b", modifiers: "")
        #expect(!stars.matches(value))
        let long = GlobPattern(
            text: "*" + String(repeating: "a", count: 500) + "b*", modifiers: "cd")
        #expect(!long.matches(value))
        #expect(long.matches(value + "B"))
        #expect(long.ranges(in: value + "b") == [19_500..<20_001])
    }
}
