import FresnelModel
import FresnelQuery
import FresnelText
import Testing

@Suite("Highlights of random documents and queries")
struct HighlightPropertyTests {
    private static let schema = AttributeSchema()

    @Test(
        "A comparison has highlights exactly where it matches a text, and each matches by itself",
        arguments: 1...20 as ClosedRange<UInt64>)
    func comparisons(seed: UInt64) throws {
        var generator = HighlightGenerator(seed: seed)
        var found = 0
        for _ in 0..<80 {
            let document = generator.document()
            for _ in 0..<4 {
                let comparison = generator.comparison()
                guard case .text(let pattern, _) = comparison.test,
                    !Self.matchesEverything(pattern)
                else { continue }
                let matcher = ReferenceMatcher(
                    expression: .comparison(
                        .init(
                            attribute: comparison.attribute, test: .text(pattern, number: nil))))
                let entries = HighlightFinder(expression: .comparison(comparison))
                    .highlights(in: document)
                #expect(
                    matcher.matches(document) == !entries.isEmpty,
                    "seed \(seed): \(comparison) in \(document)")
                found += entries.count
                for entry in entries {
                    try check(entry, in: document, seed: seed)
                    try check(entry, against: pattern, in: document, seed: seed)
                }
            }
        }
        #expect(found > 100, "seed \(seed) tried too few matches")
    }

    @Test(
        "A query has highlights only where it holds, each from a comparison that holds",
        arguments: 1...20 as ClosedRange<UInt64>)
    func expressions(seed: UInt64) throws {
        var generator = HighlightGenerator(seed: seed)
        for _ in 0..<80 {
            let document = generator.document()
            let expression = generator.expression(depth: 3)
            let entries = HighlightFinder(expression: expression).highlights(in: document)
            guard ReferenceMatcher(expression: expression).matches(document) else {
                #expect(entries.isEmpty, "seed \(seed): \(expression) in \(document)")
                continue
            }
            let reasons = Self.comparisons(of: expression, isNegated: false).filter {
                ReferenceMatcher(expression: .comparison($0)).matches(document)
            }.map { HighlightFinder(expression: .comparison($0)).highlights(in: document) }
            for entry in entries {
                try check(entry, in: document, seed: seed)
                let explained = reasons.joined().filter {
                    !$0.precedes(entry) && !entry.precedes($0)
                }.flatMap(\.ranges)
                for range in entry.ranges {
                    #expect(
                        explained.contains { $0.overlaps(range) },
                        "seed \(seed): \(expression) in \(document) at \(entry)")
                }
            }
        }
    }

    @Test(
        "A conjunction of comparisons that hold is marked with what each of them marks",
        arguments: 1...10 as ClosedRange<UInt64>)
    func conjunctions(seed: UInt64) {
        var generator = HighlightGenerator(seed: seed)
        for _ in 0..<60 {
            let document = generator.document()
            let parts = (0..<6).map { _ in generator.comparison() }.filter {
                ReferenceMatcher(expression: .comparison($0)).matches(document)
            }.map { ResolvedExpression.comparison($0) }
            let each = parts.flatMap { HighlightFinder(expression: $0).highlights(in: document) }
            let twice = ResolvedExpression.not(.or(parts.map { .not($0) }))
            for expression in [ResolvedExpression.and(parts), twice] where !parts.isEmpty {
                let all = HighlightFinder(expression: expression).highlights(in: document)
                #expect(all == AttributeHighlights.normal(each), "seed \(seed): \(parts)")
            }
        }
    }

    /// In bounds, ascending, apart, between whole characters.
    private func check(_ entry: AttributeHighlights, in document: Document, seed: UInt64) throws {
        let text = try #require(Highlighting.text(of: entry, in: document), "seed \(seed)")
        #expect(!entry.ranges.isEmpty, "seed \(seed)")
        var last = -1
        for range in entry.ranges {
            #expect(range.lowerBound > last && !range.isEmpty, "seed \(seed): \(entry)")
            last = range.upperBound
            #expect(range.upperBound <= text.utf8.count, "seed \(seed): \(entry)")
            for offset in [range.lowerBound, range.upperBound] where offset <= text.utf8.count {
                let index = text.utf8.index(text.startIndex, offsetBy: offset)
                #expect(
                    String.Index(index, within: text) != nil,
                    "seed \(seed): \(offset) is inside a character of \(text.debugDescription)")
            }
        }
    }

    /// Each slice satisfies the pattern, folded as its modifiers say.
    private func check(
        _ entry: AttributeHighlights, against pattern: TextPattern, in document: Document,
        seed: UInt64
    ) throws {
        let text = try #require(Highlighting.text(of: entry, in: document), "seed \(seed)")
        var pattern = pattern
        if Self.schema.definition(named: entry.attribute)?.isTextContent == true {
            pattern.modifiers.insert(.wordBased)
        }
        let glob = GlobPattern(pattern, language: nil)
        for range in entry.ranges {
            let slice = String(decoding: Array(text.utf8)[range], as: UTF8.self)
            #expect(
                glob.matches(slice),
                "seed \(seed): \(pattern) in \(text.debugDescription) at \(range)")
        }
    }

    /// Whether a pattern is stars alone in effect: it matches a text in which nothing can be found.
    private static func matchesEverything(_ pattern: TextPattern) -> Bool {
        var wordBased = pattern
        wordBased.modifiers.insert(.wordBased)
        return GlobPattern(wordBased, language: nil).matches("")
            || GlobPattern(pattern, language: nil).matches("")
    }

    /// The comparisons under an even number of negations.
    private static func comparisons(
        of expression: ResolvedExpression, isNegated: Bool
    ) -> [ResolvedComparison] {
        switch expression {
        case .constant: []
        case .and(let parts), .or(let parts):
            parts.flatMap { comparisons(of: $0, isNegated: isNegated) }
        case .not(let part): comparisons(of: part, isNegated: !isNegated)
        case .comparison(let comparison): isNegated ? [] : [comparison]
        }
    }
}
