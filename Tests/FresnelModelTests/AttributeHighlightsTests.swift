import FresnelModel
import Testing

@Suite("Highlights")
struct AttributeHighlightsTests {
    @Test(
        "Ranges in any order become few ascending ones",
        arguments: [
            ([], []), ([3..<3], []), ([2..<4, 0..<1], [0..<1, 2..<4]),
            ([0..<2, 2..<4], [0..<4]), ([0..<9, 2..<4, 8..<10], [0..<10]),
            ([5..<6, 0..<1, 5..<6], [0..<1, 5..<6]),
        ] as [([Range<Int>], [Range<Int>])])
    func joined(ranges: [Range<Int>], expected: [Range<Int>]) {
        let entry = AttributeHighlights(attribute: "title", ranges: ranges)
        #expect(entry.ranges == expected && entry.isComplete)
    }

    @Test("Entries of one text become one, in the order of names, elements and parts")
    func normal() {
        let parts: [AttributeHighlights.Part] = [
            .text, .variant(language: "de"), .variant(language: "fr"), .displayName, .handle(0),
            .handle(1),
        ]
        let ordered = ["a", "b"].flatMap { name in
            (0..<2).flatMap { element in
                parts.map {
                    AttributeHighlights(
                        attribute: name, element: element, part: $0, ranges: [0..<4])
                }
            }
        }
        let halves = ordered.flatMap { entry in
            [0..<2, 1..<4].map {
                AttributeHighlights(
                    attribute: entry.attribute, element: entry.element, part: entry.part,
                    ranges: [$0])
            }
        }
        #expect(AttributeHighlights.normal(halves.reversed()) == ordered)
        #expect(AttributeHighlights.normal(ordered) == ordered)
    }

    @Test("One document has at most 1024 ranges and says so", arguments: [15, 16, 17, 40])
    func limit(texts: Int) {
        let ranges = (0..<64).map { 2 * $0..<2 * $0 + 1 }
        let entries = (0..<texts).map {
            AttributeHighlights(attribute: "keywords", element: $0, ranges: ranges)
        }
        let normal = AttributeHighlights.normal(entries)
        #expect(normal.count == min(texts, 16))
        #expect(normal.last?.isComplete == (texts <= 16))
        #expect(normal.dropLast().filter { !$0.isComplete }.isEmpty)
        #expect(AttributeHighlights.normal(normal) == normal)
        let halves = entries.map {
            AttributeHighlights(
                attribute: "title", element: $0.element, ranges: Array(ranges.prefix(60)))
        }
        let counts = AttributeHighlights.normal(halves).map(\.ranges.count)
        #expect(counts.reduce(0, +) == min(60 * texts, 1024))
    }
}
