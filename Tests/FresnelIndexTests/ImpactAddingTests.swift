import FresnelSystem
import Testing

@testable import FresnelIndex

/// What the kernel adds from the codes of words, against a loop over the tables of a writer.
@Suite("Bounds that words add to scores")
struct ImpactAddingTests {
    /// The weighted occurrences of some words, a word with few kinds of them after one with many.
    private static func words(_ generator: inout SeededGenerator) -> [[Double]] {
        [1, 2, 15, 16, 17, 64, 301, 1000].enumerated().map { word, count in
            let kinds = (0..<(word % 2 == 0 ? 300 : 12)).map { _ in
                Double.random(in: 0...40, using: &generator)
            }
            return (0..<count).map { place in
                place % 40 == 39
                    ? Double.random(in: 0...3000, using: &generator)
                    : kinds[Int.random(in: kinds.indices, using: &generator)]
            }
        }
    }

    /// Words that are every third term, from 1 on.
    private static func contents(_ words: [[Double]]) -> ImpactContents {
        var contents = ImpactContents()
        for (word, sums) in words.enumerated() {
            contents.append(TermID(3 * word + 1), sums: sums)
        }
        return contents
    }

    private static func impacts(_ contents: ImpactContents, isNarrow: Bool) -> Impacts {
        let narrow = contents.narrowed()
        return Impacts(
            terms: PackedArray(copying: contents.terms),
            offsets: PackedArray(copying: isNarrow ? narrow.offsets : contents.offsets),
            levels: PackedArray(copying: ImpactContents.levels), constants: PackedArray(),
            codes: SharedBytes(isNarrow ? narrow.codes : contents.codes),
            narrow: isNarrow ? NarrowLevels(places: PackedArray(copying: narrow.places)) : nil)
    }

    /// The places of the levels that a word's postings have, read plainly.
    private static func levels(_ contents: ImpactContents, word: Int, isNarrow: Bool) -> [Int] {
        let range = Int(contents.offsets[word])..<Int(contents.offsets[word + 1])
        guard isNarrow else { return contents.codes[range].map { Int($0) } }
        let narrow = contents.narrowed()
        return (0..<range.count).map { posting in
            let pair = narrow.codes[Int(narrow.offsets[word]) + posting / 2]
            let code = posting.isMultiple(of: 2) ? pair % 16 : pair / 16
            return Int(narrow.places[16 * word + Int(code)])
        }
    }

    @Test(
        "are those of their levels, to the bit, and never too low",
        arguments: [1, 2, 3], [false, true])
    func sums(seed: UInt64, isNarrow: Bool) throws {
        var generator = SeededGenerator(seed: seed)
        let words = Self.words(&generator)
        let contents = Self.contents(words)
        let impacts = Self.impacts(contents, isNarrow: isNarrow)
        for (word, sums) in words.enumerated() {
            let term = TermID(3 * word + 1)
            let codes = try #require(impacts.codes(of: term, documentCount: sums.count))
            #expect(impacts.codes(of: term + 1, documentCount: sums.count) == nil)
            let rarity = Double.random(in: 0...12, using: &generator)
            let levels = Self.levels(contents, word: word, isNarrow: isNarrow)
            let shares = sums.indices.map { posting in
                let share = Relevance.contribution(
                    rarity: rarity, weightedOccurrences: ImpactContents.levels[levels[posting]])
                let exact = Relevance.contribution(
                    rarity: rarity, weightedOccurrences: sums[posting])
                #expect(share >= exact, "seed \(seed): \(sums[posting])")
                return share
            }
            for count in [0, 1, sums.count, 2 * sums.count] {
                // More places than bounds are allowed; what is beyond is not looked at.
                let places = (0..<count + 3).map { _ in
                    UInt32(Int.random(in: sums.indices, using: &generator))
                }
                var bounds = (0..<count).map { _ in Double.random(in: 0...9, using: &generator) }
                let expected = zip(bounds, places).map { $0 + shares[Int($1)] }
                impacts.add(codes, rarity: rarity, places, to: &bounds)
                #expect(bounds == expected, "seed \(seed): word \(word), \(count) bounds")
            }
        }
    }
}
