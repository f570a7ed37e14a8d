import FresnelKernels
import Testing

@Suite("The order of byte strings")
struct ByteOrderTests {
    private static let alphabets: [ClosedRange<UInt8>] = [0...1, 97...98, 127...128, 0...255]

    /// Strings of 0 to 40 bytes, most of which begin like another, some of them equal.
    private static func texts(
        _ count: Int, _ alphabet: ClosedRange<UInt8>, _ generator: inout TestGenerator
    ) -> [[UInt8]] {
        var texts: [[UInt8]] = [[]]
        while texts.count < count {
            let other = texts[Int.random(in: texts.indices, using: &generator)]
            let shared = other.prefix(Int.random(in: 0...40, using: &generator))
            let most = min(40 - shared.count, Int.random(in: 0...40, using: &generator))
            texts.append(shared + generator.bytes(count: most, from: alphabet))
        }
        return texts
    }

    /// The same bytes at an offset among others.
    private static func amid(
        _ text: [UInt8], _ generator: inout TestGenerator
    ) -> (bytes: [UInt8], range: Range<Int>) {
        let start = Int.random(in: 0...17, using: &generator)
        let rest = Int.random(in: 0...9, using: &generator)
        return (
            generator.bytes(count: start) + text + generator.bytes(count: rest),
            start..<start + text.count
        )
    }

    private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.lexicographicallyPrecedes(right) ? -1 : left == right ? 0 : 1
    }

    /// Eight bytes, zeros behind the last.
    private static func beginning(_ text: [UInt8]) -> [UInt8] {
        text.prefix(8) + [UInt8](repeating: 0, count: max(0, 8 - text.count))
    }

    @Test(
        "Any two compare, and begin with each other or not, as their bytes one by one",
        arguments: alphabets, [1, 2, 3] as [UInt64])
    func pairs(alphabet: ClosedRange<UInt8>, seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        let texts = Self.texts(60, alphabet, &generator)
        for left in texts {
            for right in texts {
                let expected = Self.order(left, right)
                let found = ByteOrder.compare(left.span, right.span).signum()
                #expect(found == expected, "seed \(seed): \(left) \(right)")
                let isPrefix = ByteOrder.hasPrefix(left.span, right.span)
                #expect(isPrefix == left.starts(with: right), "seed \(seed): \(left) \(right)")
            }
        }
    }

    @Test(
        "What stands around them does not matter",
        arguments: alphabets, [4, 5, 6] as [UInt64])
    func offsets(alphabet: ClosedRange<UInt8>, seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        let texts = Self.texts(40, alphabet, &generator)
        for left in texts {
            for right in texts {
                let (one, other) = (Self.amid(left, &generator), Self.amid(right, &generator))
                let (mine, others) = (
                    one.bytes.span.extracting(one.range), other.bytes.span.extracting(other.range)
                )
                let found = ByteOrder.compare(mine, others).signum()
                let ranged = ByteOrder.compare(one.bytes, one.range, other.bytes, other.range)
                let expected = Self.order(left, right)
                #expect(found == expected, "seed \(seed): \(one) \(other)")
                #expect(ranged.signum() == expected, "seed \(seed): \(one) \(other)")
                let isPrefix = ByteOrder.hasPrefix(mine, others)
                #expect(isPrefix == left.starts(with: right), "seed \(seed): \(one) \(other)")
                let isSameWord =
                    ByteOrder.leadingWord(of: mine) == ByteOrder.leadingWord(of: left.span)
                #expect(isSameWord, "seed \(seed): \(one)")
            }
        }
    }

    @Test(
        "Leading words are the first eight bytes and order like them",
        arguments: alphabets, [7, 8, 9] as [UInt64])
    func leadingWords(alphabet: ClosedRange<UInt8>, seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        let texts = Self.texts(60, alphabet, &generator)
        let words = texts.map { ByteOrder.leadingWord(of: $0.span) }
        for (text, word) in zip(texts, words) {
            let bytes = (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * (7 - $0))) }
            #expect(bytes == Self.beginning(text), "seed \(seed)")
            for (other, otherWord) in zip(texts, words) {
                let order = Self.order(Self.beginning(text), Self.beginning(other))
                let found = word < otherWord ? -1 : word == otherWord ? 0 : 1
                #expect(found == order, "seed \(seed): \(text) \(other)")
            }
        }
    }
}
