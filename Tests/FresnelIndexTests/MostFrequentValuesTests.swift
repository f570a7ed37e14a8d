import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

@Suite("The most frequent values")
struct MostFrequentValuesTests {
    /// Texts whose folded keys are often equal, numbers and dates, with few different counts.
    private func values(_ generator: inout SeededGenerator) -> [(FacetKey, UInt64)] {
        var counts: [FacetKey: UInt64] = [:]
        for _ in 0..<Int.random(in: 0..<400, using: &generator) {
            let number = UInt64.random(in: 0..<60, using: &generator)
            let key: FacetKey =
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: .number(Double(number).bitPattern)
                case 1: .date((Double(number) - 30).bitPattern)
                case 2: .text(Array("Größe \(number)".utf8))
                default: .text(Array("grosse \(number)".utf8))
                }
            counts[key] = UInt64.random(in: 1...4, using: &generator)
        }
        return counts.map { ($0.key, $0.value) }
    }

    @Test("They are the beginning of the sorted list, however many are wanted", arguments: 1...60)
    func beginning(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let values = values(&generator)
        let capacity = Int.random(in: 1...80, using: &generator)
        var first = MostFrequentValues(capacity: capacity)
        for (key, count) in values { first.add(key, count: count) }
        let sorted = values.map { FacetTally.value($0.0, $0.1) }.sorted { $0.precedes($1) }
        let taken = first.take().map { FacetTally.value($0.key, $0.count) }
        #expect(taken == Array(sorted.prefix(capacity)), "seed \(seed)")
    }

    @Test("A list that was cut says what the next value has")
    func bound() throws {
        var part = FacetTally.Part()
        for number in 0..<5_000 { part.counts[.text(Array("value \(number)".utf8))] = 3 }
        var request = WireFacetRequest()
        request.attribute = "keywords"
        var tally = FacetTally(FacetField(request, schema: AttributeSchema()))
        try tally.add(part, nil)
        let listed = [try tally.listing(within: 4_000, nil)].fitted(to: 4_000)[0]
        #expect(listed.bound == 3 && !listed.values.isEmpty && listed.distinct == 5_000)
        let whole = [try tally.listing(within: 1 << 20, nil)].fitted(to: 1 << 20)[0]
        #expect(whole.bound == 0 && whole.values.count == 5_000)
    }
}
