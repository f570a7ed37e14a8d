import FresnelKernels
import Testing

@Suite("Radix sort")
struct RadixSortTests {
    @Test("sorts as the standard library does, and stably", arguments: 0..<40)
    func stable(seed: UInt64) {
        var random = TestGenerator(seed: seed)
        let mask = [UInt64.max, 0xFF, 0xFF00_0000_0000_00FF, 7, 0][Int(seed % 5)]
        compare(Int.random(in: 0...700, using: &random), mask: mask, &random)
    }

    @Test(
        "sorts more entries than two bytes count, of many keys and of few",
        arguments: [65_535, 65_536, 65_537, 200_000], [UInt64.max, 0x0100_0000_0000_0001])
    func many(count: Int, mask: UInt64) {
        var random = TestGenerator(seed: UInt64(count))
        compare(count, mask: mask, &random)
    }

    private func compare(_ count: Int, mask: UInt64, _ random: inout TestGenerator) {
        var entries = (0..<count).map { number in
            RadixSort.Entry(key: random.next() & mask, value: UInt32(number))
        }
        let expected = entries.sorted { ($0.key, $0.value) < ($1.key, $1.value) }
        RadixSort.sort(&entries)
        let isSorted = entries == expected
        #expect(isSorted, "\(count) entries")
    }
}
