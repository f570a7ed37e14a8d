import FresnelKernels
import Testing

@Suite("Bit sets")
struct BitsetTests {
    private static func random(count: Int, seed: UInt64) -> (bits: Bitset, plain: Set<Int>) {
        var generator = TestGenerator(seed: seed)
        var bits = Bitset(count: count)
        var plain: Set<Int> = []
        for bit in 0..<count where Bool.random(using: &generator) {
            bits.insert(bit)
            plain.insert(bit)
        }
        return (bits, plain)
    }

    private static func members(_ bits: Bitset) -> [Int] {
        var found: [Int] = []
        bits.forEach { found.append($0) }
        return found
    }

    @Test("Set algebra agrees with plain sets", arguments: [0, 1, 63, 64, 65, 1000])
    func algebra(count: Int) {
        let (left, plainLeft) = Self.random(count: count, seed: 1)
        let (right, plainRight) = Self.random(count: count, seed: 2)
        var both = left
        both.formIntersection(right)
        #expect(Self.members(both) == plainLeft.intersection(plainRight).sorted())
        var either = left
        either.formUnion(right)
        #expect(Self.members(either) == plainLeft.union(plainRight).sorted())
        var rest = left
        rest.subtract(right)
        #expect(Self.members(rest) == plainLeft.subtracting(plainRight).sorted())
        #expect(rest.isEmpty == plainLeft.isSubset(of: plainRight))
    }

    @Test("Walking from bit to bit finds every member in order", arguments: [0, 64, 129, 700])
    func next(count: Int) {
        let (bits, plain) = Self.random(count: count, seed: 3)
        var found: [Int] = []
        var position = -5
        while let bit = bits.next(from: position) {
            found.append(bit)
            position = bit + 1
        }
        #expect(found == plain.sorted())
        var numbers: [UInt32] = []
        bits.append(to: &numbers)
        #expect(numbers == plain.sorted().map(UInt32.init))
    }

    @Test("A range is set bit for bit", arguments: [0..<0, 0..<1, 3..<64, 63..<65, 10..<200])
    func range(range: Range<Int>) {
        var bits = Bitset(count: 200)
        bits.insert(range)
        #expect(Self.members(bits) == Array(range))
    }

    @Test("A filled set has exactly its bits, and removing takes one away")
    func filled() {
        var bits = Bitset(count: 70, filled: true)
        #expect(bits.population == 70)
        bits.remove(69)
        #expect(!bits.contains(69))
        #expect(bits.contains(68))
        #expect(!bits.contains(70))
        #expect(!bits.contains(-1))
        #expect(bits.next(from: 69) == nil)
    }

    @Test("Words from elsewhere lose the bits beyond the count")
    func words() {
        #expect(Bitset(words: [.max, .max, 7], count: 66).population == 66)
        #expect(Bitset(words: [1], count: 100).population == 1)
    }
}
