import FresnelSystem
import Testing

@testable import FresnelIndex

@Suite("Numbers in frames")
struct FramedNumbersTests {
    private static func framed(_ contents: FramedContents, count: Int) throws -> FramedNumbers {
        var reader = try NarrowTablesTests.section { contents.write(to: &$0) }
        let framed = try FramedNumbers(&reader, count: count)
        try reader.requireEnd()
        #expect(contents.isEqual(to: framed))
        return framed
    }

    /// Numbers of which the farthest are just so many bits apart, from any number on.
    private static func frame(
        width: Int, count: Int, _ generator: inout SeededGenerator
    ) -> [UInt64] {
        let most: UInt64 = width == 64 ? .max : 1 << UInt64(width) - 1
        let base = UInt64.random(in: 0...(.max - most), using: &generator)
        var numbers = (0..<count).map { _ in
            base + UInt64.random(in: 0...most, using: &generator)
        }
        (numbers[0], numbers[count - 1]) = (base, base + most)
        return numbers.shuffled(using: &generator)
    }

    private static func check(_ framed: FramedNumbers, _ numbers: [UInt64]) {
        #expect(numbers.indices.map { framed[$0] } == numbers)
        for index in numbers.indices.dropLast() {
            let (number, next) = framed.pair(index)
            #expect(number == numbers[index] && next == numbers[index + 1], "from \(index)")
        }
    }

    @Test("of any width come back alone and with the next", arguments: 0...64)
    func everyWidth(width: Int) throws {
        var generator = SeededGenerator(seed: UInt64(width))
        for count in [2, 3, 127, 128] {
            let numbers = Self.frame(width: width, count: count, &generator)
            let contents = FramedContents(numbers)
            #expect(contents.words.count == 2 * width)
            Self.check(try Self.framed(contents, count: count), numbers)
        }
    }

    @Test("of all widths beside each other come back", arguments: [1, 2, 3])
    func mixed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var numbers: [UInt64] = []
        for width in (0...64).shuffled(using: &generator) {
            numbers += Self.frame(width: width, count: 128, &generator)
        }
        let widest = Int.random(in: 33...64, using: &generator)
        numbers += Self.frame(width: widest, count: 37, &generator)
        let contents = FramedContents(numbers)
        let widths = zip(contents.starts, contents.starts.dropFirst()).map { ($1 - $0) / 2 }
        #expect(Set(widths) == Set(0...64))
        Self.check(try Self.framed(contents, count: numbers.count), numbers)
    }

    @Test(
        "of none or one are had, too", arguments: [[], [0], [7], [1 << 40], [.max]] as [[UInt64]])
    func few(numbers: [UInt64]) throws {
        let contents = FramedContents(numbers)
        Self.check(try Self.framed(contents, count: numbers.count), numbers)
    }

    @Test("that are a permutation come back as places", arguments: [1, 127, 128, 129, 1000])
    func places(count: Int) throws {
        var generator = SeededGenerator(seed: UInt64(count))
        // In runs, as documents mostly stand, and at random.
        let turned = (0..<count).map { UInt32(($0 + count / 3) % count) }
        for places in [turned, turned.shuffled(using: &generator), turned.reversed()] {
            let contents = FramedPlaces.contents(of: places)
            let framed = FramedPlaces(numbers: try Self.framed(contents, count: count))
            #expect(places.indices.map { framed[$0] } == places)
        }
    }
}
