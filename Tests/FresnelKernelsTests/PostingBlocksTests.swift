import FresnelKernels
import Testing

/// Lists as segments have them, against arrays.
@Suite("Whole lists of documents")
struct PostingBlocksTests {
    /// A list in its blocks.
    private struct Encoded {
        var blob: [UInt8] = [1, 2, 3]
        var offsets: [UInt32] = []

        init(_ numbers: [UInt32]) throws {
            var floor: UInt32 = 0
            for start in stride(from: 0, to: numbers.count, by: 128) {
                offsets.append(UInt32(blob.count))
                let block = Array(numbers[start..<min(numbers.count, start + 128)])
                try DeltaBlock.encode(block.span, floor: floor, into: &blob)
                blob += [9, 9]  // what else a block has
                floor = (block.last ?? 0) + 1
            }
            offsets.append(UInt32(blob.count))
        }
    }

    private static func numbers(_ count: Int, below limit: UInt32, seed: UInt64) -> [UInt32] {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        var numbers: Set<UInt32> = []
        while numbers.count < count {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            numbers.insert(UInt32(truncatingIfNeeded: state >> 33) % limit)
        }
        return numbers.sorted()
    }

    @Test(
        "Appending, inserting and meeting give what arrays give",
        arguments: [
            (0, 10), (1, 1), (5, 1000), (127, 4000), (128, 128), (129, 100_000), (3000, 5000),
        ])
    func agreement(count: Int, limit: UInt32) throws {
        let numbers = Self.numbers(count, below: limit, seed: UInt64(count) + 1)
        let encoded = try Encoded(numbers)
        let list = PostingBlocks.List(
            blob: encoded.blob.span, offsets: encoded.offsets.span, count: count, limit: Int(limit))
        var appended: [UInt32] = [7]
        #expect(PostingBlocks.append(list, to: &appended))
        #expect(appended == [7] + numbers)
        var others = Bitset(count: Int(limit))
        for number in 0..<Int(limit) where number % 3 == 0 { others.insert(number) }
        var met: [UInt32] = []
        #expect(PostingBlocks.append(list, in: others, to: &met))
        #expect(met == numbers.filter { $0 % 3 == 0 })
        var set = others
        var repeated = Bitset(count: Int(limit))
        #expect(PostingBlocks.insert(list, into: &set, repeated: &repeated))
        var found: [UInt32] = []
        repeated.append(to: &found)
        #expect(found == numbers.filter { $0 % 3 == 0 })
        var plain = Bitset(count: Int(limit))
        #expect(PostingBlocks.insert(list, into: &plain))
        found = []
        plain.append(to: &found)
        #expect(found == numbers)
        plain.formUnion(others)
        #expect(plain == set)
        guard count < 128, let end = encoded.offsets.last else { return }
        var short = others
        let block = encoded.blob.span.extracting(3..<Int(end))
        let isWhole = PostingBlocks.insertShort(
            block, count: count, limit: Int(limit), into: &short)
        #expect(isWhole)
        #expect(short == set)
    }

    @Test("A damaged list ends early and touches nothing outside")
    func damage() throws {
        let numbers = Self.numbers(300, below: 4000, seed: 3)
        let encoded = try Encoded(numbers)
        for offset in encoded.blob.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var blob = encoded.blob
                blob[offset] = value
                let list = PostingBlocks.List(
                    blob: blob.span, offsets: encoded.offsets.span, count: 300, limit: 4000)
                var set = Bitset(count: 4000)
                PostingBlocks.insert(list, into: &set)
                var appended: [UInt32] = []
                PostingBlocks.append(list, to: &appended)
                #expect(appended.allSatisfy { $0 < 4000 })
                PostingBlocks.insertShort(blob.span, count: 127, limit: 4000, into: &set)
            }
        }
        let short = PostingBlocks.List(
            blob: encoded.blob.span.extracting(first: 50), offsets: encoded.offsets.span,
            count: 300, limit: 4000)
        var appended: [UInt32] = []
        #expect(!PostingBlocks.append(short, to: &appended))
    }

    @Test("Gaps of LEB128 integers give their numbers back")
    func gaps() {
        let numbers: [UInt32] = [0, 1, 5, 133, 134, 20_000, 3_000_000, 4_000_000_000]
        var bytes: [UInt8] = []
        var floor: UInt32 = 0
        for number in numbers {
            LEB128Gaps.append(number - floor, to: &bytes)
            floor = number &+ 1
        }
        #expect(LEB128Gaps.numbers(bytes.span) == numbers)
    }
}
