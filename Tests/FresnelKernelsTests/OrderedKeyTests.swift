import FresnelKernels
import Testing

@Suite("Sort keys")
struct OrderedKeyTests {
    private static let numbers: [Double] = [
        -.infinity, -.greatestFiniteMagnitude, -1e10, -2, -1.5, -1, -.leastNonzeroMagnitude, 0,
        .leastNonzeroMagnitude, .leastNormalMagnitude, 0.1, 1, 1.5, 2, 1e10,
        .greatestFiniteMagnitude, .infinity,
    ]

    private static func key(_ build: (inout OrderedKey) -> Void) -> OrderedKey {
        var key = OrderedKey()
        build(&key)
        return key
    }

    @Test("Numbers sort as numbers in both directions", arguments: [false, true])
    func numberOrder(descending: Bool) {
        for left in Self.numbers {
            for right in Self.numbers {
                let leftKey = Self.key { $0.append(number: left, descending: descending) }
                let rightKey = Self.key { $0.append(number: right, descending: descending) }
                #expect((leftKey < rightKey) == (descending ? left > right : left < right))
                #expect((leftKey == rightKey) == (left == right))
            }
        }
    }

    @Test(
        "A score and two strings at once make the key of each in turn", arguments: numbers + [.nan])
    func atOnce(score: Double) {
        let strings: [[UInt8]] = [[], [1], [0], [7, 0, 9], Array(repeating: 0x61, count: 300)]
        for (first, second) in strings.flatMap({ first in strings.map { (first, $0) } }) {
            for descending in [false, true] {
                var key = Self.key { $0.append(integer: 5, descending: false) }
                var parts = key
                let place = key.append(
                    score: score, descending: descending, first.span, second.span)
                parts.append(score: score, descending: descending)
                parts.append(bytes: first, descending: false)
                parts.append(bytes: second, descending: false)
                #expect(key == parts)
                if let place {
                    #expect(Array(key.bytes[place]) == first)
                } else {
                    #expect(first.contains(0) || second.contains(0) || score.isNaN)
                }
            }
        }
    }

    @Test("Bits of numbers ascend as the numbers do, and give them back")
    func sortableBits() {
        let bits = Self.numbers.map { OrderedKey.sortableBits(of: $0) }
        #expect(zip(bits, bits.dropFirst()).allSatisfy { $0 < $1 })
        #expect(bits.map { OrderedKey.number(fromSortableBits: $0) } == Self.numbers)
        #expect(OrderedKey.sortableBits(of: -0.0) == OrderedKey.sortableBits(of: 0.0))
        let zero = OrderedKey.number(fromSortableBits: OrderedKey.sortableBits(of: -0.0))
        #expect(zero.sign == .plus)
    }

    @Test("Both zeros are one key")
    func zeros() {
        #expect(
            Self.key { $0.append(number: 0.0, descending: false) }
                == Self.key { $0.append(number: -0.0, descending: false) })
    }

    @Test("Missing values and NaN come last in both directions", arguments: [false, true])
    func missing(descending: Bool) {
        let missing = Self.key { $0.appendMissing() }
        #expect(Self.key { $0.append(number: nil, descending: descending) } == missing)
        #expect(Self.key { $0.append(number: .nan, descending: descending) } == missing)
        #expect(Self.key { $0.append(string: nil, descending: descending) } == missing)
        for number in Self.numbers {
            #expect(Self.key { $0.append(number: number, descending: descending) } < missing)
        }
        for bytes: [UInt8] in [[], [0], [0xFF, 0xFF]] {
            #expect(Self.key { $0.append(bytes: bytes, descending: descending) } < missing)
        }
    }

    @Test("Bytes sort as bytes, prefixes first, also with zeros inside", arguments: 1...40)
    func byteOrder(seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        // Few different bytes, the dangerous ones, so that prefixes and escapes are common.
        let alphabet: [UInt8] = [0x00, 0x01, 0x61, 0xFE, 0xFF]
        func word() -> [UInt8] {
            let length = Int.random(in: 0...4, using: &generator)
            return (0..<length).map { _ in
                alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]
            }
        }
        for _ in 0..<50 {
            let left = word()
            let right = word()
            for descending in [false, true] {
                let leftKey = Self.key { $0.append(bytes: left, descending: descending) }
                let rightKey = Self.key { $0.append(bytes: right, descending: descending) }
                let expected =
                    descending
                    ? right.lexicographicallyPrecedes(left)
                    : left.lexicographicallyPrecedes(right)
                #expect((leftKey < rightKey) == expected, "seed \(seed): \(left) \(right)")
                #expect((leftKey == rightKey) == (left == right))
            }
        }
    }

    /// A row of three sort keys, one of them missing now and then.
    private struct Row {
        var title: String?
        var rating: Double?
        var id: UInt64

        init(using generator: inout TestGenerator) {
            title = ["", "a", "ab", "b", nil].randomElement(using: &generator) ?? nil
            rating = [1, 2, -3, nil].randomElement(using: &generator) ?? nil
            id = UInt64.random(in: 0..<4, using: &generator)
        }

        var key: OrderedKey {
            OrderedKeyTests.key { key in
                key.append(string: title, descending: true)
                key.append(number: rating, descending: false)
                key.append(integer: id, descending: false)
            }
        }

        func precedes(_ other: Row) -> Bool {
            switch (title, other.title) {
            case (nil, _?): return false
            case (_?, nil): return true
            case (let mine?, let theirs?) where mine != theirs: return mine > theirs
            default: break
            }
            switch (rating, other.rating) {
            case (nil, _?): return false
            case (_?, nil): return true
            case (let mine?, let theirs?) where mine != theirs: return mine < theirs
            default: return id < other.id
            }
        }
    }

    @Test("Several parts sort by the first, then the next", arguments: 1...20)
    func composite(seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        for _ in 0..<100 {
            let left = Row(using: &generator)
            let right = Row(using: &generator)
            #expect((left.key < right.key) == left.precedes(right), "seed \(seed)")
        }
    }

    @Test("Numbers are read back from keys", arguments: [false, true])
    func readBack(descending: Bool) throws {
        let key = Self.key { key in
            key.append(score: 2.5, descending: descending)
            key.appendMissing()
            key.append(integer: 9, descending: descending)
        }
        var reader = OrderedKeyReader(key)
        #expect(try reader.readNumber(descending: descending) == 2.5)
        #expect(try reader.readNumber(descending: descending) == nil)
        #expect(try reader.readInteger(descending: descending) == 9)
        #expect(throws: KernelError.self) { try reader.readInteger(descending: descending) }
        var foreign = OrderedKeyReader(OrderedKey(bytes: [9]))
        #expect(throws: KernelError.invalidByte(offset: 0, value: 9)) {
            try foreign.readNumber(descending: descending)
        }
    }
}
