import FresnelKernels
import Testing

@Suite("Radix sort")
struct RadixSortTests {
    @Test("sorts as the standard library does, and stably", arguments: 0..<40)
    func stable(seed: UInt64) {
        var random = TestGenerator(seed: seed)
        let mask = [UInt64.max, 0xFF, 0xFF00_0000_0000_00FF, 7, 0][Int(seed % 5)]
        let count = Int.random(in: 0...700, using: &random)
        var entries = (0..<count).map { number in
            RadixSort.Entry(key: random.next() & mask, value: UInt32(number))
        }
        let expected = entries.sorted { ($0.key, $0.value) < ($1.key, $1.value) }
        RadixSort.sort(&entries)
        #expect(entries == expected)
    }

    @Test("Keys of numbers ascend as the numbers do, and give them back")
    func numbers() {
        let numbers: [Double] = [
            -.infinity, -.greatestFiniteMagnitude, -2.5, -1, -.leastNonzeroMagnitude, 0,
            .leastNonzeroMagnitude, 0.1, 1, 1.5, 3e9, .greatestFiniteMagnitude, .infinity,
        ]
        let keys = numbers.map { RadixSort.key(of: $0) }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == keys.count)
        #expect(keys.map { RadixSort.number(ofKey: $0) } == numbers)
        #expect(RadixSort.key(of: -0.0) < RadixSort.key(of: 0.0))
        #expect(RadixSort.number(ofKey: RadixSort.key(of: -0.0)).sign == .minus)
    }
}
